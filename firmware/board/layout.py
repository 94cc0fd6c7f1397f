"""Boxes of the screens as data, one file for each size of board, checked before use."""

import itertools
import os
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from drivers.phrases import Phrase, within
from firmware.board.fields import CONDITIONS, SHAPES, TEXTS
from firmware.board.fonts import Font, font_names, load_font
from firmware.board.screens import BOOT, SCREENS, Screen
from firmware.errors import ConfigError, LayoutError
from firmware.i18n import Language, language_codes, load_language
from firmware.toml_reader import did_you_mean, read_toml

LAYOUTS = Path(__file__).parents[1] / "layouts"
"""The layouts that come with the firmware."""

Pixels: TypeAlias = Annotated[int, Meta(ge=0)]
Size: TypeAlias = Annotated[int, Meta(ge=1)]


class Box(Struct, frozen=True, forbid_unknown_fields=True):
    """A rectangle of a screen and the field it shows; all numbers in pixels from the top left.

    Of `fonts` the first in which a text fits is taken; one that fits in none moves in the last.
    `scroll` says that this may happen; without it all usual texts are measured. `when` are
    conditions of `firmware.board.fields.CONDITIONS` that must all hold. `frame` draws a
    line along the top of the box, or both sides as brackets, with a pixel between it and the
    text. `pattern` is how a field is lit that has no text.

    Boxes with a `page` from 1 on take turns with those of the other pages of their screen; the
    first page stands longest. With `one_by_one` a box shows one page of its text each time that
    it has its turn, the next one the next time. A text that moves stands for `stand_ms` and then
    goes one pixel to the left in each `step_ms`.
    """

    field: str
    x: Pixels
    y: Pixels
    w: Size
    h: Size
    fonts: tuple[str, ...] = ()
    align: Literal["left", "center", "right"] = "center"
    scroll: bool = False
    frame: Literal["", "top", "sides"] = ""
    pattern: Literal["", "solid", "dashes", "dots"] = ""
    page: Pixels = 0
    when: tuple[str, ...] = ()
    one_by_one: bool = False
    stand_ms: Size = 1000
    step_ms: Size = 45

    @property
    def room(self) -> int:
        """The width for text."""
        return self.w - 4 if self.frame == "sides" else self.w

    @property
    def above(self) -> int:
        """The rows that the frame takes from the text."""
        return 2 if self.frame == "top" else 0

    def covers(self, x: int, y: int) -> bool:
        """Whether a pixel lies in the box."""
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def meets(self, other: "Box") -> bool:
        """Whether two boxes share a pixel at the same time."""
        return (
            (self.page == other.page or not self.page or not other.page)
            and not any(opposite(condition) in other.when for condition in self.when)
            and self.x < other.x + other.w
            and other.x < self.x + self.w
            and self.y < other.y + other.h
            and other.y < self.y + self.h
        )


