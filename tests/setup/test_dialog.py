"""Setting up a match with four keys: what each press leads to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.club.player import is_anonymous
from firmware.club.shares import Shares
from firmware.setup.dialog import Handicaps, SetupDialog, Wish
from firmware.setup.formats import PLAYABLE, counts_frames
from firmware.setup.preset import Leave, Preset
from firmware.setup.questions import Role
from firmware.setup.words import FOLDER, load_setup_words
from firmware.snapshot import Number, Question
from rules.entries import EndVisit
from rules.match import new_match
from rules.position import split_fields
from rules.record import Setup
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side

WORDS = load_setup_words("en")
KEYS = {"-": Role.LESS, "+": Role.MORE, "o": Role.OK, "b": Role.BACK}
CLUB = ["Ana", "Bia", "Caio"]
LAST = Preset("ug", ("Ana",), ("Bia",), (("target", "30/30"),), Side.A)


def played(keys: str, recent: list[Preset] | None = None) -> Wish | SetupDialog:
    """What some presses lead to: the dialog itself while it still asks."""
    dialog = SetupDialog(WORDS, recent or [], CLUB)
    for place, key in enumerate(keys, 1):
        if (outcome := dialog.press(KEYS[key])) is not None:
            assert place == len(keys)
            return outcome
    return dialog


def asks(keys: str, recent: list[Preset] | None = None) -> Question | Number:
    dialog = played(keys, recent)
    assert isinstance(dialog, SetupDialog)
    return dialog.ask


def test_the_last_match_again_is_one_ok() -> None:
    """With the key that asks for the next match, two presses."""
    assert played("o", [LAST]) == LAST


def test_a_usual_match_takes_no_more_than_twelve_presses() -> None:
    """OK each time: the usual game, rules, goal, players, and A begins."""
    for keys in ("o" * 9, "+" + "o" * 9):  # a UMB group says what a late stroke costs too
        preset = played(keys, [LAST] if keys.startswith("+") else None)
        assert isinstance(preset, Preset)
        assert preset.first is Side.A
        assert len(keys) + 1 <= 12


MOST = {"p5": 13, "p9": 15}
"""Where no text says what pins and fouls are worth, and the event must."""

WAYS = {
    "race": {},
    "all played": {"played": "5"},
    "alone": {"alone": "on"},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rulebook", PLAYABLE)
def test_a_match_of_a_kind_played_here_takes_no_more_than_twelve_presses(
    rulebook: str, way: str
) -> None:
    """Though another kind was played since; from NEW on, who plays stands ready."""
    given = WAYS[way] | dict.fromkeys(RULEBOOKS[rulebook].unverified, "2")
    told = given | ({"target": "20/20"} if "target" in given else {})
    kind = Preset(rulebook, ("Ana",), ("Bia",), tuple(told.items()))
    since = Preset("ug" if rulebook == "wpa8" else "wpa8", ("Ana",), ("Bia",))
    if way == "all played" and not counts_frames(rulebook):
        return
    keys = "+o" + "+o"
    dialog, presses = played(keys, [since, kind]), 1 + len(keys)
    assert isinstance(dialog, SetupDialog)
    outcome = None
    while outcome is None:
        outcome = dialog.press(Role.OK)
        presses += 1
    assert isinstance(outcome, Preset)
    assert outcome.rulebook == rulebook
    assert all(pair in outcome.format for pair in WAYS[way].items())
    assert presses <= MOST.get(rulebook, 12)


def test_how_it_was_played_the_last_time_stands_ready() -> None:
    """Another pair's match: the same goal, innings and shot clock as the club has played."""
    club = (("target", "25/20"), ("limit", "40"), ("clock", "50"), ("clock_opts", "on"))
    preset = played("+oo" + "o" * 7, [Preset("ug", ("Ana",), ("Bia",), club)])
    assert isinstance(preset, Preset)
    assert dict(preset.format) == dict(club) | {"target": "25/25"}
    alone = played("+oo" + "-oo", [Preset("ug", ("Ana",), ("Bia",), club[:3])])
    assert isinstance(alone, SetupDialog)
    assert isinstance(alone.ask, Question)
    assert alone.ask.title == WORDS.player_a, "practice has no end, not by innings either"
    practice = alone.press(Role.OK)
    assert isinstance(practice, Preset)
    assert "limit" not in dict(practice.format)


