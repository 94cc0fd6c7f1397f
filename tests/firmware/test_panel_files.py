"""Panel files with mistakes: all are named at once, each with table and key."""

from pathlib import Path

import pytest

from firmware.errors import ConfigError
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap, load_panel
from rules.carom.words import NOTATION as CAROM
from tests.firmware.typist import PANEL, Player, match_of, written


def problems(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        written(tmp_path, text, CAROM)
    assert all(problem.startswith("panel.toml: ") for problem in caught.value.problems)
    return [problem.removeprefix("panel.toml: ") for problem in caught.value.problems]


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    text = (
        PANEL.replace("schema = 1", "schema = 2")
        .replace('label = "ONE"', 'label = "ONE POINT"')
        .replace('one = "+1"', 'one = "R2"')
        .replace('end = ["=0", "/"]', 'ende = "/"')
        .replace('"end.hold" = "ask number"', '"end.hold" = "ask nummer"')
        .replace("[layers.choice]", "[layers.choise]")
        .replace('keys = { one = "side: A | B", ok = "done" }', 'keys = { one = "side: A | C" }')
        .replace('end = "done" }', 'end = "done", undo = "add 1", two = "page x" }')
        .replace('two = "add 20", ', "")
    )
    assert problems(tmp_path, text) == [
        "layers.play.one: R2: carom has no such entry",
        "schema = 2: this firmware reads schema 1",
        "keys.one.label = 'ONE POINT': must have 1 to 8 signs to fit the board",
        "layers.play.ende: there is no key ende, did you mean end?",
        "layers.play.end.hold: there is no dialog nummer, did you mean number?",
        "layers.choise: no match waits for that, did you mean choice?",
        'layers.play: one is missing; write one = "none" if it means nothing',
        'layers.play: end is missing; write end = "none" if it means nothing',
        "layers.choice: no key enters a choice, so nothing could go on there",
        'dialogs.side.keys: no key is "done", so that nothing could be entered',
        "dialogs.side.entry: CONCEDE(C,match): a side is needed, as in CONCEDE(A)",
        "dialogs.number.keys.undo: UNDO clears what is typed and can be nothing else here",
        "dialogs.number.keys.two: there is no page x",
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"+1"', '"ask"', "layers.play.one: 'ask' is no word of a panel here"),
        ('"+1"', '"+1 +1"', "layers.play.one: one entry at a time"),
        ('"+1"', '"done"', "layers.play.one: 'done' is no word of a panel here"),
        ('"+1"', '"ask side two"', "layers.play.one: two writes nothing in the dialog side"),
        ('"+1"', '"ask side tow"', "layers.play.one: there is no key tow, did you mean two?"),
        ('"add 20"', '"side:"', "dialogs.number.keys.two: 'side:' puts nothing"),
        ('"add 20"', '"x: 1"', "dialogs.number.keys: the entry has no slot {x}"),
        ('"={n}"', '"={m}"', "dialogs.number.entry: no key fills {m}"),
        ('"={n}"', '"+R{n}"', "dialogs.number.entry: +R1"),
        ('label = "RUN"', 'label = "THE WHOLE RUN"', "dialogs.number.label = 'THE WHOLE RUN'"),
        ("most = 50", 'digits = ["one"]', "dialogs.number.digits: must name ten keys"),
        ('two = "add 20"', '"two.add" = "add 20"', "dialogs.number.two.add: .add works in layers"),
        ('two = "FOUL"', 'two = "FOUL"\n"one.hold" = "FOUL"', "keys.one: has both .hold and .add"),
        ('undo = "UNDO"', 'undo = "OK"', "layers.play: no key enters UNDO"),
        ('"SHOOT(A)"\n', '"+1"\n', None),
        ("[layers.shootout]", "[layers.held]", "layers.shootout: no key enters SHOOT"),
        ('one = "FROZEN", two = "ask side", end = "ask number"', "", "dialogs.menu: has no entry"),
        ('"add 1"', '["add 1", "add 2"]', "dialogs.number.keys.one: only acts and dialogs"),
    ],
)
def test_one_mistake(tmp_path: Path, old: str, new: str, says: str | None) -> None:
    assert old in PANEL
    text = PANEL.replace(old, new, 1)
    if says is None:
        written(tmp_path, text, CAROM)
    else:
        assert any(problem.startswith(says) for problem in problems(tmp_path, text))


def test_mistakes_of_form_have_their_place(tmp_path: Path) -> None:
    text = PANEL.replace("most = 50", 'most = "many"\nother = "ignore"').replace(
        "timeout_s = 3", "timeout = 3"
    )
    with pytest.raises(ConfigError) as caught:
        written(tmp_path, text, CAROM)
    found = [problem.partition("panel.toml: ")[2] for problem in caught.value.problems]
    assert found == [
        "dialogs.number.most = 'many': must be a whole number, got text",
        "dialogs.number.other = 'ignore': Invalid enum value 'ignore'",
        "dialogs.number.timeout: unknown, did you mean timeout_s?",
    ]


def test_a_panel_of_another_game_is_no_panel_of_this_one() -> None:
    layout = load_panel(PANELS / "snooker-16.toml")
    with pytest.raises(ConfigError) as caught:
        Keymap(layout, CAROM, "snooker-16")
    assert "snooker-16: layers.play.yellow: Y: carom has no such entry" in caught.value.problems


def test_the_panel_in_the_manual_is_one(tmp_path: Path) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "panels.md").read_text("utf-8")
    blocks = [block.partition("```")[0] for block in manual.split("```toml\n")[1:]]
    (whole,) = (block for block in blocks if block.startswith("schema"))
    player = Player(written(tmp_path, whole, CAROM), match_of("ug", "target=10/10"))
    player.press("one end end! one one one end")
    assert player.records == ["+1", "/", "=3"]