def opposite(condition: str) -> str:
    """The condition that holds where this one does not."""
    return condition[3:] if condition.startswith("no_") else f"no_{condition}"


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A board's size, the boxes of each screen by name, and the pixel that says `heard`.

    `groups` are boxes that several screens have, `use` says which screens have which. `without`
    are fields that a board of this size has no room for. In a folder the files beside
    `board.toml` add screens to it, one file for each family of games.
    """

    schema: Literal[1]
    width: Size
    height: Size
    heard: tuple[Pixels, Pixels]
    screens: dict[str, dict[str, Box]] = {}
    groups: dict[str, dict[str, Box]] = {}
    use: dict[str, tuple[str, ...]] = {}
    without: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """The screens that one family of games adds to a layout."""

    screens: dict[str, dict[str, Box]] = {}
    groups: dict[str, dict[str, Box]] = {}
    use: dict[str, tuple[str, ...]] = {}


def layout_names() -> tuple[str, ...]:
    """The layouts that come with the firmware."""
    return tuple(sorted(path.parent.name for path in LAYOUTS.glob("*/board.toml")))


@lru_cache(maxsize=16)
def load_layout(name: str) -> Layout:
    """A layout by its name, or the path of a file or folder, checked against every language.

    Those that come with the firmware were measured in all languages when it was made
    (`misfits`): a table that starts has no time for what cannot have changed.

    Raises:
        LayoutError: with every problem, each with file, table and key.
    """
    own = "/" in name or name.endswith(".toml")
    path = Path(name) if own else LAYOUTS / name
    if not own and name not in layout_names():
        known = layout_names()
        raise LayoutError(
            [
                Phrase(
                    "no_layout",
                    "layout {name}: there are {names}{hint}",
                    name=name,
                    names=", ".join(known),
                    hint=did_you_mean(name, known),
                )
            ]
        )
    try:
        layout, problems = _read(path)
    except ConfigError as error:
        raise LayoutError(error.problems) from None
    problems += _problems(layout, _languages() if own else [])
    if problems:
        raise LayoutError([within(path, problem) for problem in problems])
    return layout


def misfits(name: str) -> list[str]:
    """What is wrong with a layout that comes with the firmware, measured in every language."""
    layout, problems = _read(LAYOUTS / name)
    return [*problems, *_problems(layout, _languages())]


def _languages() -> list[Language]:
    return [load_language(code) for code in language_codes()]


def _read(path: Path) -> tuple[Layout, list[str]]:
    """A layout with the screens of all its files, and what is wrong in how they go together."""
    if not os.path.isdir(path):  # says no of names that cannot be, too
        layout = read_toml(path, Layout)
        parts: list[_Part] = []
    else:
        layout = read_toml(path / "board.toml", Layout)
        files = sorted(file for file in path.glob("*.toml") if file.name != "board.toml")
        parts = [read_toml(file, _Part) for file in files]
    wholes: tuple[Layout | _Part, ...] = (layout, *parts)
    groups = {name: boxes for part in wholes for name, boxes in part.groups.items()}
    use = {name: names for part in wholes for name, names in part.use.items()}
    screens = {name: dict(boxes) for part in wholes for name, boxes in part.screens.items()}
    problems = []
    for name, names in use.items():
        boxes = screens.setdefault(name, {})
        for group in names:
            if group not in groups:
                problems.append(f"use.{name}: {group} is no group{did_you_mean(group, groups)}")
                continue
            shared = groups[group].keys() & boxes.keys()
            problems += [f"screens.{name}.{key}: stands in {group} too" for key in sorted(shared)]
            boxes.update(groups[group])
    used = {group for names in use.values() for group in names}
    problems += [f"groups.{name}: no screen uses it" for name in groups if name not in used]
    return replace(layout, screens=screens, groups={}, use={}), problems


def _problems(layout: Layout, languages: list[Language]) -> Iterator[str]:
    screens = {screen.name: screen for screen in (*SCREENS, BOOT)}
    for name, screen in screens.items():
        if name not in layout.screens:
            yield f"screens.{name}: is missing"
        else:
            yield from _unmet(screen, layout.screens[name], layout.without)
    for field in layout.without:
        if field not in TEXTS and field not in SHAPES:
            yield f"without = {field!r}: unknown{did_you_mean(field, [*TEXTS, *SHAPES])}"
    for name, boxes in layout.screens.items():
        if name not in screens:
            yield f"screens.{name}: unknown{did_you_mean(name, screens)}"
        for key, box in boxes.items():
            for problem in _of_box(box, layout, languages):
                yield f"screens.{name}.{key}.{problem}"
        for (key, box), (other_key, other) in itertools.combinations(boxes.items(), 2):
            if box.meets(other):
                yield f"screens.{name}.{other_key}: overlaps {key}"


def _unmet(screen: Screen, boxes: dict[str, Box], without: tuple[str, ...]) -> Iterator[str]:
    """What a screen does not say, in any of the conditions that its boxes ask for."""
    for box in boxes.values():
        for condition in box.when:
            if condition.removeprefix("no_") not in CONDITIONS:
                yield f"screens.{screen.name}: when = {condition!r} is no condition"
                return
    placed = _placed(boxes.values(), without)
    for field in screen.needs:
        if field not in placed:
            yield f"screens.{screen.name}: no box shows {field}"
    if not screen.timed:
        return
    for state in ({"shot", "timed"}, {"time", "timed"}, {"shot", "time", "timed"}):
        for more in (
            (),
            ("alert",),
            ("tally",),
            ("alert", "tally"),
            ("warns",),
            ("alert", "warns"),
        ):
            now = state.union(more)
            standing = [box for box in boxes.values() if holds(box, now) and not box.page]
            if not _placed(standing, ()) & _CLOCKS:
                there = " and ".join(sorted(now))
                yield f"screens.{screen.name}: no clock stands on it with {there}"
                return


_CLOCKS = {"shot_clock", "match_clock", "clock", "clock_brief"}


def holds(box: Box, conditions: Collection[str]) -> bool:
    """Whether a box stands where just these conditions hold."""
    return all(
        (condition in conditions)
        if not condition.startswith("no_")
        else (condition[3:] not in conditions)
        for condition in box.when
    )


def _placed(boxes: Iterable[Box], without: tuple[str, ...]) -> set[str]:
    """The fields that boxes show, or say by others."""
    placed = {box.field for box in boxes}.union(without)
    for field in tuple(placed):
        if field in TEXTS:
            placed.update(TEXTS[field].says)
    return placed


def _of_box(box: Box, layout: Layout, languages: list[Language]) -> Iterator[str]:
    if box.x + box.w > layout.width:
        yield f"x = {box.x}: with w = {box.w} reaches over the board's {layout.width} pixels"
    if box.y + box.h > layout.height:
        yield f"y = {box.y}: with h = {box.h} reaches over the board's {layout.height} pixels"
    if box.covers(*layout.heard):
        yield f"x = {box.x}: covers the pixel heard = {list(layout.heard)}"
    if box.field in SHAPES:
        if not box.pattern or box.fonts:
            yield f"pattern: {box.field} is lit or not: it has a pattern and no fonts"
    elif box.field in TEXTS:
        yield from _of_text(box, languages)
    else:
        yield f"field = {box.field!r}: unknown{did_you_mean(box.field, [*TEXTS, *SHAPES])}"


def _of_text(box: Box, languages: list[Language]) -> Iterator[str]:
    if not box.fonts or box.pattern:
        yield f"fonts: {box.field} is a text: it has fonts and no pattern"
    known = font_names()
    fonts = []
    for name in box.fonts:
        if name not in known:
            yield f"fonts: {name} is unknown{did_you_mean(name, known)}"
            continue
        fonts.append(load_font(name))
        if fonts[-1].height > box.h - box.above:
            yield f"h = {box.h}: the font {name} needs {fonts[-1].height + box.above} pixels"
    if fonts and not box.scroll:
        yield from _too_wide(box, fonts, languages)


def _too_wide(box: Box, fonts: list[Font], languages: list[Language]) -> Iterator[str]:
    for language in languages:
        for forms in TEXTS[box.field].widest(language):
            least = min(font.width(form) for font in fonts for form in forms)
            if least > box.room:
                needed = least + box.w - box.room
                yield (
                    f"w = {box.w}: {forms[-1]!r} ({language.code}) needs {needed} pixels, "
                    "or scroll = true"
                )