def test_another_match_begins_with_the_game_played_last() -> None:
    snooker = Preset("fpb", ("Ana",), ("Bia",), (("target", "4"),))
    question = asks("+o", [snooker, Preset("ug", ("Ana",), ("Bia",))])
    assert isinstance(question, Question)
    games = [forms[0] for forms in question.choices]
    assert games == ["snooker FPB", WORDS.named("ug")[0], "carom", "snooker", "pool"]
    rules = asks("+o" + "--o", [snooker])
    assert isinstance(rules, Question)
    assert rules.choices[0] == WORDS.named("cbbs"), "all of its family, known here or not"


def test_goals_of_both_sides_b_begins_as_a_was_answered() -> None:
    dialog = played("oooo++++o")
    assert isinstance(dialog, SetupDialog)
    number = dialog.ask
    assert isinstance(number, Number)
    usual = RULEBOOKS[PLAYABLE[0]].terms.target[0]  # type: ignore[attr-defined]
    assert (number.title, number.digits) == (WORDS.points_b, str(usual + 4))


def chosen(rulebook: str) -> SetupDialog:
    """The dialog once a game and its rules are chosen, and that it is a race."""
    dialog = asked_how(rulebook)
    assert dialog.press(Role.OK) is None
    return dialog


def asked_how(rulebook: str, handicaps: Handicaps | None = None) -> SetupDialog:
    """The dialog once a game and its rules are chosen."""
    dialog = SetupDialog(WORDS, [Preset(rulebook, ("Ana",), ("Bia",))], CLUB, handicaps)
    assert outcome_of(dialog, "+oo") is None
    return dialog


def outcome_of(dialog: SetupDialog, keys: str) -> Wish | None:
    outcome = None
    for key in keys:
        assert outcome is None
        outcome = dialog.press(KEYS[key])
    return outcome


@pytest.mark.parametrize(("keys", "clock_opts"), [("oo" + "o" + "ooo", "off"), ("oo+oooo", "on")])
def test_what_no_text_says_of_a_late_stroke_is_asked(keys: str, clock_opts: str) -> None:
    preset = outcome_of(chosen("uk"), keys)
    assert isinstance(preset, Preset)
    assert preset.format == (("target", "50/50"), ("clock_opts", clock_opts))
    assert RULEBOOKS["uk"].unsaid(preset.format) == {}


def test_a_handicap_in_carom_is_a_goal_for_each() -> None:
    preset = outcome_of(chosen("nl"), "-----" + "o" + "--o" + "ooo")
    assert isinstance(preset, Preset)
    assert preset.format == (("target", "41/39"),)  # in fives from the fifth press on


def test_nine_pins_asks_what_the_event_must_say() -> None:
    dialog = chosen("p9")
    titles = []
    for _ in range(5):
        titles.append(dialog.ask.title)
        assert dialog.press(Role.OK) is None
    assert titles == [
        WORDS.points_a,
        WORDS.points_b,
        WORDS.foul_points,
        WORDS.red_by_own,
        WORDS.red_by_other,
    ]
    preset = outcome_of(dialog, "ooo")
    assert isinstance(preset, Preset)
    assert dict(preset.format) == {
        "target": "300/300",
        "foul_pts": "2",
        "ball_own": "6",
        "ball_other": "6",
    }


