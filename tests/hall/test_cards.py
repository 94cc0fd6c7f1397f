"""What pages say of a table, in words: of every game, in every language, and how sure they are."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.hall.follower import TableNow
from firmware.i18n import language_codes, load_language
from firmware.web.cards import Card, age, card
from rules.errors import BadSetup
from rules.replay import replay as replayed
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.scoreline import Said, Scoreline, scoreline
from rules.sheet import read_sheets
from rules.sides import Side
from tests.hall.scenes import SCENES, SHOT, scene

SHEETS = Path(__file__).parents[1] / "sheets"


def shown(table: TableNow, code: str = "en", now_ms: int = 0) -> Card:
    return card(table, load_language(code), now_ms)


def live(name: str, **more: object) -> TableNow:
    line = SCENES[name]
    now = TableNow(
        "clube", name, line=line, live=True, live_until_ms=9_000, clock=line.clock, t_ms=60_000
    )
    return replace(now, **more)


def test_a_carom_table() -> None:
    one = shown(live("1"))
    a, b = one.players
    assert (a.name, a.score, a.run, a.at_table, a.target, a.white) == (
        "Ana Prado",
        "27",
        4,
        True,
        "40",
        True,
    )
    assert (b.score, b.run, b.at_table) == ("31", 0, False)
    assert [(row.label, row.pair) for row in one.glance] == [
        ("Innings", ("14", "14")),
        ("Average", ("1.928", "2.214")),
    ]
    assert (one.mark, one.said, one.headline) == ("live", "live", "")


def test_a_snooker_table() -> None:
    one = shown(live("2"))
    assert [player.won for player in one.players] == [("3",), ("4",)]
    assert one.levels == ("Frames",)
    assert [(row.label, row.value) for row in one.glance] == [
        ("Ball on", "colour"),
        ("Points left", "67"),
    ], "that nobody needs snookers is no news"


def test_in_pairs_of_snooker_it_is_said_which_partner_is_at_the_table() -> None:
    def told(text: str) -> str:
        (sheet,) = read_sheets(f"id: pairs\n{text}", notation_of)
        line = replace(replayed(sheet, rulebook_of).scoreline(), names=sheet.names)
        table = live("2")
        return shown(replace(table, line=line)).headline

    pairs = "rulebook: wpbsa\nA: Ana / Ari\nB: Bia / Bo\nfirst: A\n"
    assert told(f"{pairs}/ R\n") == "Bia"
    assert told(f"{pairs}/ / R\n") == "Ari"
    assert told("rulebook: wpbsa\nA: Ana\nB: Bia\nfirst: A\n/ R\n") == ""
    assert told(f"{pairs}CONCEDE(A)\n").startswith("conceded, no snookers needed · ")


def test_a_rack_without_points_shows_the_racks_and_above_them_the_sets() -> None:
    one = shown(live("5"))
    assert [(player.score, player.won) for player in one.players] == [("2", ("1",)), ("3", ("0",))]
    assert [row.label for row in one.glance] == ["Group"]


@pytest.mark.parametrize("code", language_codes())
@pytest.mark.parametrize("name", SCENES)
def test_every_table_says_something_in_every_language(name: str, code: str) -> None:
    one = shown(live(name), code)
    assert all((one.title, one.said, one.aloud))
    assert "{" not in one.aloud
    labels = [row.label for row in one.rows]
    assert all(labels)
    assert len(set(labels)) == len(labels)


def test_an_end_says_who_won_and_why_a_held_one_what_ok_will_do() -> None:
    assert shown(live("6")).headline == "Sidhom wins · not equalised"
    assert shown(live("6")).players[0].winner
    assert shown(live("4")).headline == "target · OK: equaliser Jaspers + Çay"


def test_a_score_that_is_not_saved_says_so() -> None:
    assert shown(live("8")).unsaved == "not saved"
    assert not shown(live("7")).unsaved


def test_what_is_not_live_is_last_known_with_its_age_and_without_a_running_clock() -> None:
    one = shown(live("1", live=False, live_until_ms=None, t_ms=None, silent_ms=75_000))
    assert (one.mark, one.said, one.silent) == (
        "stale",
        "last known",
        "no sign of life for 1\u00a0min",
    )
    assert one.silent_ms == 75_000
    assert one.timers == ()
    assert one.due_ms == 45_000, "then it is two minutes"


@pytest.mark.parametrize(
    ("more", "mark", "said"),
    [
        ({"offline": True}, "offline", "last known · switched off or cut off"),
        ({"clash": True}, "clash", "last known · Alarm: two tables have this name"),
        ({"line": None}, "empty", "no match"),
        ({"line": None, "newer": True}, "newer", "This page is too old for this table"),
    ],
)
def test_whatever_else_is_wrong_is_said(more: dict[str, object], mark: str, said: str) -> None:
    one = shown(live("1", **({"live": False} | more)))
    assert one.mark == mark
    assert one.said.startswith(said)


def test_what_is_read_out_has_no_age_in_it() -> None:
    """A screen reader would begin anew with each second."""
    said = [
        shown(live("1", live=False, t_ms=None, silent_ms=ms)).aloud
        for ms in (9_000, 10_000, 75_000)
    ]
    assert said == ["Table 1 · Ana Prado 27, Rui Melo 31 · last known"] * 3


def test_clocks_show_begun_seconds_and_change_together() -> None:
    """Asks 69, 71: the same second as the table's, whenever the page was opened."""
    one = shown(live("1"), now_ms=1_000)
    shot, match = one.timers
    assert (shot.text, match.text) == ("31", "39:01")
    assert one.due_ms == 1_500, "when the shot clock, and with it match time, shows the next second"
    later = shown(live("1", t_ms=81_000))
    assert (later.timers[0].text, later.timers[0].note) == ("10", "warning")
    assert shown(live("1", t_ms=95_000)).timers[0].note == "time"


