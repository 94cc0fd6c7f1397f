"""A layout that does not hold together is told so, whole, before it is used."""

import shutil
from pathlib import Path

import pytest

from firmware.board.layout import LAYOUTS, layout_names, load_layout, misfits
from firmware.board.screens import BOOT, SCREENS
from firmware.errors import ConfigError, LayoutError


def changed(tmp_path: Path, *changes: tuple[str, str], of: str = "64x16") -> Path:
    """A copy of a shipped layout, with texts of its files changed wherever they stand."""
    folder = tmp_path / "board"
    shutil.copytree(LAYOUTS / of, folder, dirs_exist_ok=True)
    for old, new in changes:
        files = [file for file in folder.glob("*.toml") if old in file.read_text("utf-8")]
        assert files, old
        for file in files:
            file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    load_layout.cache_clear()
    return folder


def problems_of(tmp_path: Path, *changes: tuple[str, str]) -> str:
    path = changed(tmp_path, *changes)
    with pytest.raises(LayoutError) as caught:
        load_layout(str(path))
    assert all(problem.startswith(str(path)) for problem in caught.value.problems)
    return str(caught.value)


@pytest.mark.parametrize("name", layout_names())
def test_every_shipped_layout_has_every_screen(name: str) -> None:
    layout = load_layout(name)
    assert set(layout.screens) == {screen.name for screen in (*SCREENS, BOOT)}
    assert misfits(name) == []


def test_an_unknown_layout_is_answered_with_those_there_are() -> None:
    with pytest.raises(ConfigError, match="there are 32x8, 64x16, 64x8, did you mean 64x16"):
        load_layout("64x61")


def test_all_problems_come_at_once_with_table_and_key(tmp_path: Path) -> None:
    told = problems_of(
        tmp_path,
        ('score_b = { field = "score_b", x = 47', 'score_b = { field = "score_b", x = 48'),
        ('field = "told_title"', 'field = "told_titel"'),
        ('player = { field = "player", x = 18', 'player = { field = "player", x = 16'),
        ('fonts = ["icons"]', 'fonts = ["icon"]'),
    )
    assert "screens.play.score_b.x = 48: with w = 17 reaches over the board's 64 pixels" in told
    assert "screens.note.title.field = 'told_titel': unknown, did you mean told_title?" in told
    assert "screens.note: no box shows told_title" in told
    assert "screens.play.player: overlaps score_a" in told
    assert "screens.refused.sign.fonts: icon is unknown, did you mean icons?" in told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[screens.held]", "[screens.hold]", "screens.held: no box shows held_cause"),
        ("[screens.held]", "[screens.hold]", "screens.hold: unknown, did you mean held?"),
        ("[screens.message_idle]", "[screens.mess]", "screens.message_idle: is missing"),
        ("heard = [17, 0]", "heard = [20, 2]", "covers the pixel heard = [20, 2]"),
        ("width = 64", "width = 0", "width"),
        ('pattern = "dots"', 'fonts = ["small"]', "fault is lit or not"),
        ('fonts = ["mid", "small"]', 'pattern = "solid"', "score_a is a text"),
        ("x = 18, y = 1, w = 28, h = 6", "x = 18, y = 1, w = 28, h = 5", "needs 6 pixels"),
        ('fonts = ["tall", "slim", "small"]', 'fonts = ["tall"]', "needs 26 pixels"),
        ("w = 49, h = 7", "w = 30, h = 7", "or scroll = true"),
        ("schema = 1", "schema = 2", "schema"),
        ("align = ", "algin = ", "did you mean align?"),
        ('held = ["low_scores"', 'held = ["lowscores"', "did you mean low_scores?"),
        ('stale = ["low_scores"]', 'stale = ["saving"]', "screens.stale: no box shows score_a"),
        ('"no_alert", "time"]', '"no_alarm", "time"]', "'no_alarm' is no condition"),
        ('when = ["no_shot"]', 'when = ["shot"]', "shot_clock: overlaps innings"),
        ('field = "clock", x = 51', 'field = "undo", x = 51', "no clock stands on it"),
        ("[groups.clock]", "[groups.hours]", "groups.hours: no screen uses it"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert told in problems_of(tmp_path, (old, new))


def test_a_field_may_be_left_out_where_the_layout_says_so(tmp_path: Path) -> None:
    innings = ('field = "innings"', 'field = "run"')
    assert "no box shows innings" in problems_of(tmp_path, innings)
    path = changed(tmp_path, ("schema = 1", 'schema = 1\nwithout = ["innings"]'))
    assert load_layout(str(path)).without == ("innings",)


def test_a_layout_may_be_a_single_file(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text("schema = 1\nwidth = 8\nheight = 8\nheard = [0, 0]\n")
    with pytest.raises(LayoutError, match=r"screens\.play: is missing"):
        load_layout(str(tmp_path / "one.toml"))


def test_a_field_that_is_left_out_must_exist(tmp_path: Path) -> None:
    told = problems_of(tmp_path, ("schema = 1", 'schema = 1\nwithout = ["inings"]'))
    assert "without = 'inings': unknown, did you mean innings?" in told


def test_boxes_share_pixels_only_where_they_take_turns(tmp_path: Path) -> None:
    number = 'field = "innings_brief", x = 12, y = 3, w = 8, h = 5, fonts = ["xsmall"]'
    path = changed(tmp_path, (f"{number}, page = 2", number), of="32x8")
    with pytest.raises(LayoutError, match=r"screens\.play\.run: overlaps innings"):
        load_layout(str(path))