@pytest.mark.parametrize(
    ("rulebook", "keys", "format_"),
    [
        ("fpb9", "o" + "oo" + "ooo", (("race", "9/9"), ("detail", "1"))),
        ("fpb9", "+o" + "--o" + "ooo", (("race", "7/7"), ("detail", "1"))),
        ("fpb9", "++o" + "o" + "ooo", (("played", "17"), ("detail", "1"))),
        ("cbbs", "+o" + "+o" + "ooo", (("target", "4"),)),
        ("cbbs", "++o" + "-o" + "ooo", (("played", "4"),)),
    ],
)
def test_a_race_the_best_of_or_all_played(
    rulebook: str, keys: str, format_: tuple[tuple[str, str], ...]
) -> None:
    preset = outcome_of(asked_how(rulebook), keys)
    assert isinstance(preset, Preset)
    assert preset.format == format_


def test_in_racks_every_ball_is_entered_where_that_is_wished() -> None:
    """The last choice where it is asked who begins; picked again it is taken back."""
    dialog = asked_how("wpa10")
    assert outcome_of(dialog, "ooo" + "oo" + "-o") is None
    again = outcome_of(dialog, "o")
    assert isinstance(again, Preset)
    assert dict(again.format) == {"race": "9/9", "detail": "2"}
    dialog = asked_how("wpa10")
    assert outcome_of(dialog, "ooo" + "oo" + "-o" + "-o") is None
    assert outcome_of(dialog, "o") == Preset(
        again.rulebook, again.a, again.b, (("race", "9/9"), ("detail", "1")), again.first
    )


@pytest.mark.parametrize(
    ("rulebook", "keys", "format_"),
    [
        ("3c", "-o" + "o", (("alone", "on"), ("target", "none/none"))),
        ("fpb141", "-o" + "o", (("alone", "on"), ("target", "999/999"))),
        ("wpbsa", "-o" + "o", (("alone", "on"),)),
        ("wpa8", "-o" + "o", (("alone", "on"), ("detail", "1"))),
    ],
)
def test_practice_asks_for_one_player_and_nothing_more(
    rulebook: str, keys: str, format_: tuple[tuple[str, str], ...]
) -> None:
    preset = outcome_of(asked_how(rulebook), keys)
    assert preset == Preset(rulebook, ("Ana",), (), format_)
    setup = Setup(rulebook, ((1,), ()), preset.format)
    assert new_match(setup, RULEBOOKS[rulebook]).contest.alone


def test_the_handicaps_of_the_club_are_offered_and_can_be_left() -> None:
    def handicaps(rulebook: str, a: str, b: str) -> Shares:
        assert (rulebook, a, b) == ("3c", "Ana", "Bia")
        return Shares((("target", "40/25"),))

    taken = outcome_of(asked_how("3c", handicaps), "ooo" + "oo" + "o" + "o")
    left = outcome_of(asked_how("3c", handicaps), "ooo" + "oo" + "+o" + "o")
    assert isinstance(taken, Preset)
    assert isinstance(left, Preset)
    assert dict(taken.format)["target"] == "40/25"
    assert dict(left.format)["target"] == "50/50"


@pytest.mark.parametrize(
    ("rulebook", "keys", "at"),
    [
        ("3c", "ooo" + "oo", "score=3/1 innings=2/2"),
        ("wpbsa", "oo" + "oo", "frames=2/1 score=2/2"),
        ("fpb9", "ooo" + "oo", "racks=3/1"),
        ("fpb141", "ooo" + "oo", "score=3/1"),
    ],
)
def test_a_match_is_taken_up_at_its_score(rulebook: str, keys: str, at: str) -> None:
    """After an outage: the last choice but one where it is asked who begins."""
    dialog = asked_how(rulebook)
    assert outcome_of(dialog, keys) is None
    numbers = (
        "+" * int(at.partition("=")[2][0])
        + "o"
        + "+o"
        + ("++o" + "++o" * (rulebook != "3c") + "o" * (rulebook == "3c")) * (" " in at)
    )
    preset = outcome_of(dialog, "+++o" + numbers + "o")
    assert isinstance(preset, Preset)
    assert preset.at == split_fields(at)


