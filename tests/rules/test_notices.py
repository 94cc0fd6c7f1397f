"""What is announced after a record, and what is not."""

import pytest

from rules.entries import Entry
from rules.notices import correction, notices
from tests.rules.play import enter, opened, played

CASES = [
    # before, the record, what is announced
    ("", "+1", ""),
    ("", "=3", ""),
    ("+1", "/", ""),
    ("", "+2", "to_go A 3"),
    ("+1", "+1", "to_go A 3"),
    ("", "+3", ""),
    ("+2 /", "/", ""),
    ("", "[+2 /]", "to_go A 3"),
    ("+1", "FOUL", "foul A"),
    ("=0", "FOUL(off)", "foul B"),
    ("+3", "FROZEN", "choice_frozen A"),
    ("+3 FROZEN", "PICK(play)", ""),
    ("", "CONDUCT", "conduct A 1, choice_placing B"),
    ("", "CONDUCT(B)", "conduct B 1, choice_placing A"),
    ("CONDUCT(B) PICK(place)", "CONDUCT(B)", "conduct B 2, match_won A"),
    ("=1", "CONDUCT(B,grave)", "match_won A"),
    ("", "ADJUST(score=2/0)", ""),
    # ends
    ("=0", "+5", "match_won B"),
    ("", "+5", "equaliser_due B"),
    ("+5", "CONDUCT(A)", "conduct A 1"),
    ("+5", "OK", "equaliser B 5"),
    ("", "[+5 OK]", "equaliser B 5"),
    ("+5 OK", "+2", "to_go B 3"),
    ("+5 OK", "CONDUCT(A)", "conduct A 1, choice_placing B"),
    ("+5 OK", "=2", "match_won A"),
    ("+5 OK", "+5", "match_drawn"),
    ("+5 OK +5", "OK", ""),
    ("=2", "TIMEUP", "equaliser_due B"),
    ("", "TIMEUP", "match_drawn"),
    ("", "CONCEDE(A,match)", "match_won B"),
    ("", "AWARD(A,absence)", "match_won A"),
    ("", "DQ(A)", "match_won B"),
    ("", "DQ(A,B)", "match_lost"),
]


def announced(before: str, record: str, rulebook: str, format_: str) -> str:
    ledger = played(before, rulebook, format_)
    match = ledger.match
    enter(ledger, record)
    act = ledger.line()[-1].record.act
    assert isinstance(act, tuple)
    entries: tuple[Entry, ...] = act
    said = notices(match, entries, ledger.match)
    return ", ".join(
        " ".join(str(part) for part in (one.what, one.side, one.number) if part is not None)
        for one in said
    )


@pytest.mark.parametrize(("before", "record", "said"), CASES)
def test_three_cushions_to_five(before: str, record: str, said: str) -> None:
    assert announced(before, record, "3c", "target=5/5") == said


@pytest.mark.parametrize(
    ("rulebook", "before", "record", "said"),
    [
        ("s15", "", "+15", "frame_won A"),
        ("s15", "+15", "OK", ""),
        ("s15", "+15 OK +15 OK =0 =0 +15", "OK", ""),
        ("s15f", "+15 OK", "+15", "frame_drawn"),
        ("s15f", "+15 OK +15", "OK", "choice_drawn_set"),
        ("s15f", "+15 OK +15 OK", "AWARD(B)", "frame_won B"),
        ("ug", "", "TIMEOUT", "timeout A 1"),
        ("ug", "TIMEOUT", "TIMEOUT", "timeout A 0"),
        ("uk", "=0", "CLOCK", "timeout B 3"),
        ("u18", "+40 OK", "+40", "frame_drawn"),
        ("u18", "+40 OK +40", "OK", ""),
        ("u18", "+40 OK +40 OK", "SHOOT(1)", ""),
        ("u18", "+40 OK +40 OK SHOOT(1)", "SHOOT(1)", ""),
        ("u18", "+40 OK +40 OK SHOOT(1)", "SHOOT(2)", "match_won B"),
    ],
)
def test_sets_clocks_and_shoot_outs(rulebook: str, before: str, record: str, said: str) -> None:
    assert announced(before, record, rulebook, "") == said


def test_how_many_to_go_are_called_is_a_fact_of_the_rulebook() -> None:
    assert announced("", "+3", "3c", "target=5/5 call_at=2") == "to_go A 2"
    assert announced("", "+2", "3c", "target=5/5 call_at=2") == ""


@pytest.mark.parametrize(
    ("rulebook", "format_", "before", "record", "said"),
    [
        # series games call five to go, cushion games three
        ("sr", "target=9/9", "", "+4", "to_go A 5"),
        ("472", "target=9/9", "", "+6", ""),
        ("712", "target=9/9", "+3", "+1", "to_go A 5"),
        ("1c", "target=9/9", "", "+6", "to_go A 3"),
        ("nl", "target=9/6", "=0", "+3", "to_go B 3"),
        # zones are called before the stroke
        ("472", "", "", "+1(in)", "zone_entered A"),
        ("472", "", "+1(in)", "+1(stay)", "zone_must_exit A"),
        ("471", "", "", "ZONE(in)", "zone_must_exit A"),
        ("472", "", "+1(in)", "+1(out)", ""),
        ("472", "", "+1(in)", "ZONE(out)", ""),
        ("472", "", "", "ZONE(line)", "choice_line A"),
        ("472", "line=against", "=0", "ZONE(line)", "zone_entered B"),
        ("sr", "", "+1(in) +1(stay)", "+1(stay)", "zone_foul A"),
        ("sr", "target=2/2", "+2 OK +1(in) ZONE(out) ZONE(in)", "+1", "match_drawn"),
        # half distance, and the clock
        ("ug", "half=on", "=20", "=0", "half_way"),
        ("ug", "half=on", "=20 =0", "+1", ""),
        ("ug", "", "", "TIMEOUT", "timeout A 1"),
        ("uk", "", "", "CLOCK", "timeout A 3"),
        ("ug", "clock_opts=on", "", "CLOCK", "choice_clock B"),
        # pins
        ("p5", "", "", "P3", ""),
        ("p5", "", "", "P3(foul)", "foul A, choice_free_ball B"),
        ("p5", "", "P2", "FELL(red,foul)", "foul B, choice_free_ball A"),
        ("p5", "target=9/9", "", "P9", "match_won A"),
        ("p5", "target=9/9", "P8", "P1(given)", "match_won A"),
    ],
)
def test_the_other_carom_games(
    rulebook: str, format_: str, before: str, record: str, said: str
) -> None:
    assert announced(before, record, rulebook, format_) == said


def test_an_undo_or_edit_is_one_correction_and_nothing_else() -> None:
    (said,) = correction(played("=3 =1 UNDO").match)
    assert (said.what, said.side) == ("correction", "B")
    (said,) = correction(opened(first=None).match)
    assert (said.what, said.side) == ("correction", None)