def test_a_paused_clock_stands_and_says_so() -> None:
    """Ask 72: a display that is opened in a break does not show 0:00."""
    assert SHOT.shot is not None
    paused = type(SHOT)(shot=SHOT.shot.paused(70_500))
    one = shown(live("1", clock=paused, live=False, t_ms=None))
    assert [(timer.text, timer.note) for timer in one.timers] == [("20", "paused")]


def test_a_match_is_told_without_rules() -> None:
    line = scene("game_of_tomorrow", "A", "B", phase="a_phase_of_tomorrow", score=(1, 2))
    assert [p.score for p in shown(TableNow("c", "1", line=line)).players] == ["1", "2"]


@pytest.mark.parametrize(
    ("ms", "text", "next_ms"),
    [
        (0, "0\u00a0s", 1000),
        (59_999, "59\u00a0s", 1),
        (60_000, "1\u00a0min", 60_000),
        (7_200_000, "2\u00a0h", 3_600_000),
        (200_000_000, "2\u00a0days", 59_200_000),
    ],
)
def test_an_age_in_words(ms: int, text: str, next_ms: int) -> None:
    assert age(load_language("en"), ms) == (text, next_ms)


def played() -> Iterator[Scoreline]:
    """Every position of real matches and of the sheets of every game."""
    for file in sorted(SHEETS.glob("*.sheet")):
        for sheet in read_sheets(file.read_text("utf-8"), notation_of, str(file)):
            if sheet.setup.rulebook not in RULEBOOKS:
                continue
            try:
                ledger = replayed(sheet, rulebook_of).ledger
            except BadSetup:
                continue  # a format that no engine plays yet
            yield scoreline(ledger, (("Ana",), ("Bia",)), sheet.id)


def test_every_game_is_told_in_words_of_the_catalogue() -> None:
    """Of no sheet of any game a page shows a code, a hole or nothing at all."""
    language = load_language("pt")
    codes: set[str] = set()
    families: set[str] = set()
    for line in played():
        one = shown(TableNow("c", "1", line=line, live=True, t_ms=0, clock=line.clock), "pt")
        families.add(line.family)
        assert all(player.score for player in one.players), line
        assert "{" not in one.aloud
        if line.option is not None and f"choice.{line.option.kind}" not in language:
            codes.add(f"choice.{line.option.kind}")
        causes = [line.ending.cause] if line.ending is not None else []
        causes += [line.result.reason] if line.result is not None else []
        for cause in causes:
            if f"cause.{cause}" not in language and cause != "unsporting":  # a referee's own word
                codes.add(f"cause.{cause}")
        for value in (line.figures.ball_on, *(line.figures.groups or ())):
            if value is not None and not value.isdecimal() and f"ball.{value}" not in language:
                codes.add(f"ball.{value}")
    assert families == {"carom", "snooker", "pool"}
    assert codes == set()


def test_a_minus_is_a_minus_and_what_was_entered_is_in_words() -> None:
    line = replace(SCENES["7"], last=(Said("FOUL(no_rail)", Side.B), Said("/", Side.A)))
    one = shown(TableNow("clube", "7", line=line, live=True, t_ms=0), "pt")
    assert [player.score for player in one.players] == ["112", "−3"]
    assert one.entries == ("falta: sem tabela", "fim da tacada")
