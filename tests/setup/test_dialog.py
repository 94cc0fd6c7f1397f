"""Setting up a match with four keys: what each press leads to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.setup.dialog import PLAYABLE, Leave, Preset, Role, SetupDialog
from firmware.setup.words import FOLDER, load_setup_words
from firmware.snapshot import Number, Question
from rules.match import new_match
from rules.record import Setup
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side

WORDS = load_setup_words("en")
KEYS = {"-": Role.LESS, "+": Role.MORE, "o": Role.OK, "b": Role.BACK}
CLUB = ["Ana", "Bia", "Caio"]
LAST = Preset("ug", ("Ana",), ("Bia",), (("target", "30/30"),), Side.A)


def played(keys: str, recent: list[Preset] | None = None) -> Preset | Leave | SetupDialog:
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
    for keys in ("o" * 8, "+" + "o" * 9):  # a UMB group says what a late stroke costs too
        preset = played(keys, [LAST] if keys.startswith("+") else None)
        assert isinstance(preset, Preset)
        assert preset.first is Side.A
        assert len(keys) + 1 <= 12


def test_another_match_begins_with_the_game_played_last() -> None:
    snooker = Preset("fpb", ("Ana",), ("Bia",), (("target", "4"),))
    question = asks("+o", [snooker])
    assert isinstance(question, Question)
    assert question.choices[question.chosen or 0] == WORDS.snooker
    rules = asks("+oo", [snooker])
    assert isinstance(rules, Question)
    assert rules.choices[rules.chosen or 0][0] == "snooker FPB"


def test_goals_of_both_sides_b_begins_as_a_was_answered() -> None:
    dialog = played("ooo++++o")
    assert isinstance(dialog, SetupDialog)
    number = dialog.ask
    assert isinstance(number, Number)
    usual = RULEBOOKS[PLAYABLE[0]].terms.target[0]  # type: ignore[attr-defined]
    assert (number.title, number.digits) == (WORDS.points_b, str(usual + 4))


def chosen(rulebook: str) -> SetupDialog:
    """The dialog once a game and its rules are chosen."""
    dialog = played("+oo", [Preset(rulebook, ("Ana",), ("Bia",))])
    assert isinstance(dialog, SetupDialog)
    assert dialog.press(Role.OK) is None
    return dialog


def outcome_of(dialog: SetupDialog, keys: str) -> Preset | Leave | None:
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


def test_every_rulebook_can_be_chosen() -> None:
    assert set(PLAYABLE) == set(RULEBOOKS)


def test_after_four_equal_presses_a_number_goes_in_fives() -> None:
    one, many = asks("ooo+"), asks("ooo++++++")
    assert isinstance(one, Number)
    assert isinstance(many, Number)
    assert int(many.digits) - int(one.digits) == 3 + 2 * 5


def test_back_goes_to_the_question_before_and_takes_another_answer() -> None:
    preset = played("ooo" + "o" + "b" + "+o" + "o" + "ooo")
    assert isinstance(preset, Preset)
    usual = RULEBOOKS[PLAYABLE[0]].terms.target[0]  # type: ignore[attr-defined]
    assert preset.format == (("target", f"{usual + 1}/{usual + 1}"),)


def test_back_from_the_first_question_leaves() -> None:
    assert played("b") == Leave()
    assert played("+o") == Leave()


def test_players_come_from_the_club_and_not_twice() -> None:
    preset = played("ooo" + "oo" + "++o" + "+o" + "+o")
    assert isinstance(preset, Preset)
    assert (preset.a, preset.b) == (("Bia",), ("Ana",))
    assert preset.first is Side.B


def test_points_given_at_the_start() -> None:
    dialog = SetupDialog(WORDS, [Preset("cbbs", ("Ana",), ("Bia",))], CLUB)
    keys = "+o" + "oo" + "o" + "oo" + "-o" + "o" + "+++o" + "o"
    outcome = None
    for key in keys:
        outcome = dialog.press(KEYS[key])
    assert isinstance(outcome, Preset)
    assert outcome.at == (("score", "0/3"),)


@given(st.text(alphabet="-+ob", min_size=1, max_size=60), st.booleans())
def test_whatever_is_pressed_a_match_that_comes_of_it_can_begin(keys: str, again: bool) -> None:
    dialog = SetupDialog(WORDS, [LAST] if again else [], CLUB)
    for key in keys:
        outcome = dialog.press(KEYS[key])
        assert dialog.ask.title
        if isinstance(outcome, Leave):
            return
        if outcome is not None:
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