def test_a_score_that_cannot_be_is_asked_for_again() -> None:
    dialog = asked_how("fpb9")
    assert outcome_of(dialog, "++o" + "o" * 3 + "+++o") is None  # 17 are played, all of them
    assert outcome_of(dialog, "+" * 9 + "o" + "+" * 9 + "o") is None
    assert dialog.ask.title == WORDS.won_a, "more than 17 have been won by then"
    preset = outcome_of(dialog, "+o" + "o" + "o")
    assert isinstance(preset, Preset)
    assert preset.at == (("racks", "1/0"),)


def test_no_more_is_asked_for_than_there_can_be() -> None:
    """A race to ten stands at nine at most: below 0 comes 9."""
    dialog = asked_how("fpb9")
    assert outcome_of(dialog, "o+oo" + "oo" + "+++o") is None
    assert outcome_of(dialog, "-") is None
    assert isinstance(dialog.ask, Number)
    assert (dialog.ask.digits, dialog.ask.most) == ("9", 9)


@pytest.mark.parametrize("rulebook", ["3c", "cbbs", "wpa9", "fpb141"])
def test_clocks_are_set_where_it_is_asked_who_begins(rulebook: str) -> None:
    """45 s a shot, an hour of match, and 30 s from a quarter of an hour before its end."""
    dialog = asked_how(rulebook)
    while dialog.ask.title != WORDS.first:
        dialog.press(Role.OK)
    assert outcome_of(dialog, "++++o") is None
    assert answered(dialog, 45, 60, 15, 30) is None
    preset = outcome_of(dialog, "o")
    assert isinstance(preset, Preset)
    told = dict(preset.format)
    clocks = {name: told[name] for name in ("clock", "minutes", "late_from", "late_clock")}
    assert clocks == {"clock": "45", "minutes": "60", "late_from": "15", "late_clock": "30"}
    new_match(Setup(rulebook, ((1,), (2,)), preset.format, Side.A), RULEBOOKS[rulebook])


def test_snooker_pairs_are_named_in_the_order_in_which_they_play() -> None:
    """WPBSA section 3.17: partners take turns in the order that was set, A1 B1 A2 B2."""
    dialog = asked_how("wpbsa")
    dialog._players = [*CLUB, "Davi"]
    assert outcome_of(dialog, "oo" + "oo" + "+++++o") is None
    assert dialog.ask.title == WORDS.partner_a
    assert outcome_of(dialog, "+o") is None
    assert dialog.ask.title == WORDS.partner_b
    assert isinstance(dialog.ask, Question)
    assert dialog.ask.choices == (("B2", "B2"), ("Davi", "Davi")), "nobody plays twice"
    assert outcome_of(dialog, "+o") is None
    assert isinstance(dialog.ask, Question)
    assert [forms[0] for forms in dialog.ask.choices[:2]] == ["Ana + Caio", "Bia + Davi"]
    preset = outcome_of(dialog, "o")
    assert isinstance(preset, Preset)
    assert (preset.a, preset.b) == (("Ana", "Caio"), ("Bia", "Davi"))
    setup = Setup("wpbsa", ((1, 3), (2, 4)), preset.format, preset.first)
    frame = new_match(setup, RULEBOOKS["wpbsa"])
    up = []
    for _ in range(5):
        assert frame.visit is not None
        up.append((frame.visit.side.value, frame.visit.member))
        frame = frame.after(EndVisit())
    assert up == [("A", 1), ("B", 1), ("A", 2), ("B", 2), ("A", 1)]


def test_pairs_without_names_and_games_without_pairs() -> None:
    dialog = asked_how("cbbs")
    assert outcome_of(dialog, "oo" + "oo" + "+++++o" + "o" + "o") is None
    preset = outcome_of(dialog, "o")
    assert isinstance(preset, Preset)
    assert (preset.a, preset.b) == (("Ana", "A2"), ("Bia", "B2"))
    assert all(map(is_anonymous, ("A2", "B2", "A", "")))
    for rulebook in ("fpb", "ug", "wpa9"):
        asking = asked_how(rulebook)
        while asking.ask.title != WORDS.first:
            asking.press(Role.OK)
        assert isinstance(asking.ask, Question)
        assert WORDS.pairs not in asking.ask.choices


def test_a_match_without_its_time_has_no_late_clock_and_is_asked_for_none() -> None:
    dialog = asked_how("cbbs")
    assert outcome_of(dialog, "oo" + "oo" + "++++o") is None
    assert answered(dialog, 30, 0) is None
    assert dialog.ask.title == WORDS.first
    preset = outcome_of(dialog, "o")
    assert isinstance(preset, Preset)
    assert preset.format == (("target", "3"), ("clock", "30"))


def answered(dialog: SetupDialog, *numbers: int) -> Wish | None:
    """Answer questions for numbers."""
    outcome = None
    for wanted in numbers:
        while (now := int(dialog.ask.digits)) != wanted:  # type: ignore[union-attr]
            dialog.press(Role.MORE if now < wanted else Role.LESS)
        outcome = dialog.press(Role.OK)
    return outcome


def test_every_rulebook_can_be_chosen() -> None:
    assert set(PLAYABLE) == set(RULEBOOKS)


def test_after_four_equal_presses_a_number_goes_in_fives() -> None:
    one, many = asks("oooo+"), asks("oooo++++++")
    assert isinstance(one, Number)
    assert isinstance(many, Number)
    assert int(many.digits) - int(one.digits) == 3 + 2 * 5


def test_back_goes_to_the_question_before_and_takes_another_answer() -> None:
    preset = played("oooo" + "o" + "b" + "+o" + "o" + "ooo")
    assert isinstance(preset, Preset)
    usual = RULEBOOKS[PLAYABLE[0]].terms.target[0]  # type: ignore[attr-defined]
    assert preset.format == (("target", f"{usual + 1}/{usual + 1}"),)


def test_back_from_the_first_question_leaves() -> None:
    assert played("b") == Leave()
    assert played("+o") == Leave()


def test_players_come_from_the_club_and_not_twice() -> None:
    preset = played("oooo" + "oo" + "++o" + "+o" + "+o")
    assert isinstance(preset, Preset)
    assert (preset.a, preset.b) == (("Bia",), ("Ana",))
    assert preset.first is Side.B


def test_points_given_at_the_start() -> None:
    dialog = SetupDialog(WORDS, [Preset("cbbs", ("Ana",), ("Bia",))], CLUB)
    keys = "+o" + "oo" + "oo" + "oo" + "-o" + "o" + "+++o" + "o"
    outcome = None
    for key in keys:
        outcome = dialog.press(KEYS[key])
    assert isinstance(outcome, Preset)
    assert outcome.at == (("handicap", "0/3"),)


@given(st.text(alphabet="-+ob", min_size=1, max_size=60), st.booleans())
def test_whatever_is_pressed_a_match_that_comes_of_it_can_begin(keys: str, again: bool) -> None:
    dialog = SetupDialog(WORDS, [LAST] if again else [], CLUB)
    for key in keys:
        outcome = dialog.press(KEYS[key])
        assert dialog.ask.title
        if isinstance(outcome, Leave):
            return
        if outcome is not None:
            assert isinstance(outcome, Preset)
            setup = Setup(outcome.rulebook, ((1,), (2,)), outcome.format, outcome.first, outcome.at)
            new_match(setup, RULEBOOKS[outcome.rulebook])
            return


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.toml")), ids=lambda file: file.stem)
def test_every_language_names_every_rulebook(file: object) -> None:
    words = load_setup_words(file.stem)  # type: ignore[attr-defined]
    named = [words.named(book) for book in RULEBOOKS]
    assert all(forms and forms[0] for forms in named)
    assert len({forms[0] for forms in named}) == len(named)


def test_every_rulebook_that_needs_nothing_more_can_be_chosen() -> None:
    assert {"3c", "ug", "cbbs", "fpb", "wpbsa", "fpb9", "wpa8", "wpa141", "bb"} <= set(PLAYABLE)
