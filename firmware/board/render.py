"""Pictures of what a board shows: a pure function of the view, the layout and the time.

A picture is composed as one whole number, its rows one after the other, so that a box that was
drawn before costs one look-up. Texts that are too long move with `now_ms`: first they stand,
then go left at a steady pace, and come round again.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from drivers.ports import Picture
from firmware.board.fields import CONDITIONS, SHAPES, TEXTS, Pages, Seen, next_tick_ms
from firmware.board.fonts import Font, Strip, load_font
from firmware.board.layout import Box, Layout, holds
from firmware.board.screens import ANSWERS, BOOT, REFUSED_MS, direct, in_play
from firmware.i18n import Language
from firmware.snapshot import Tell, Told, View

HEARD_MS = 120
"""How long the pixel stands that answers a press."""

PAGE_MS = 2000
"""How long a page stands that does not move."""

FIRST_PAGE_MS = 4000
"""How long the first page of a screen stands at least."""

GAP_PX = 10
"""Between the end of a moving text and its beginning."""


class _Turn(NamedTuple):
    """What of a text is to be seen: its forms, moved by `offset` pixels, until `until_ms`."""

    forms: tuple[str, ...]
    offset: int = 0
    until_ms: int | None = None


def _whose_turn(rounds_ms: Sequence[int], now_ms: int) -> tuple[int, int]:
    """Which of several that take turns has its own now, and since when; not all may be 0."""
    start_ms = now_ms - now_ms % sum(rounds_ms)
    nth = 0
    while now_ms >= start_ms + rounds_ms[nth]:
        start_ms += rounds_ms[nth]
        nth += 1
    return nth, start_ms


class _Place:
    """A box on a board of a size, ready to draw."""

    def __init__(self, box: Box, width: int, height: int) -> None:
        self.box = box
        self.fonts = tuple(load_font(name) for name in box.fonts)
        self.room = box.room
        self._width, self._height = width, height
        self.frame = self.put(_frame(box), box.y)
        self.pattern = self.put(_pattern(box), box.y) if box.pattern else 0

    def fitted(self, forms: tuple[str, ...]) -> tuple[Font, Strip]:
        """The longest form that fits, in the first font it fits in; else the shortest, to move."""
        return _fitted(self, forms)

    def picture(self, forms: tuple[str, ...], offset: int) -> int:
        """A text on the board, moved by `offset` pixels, with the box around it."""
        return _picture(self, forms, offset)

    def round_ms(self, forms: tuple[str, ...]) -> int:
        """How long a text takes to be shown once."""
        width = self.fitted(forms)[1].width
        return PAGE_MS if width <= self.room else self._moves_ms(width + GAP_PX)

    def whole_ms(self, pages: Pages) -> int:
        """How long a text has its turn: all its pages, or the longest where they come singly."""
        if self.box.one_by_one:
            return max(map(self.round_ms, pages), default=0)
        return sum(map(self.round_ms, pages))

    def _moves_ms(self, px: int) -> int:
        """How long a text takes to have moved by so many pixels."""
        return self.box.stand_ms + px * self.box.step_ms

    def turn(self, pages: Pages, now_ms: int) -> _Turn:
        """Which page is to be seen, and how far it has moved."""
        if len(pages) == 1 and self.fitted(pages[0])[1].width <= self.room:
            return _Turn(pages[0])
        rounds = [self.round_ms(page) for page in pages]
        nth, start = _whose_turn(rounds, now_ms)
        page, ms = pages[nth], rounds[nth]
        if self.fitted(page)[1].width <= self.room:
            return _Turn(page, 0, start + ms if len(pages) > 1 else None)
        offset = max(0, now_ms - start - self.box.stand_ms) // self.box.step_ms
        return _Turn(page, offset, start + self._moves_ms(offset + 1))

    def put(self, rows: tuple[int, ...], y: int) -> int:
        """Rows as wide as the box, put where it is on the board."""
        picture = 0
        right = self._width - self.box.x - self.box.w
        for place, row in enumerate(rows):
            picture |= row << (self._height - 1 - y - place) * self._width + right
        return picture


@lru_cache(maxsize=1024)
def _fitted(place: _Place, forms: tuple[str, ...]) -> tuple[Font, Strip]:
    for form in forms:
        for font in place.fonts:
            if font.width(form) <= place.room:
                return font, font.draw(form)
    font = place.fonts[-1]
    return font, font.draw(forms[-1])


@lru_cache(maxsize=2048)
def _picture(place: _Place, forms: tuple[str, ...], offset: int) -> int:
    """One memory for all boxes: a day has no end of texts, and each box would keep its own."""
    font, strip = place.fitted(forms)
    spare = place.room - strip.width
    if spare >= 0:
        left = {"left": 0, "center": spare // 2, "right": spare}[place.box.align]
        rows = tuple(row << spare - left for row in strip.rows)
    else:
        rows = _window(strip, place.room, offset)
    box = place.box
    side = (box.w - place.room) // 2
    spare_rows = box.h - box.above - font.height
    top = box.y + box.above + spare_rows // 2
    return place.put(tuple(row << side for row in rows), top) | place.frame


def _window(strip: Strip, room: int, offset: int) -> tuple[int, ...]:
    """The part of an endless row of the same text that can be seen through a box."""
    period = strip.width + GAP_PX
    shift = 2 * period - offset - room
    mask = (1 << room) - 1
    return tuple(((row << GAP_PX) << period | row << GAP_PX) >> shift & mask for row in strip.rows)


def _frame(box: Box) -> tuple[int, ...]:
    full, edges = (1 << box.w) - 1, 1 << (box.w - 1) | 1
    ends = edges | edges << 1 & full | edges >> 1
    match box.frame:
        case "top":
            return (full, *(0,) * (box.h - 1))
        case "sides":
            return (ends, *(edges,) * (box.h - 2), ends)
    return (0,) * box.h


def _pattern(box: Box) -> tuple[int, ...]:
    lit = {"solid": "1", "dashes": "11100", "dots": "1100"}[box.pattern]
    row = int((lit * box.w)[: box.w], 2)
    return (row,) * box.h


class _Stage(NamedTuple):
    """The boxes of one screen, ready to draw."""

    texts: tuple[_Place, ...]
    shapes: tuple[_Place, ...]
    pages: tuple[int, ...]

    def page(self, said: Sequence[Pages], now_ms: int) -> "_Page":
        """Which boxes have their turn; a page without a text to show is left out.

        `said` is what each of the texts says now.
        """
        if not self.pages:
            return _Page(0, 0, None, 0)
        rounds = [(page, self._round_ms(page, said)) for page in self.pages]
        whole = sum(ms for _, ms in rounds)
        if not whole:
            return _Page(self.pages[0], 0, None, 0)
        nth, start = _whose_turn([ms for _, ms in rounds], now_ms)
        page, ms = rounds[nth]
        return _Page(page, start, start + ms if ms < whole else None, now_ms // whole)

    def _round_ms(self, page: int, said: Sequence[Pages]) -> int:
        both = zip(self.texts, said, strict=True)
        rounds = (place.whole_ms(pages) for place, pages in both if place.box.page == page)
        longest = max(rounds, default=0)
        return max(longest, FIRST_PAGE_MS) if longest and page == self.pages[0] else longest


class _Page(NamedTuple):
    """A page of a screen, from when and until when it stands; 0 where there are none.

    `times` is how often all pages have had their turn.
    """

    number: int
    start_ms: int
    until_ms: int | None
    times: int


@lru_cache(maxsize=512)
def _stage(layout: Layout, screen: str, conditions: frozenset[str]) -> _Stage:
    boxes = [box for box in layout.screens[screen].values() if holds(box, conditions)]
    places = [_place(box, layout.width, layout.height) for box in boxes]
    return _Stage(
        tuple(place for place in places if place.box.field in TEXTS),
        tuple(place for place in places if place.box.field in SHAPES),
        tuple(sorted({box.page for box in boxes if box.page})),
    )


@lru_cache(maxsize=1024)
def _place(box: Box, width: int, height: int) -> _Place:
    return _Place(box, width, height)


@lru_cache(maxsize=256)
def _asked(layout: Layout, screen: str) -> tuple[str, ...]:
    """The conditions that the boxes of a screen ask for."""
    boxes = layout.screens[screen].values()
    return tuple({name.removeprefix("no_") for box in boxes for name in box.when})


class _Scene(NamedTuple):
    """What stands on the board at a moment: the page, its texts and how far they have moved."""

    stage: _Stage
    page: _Page
    turns: tuple[tuple[_Place, _Turn], ...]

    def next_ms(self) -> list[int | None]:
        """The moments at which a page or a text gives way."""
        return [self.page.until_ms, *(turn.until_ms for _, turn in self.turns)]


def _scene(layout: Layout, screen: str, seen: Seen) -> _Scene:
    now = frozenset(name for name in _asked(layout, screen) if CONDITIONS[name](seen))
    stage, since_ms = _stage(layout, screen, now), _since(seen.view, screen)
    said = [TEXTS[place.box.field].pages(seen) for place in stage.texts]
    page = stage.page(said, seen.now_ms - since_ms)
    if page.until_ms is not None:
        page = page._replace(until_ms=page.until_ms + since_ms)
    turns = []
    for place, pages in zip(stage.texts, said, strict=True):
        if pages and place.box.page in (0, page.number):
            start_ms = since_ms + (page.start_ms if place.box.page else 0)
            one = page.times % len(pages)
            now_seen = pages[one : one + 1] if place.box.one_by_one else pages
            turn = place.turn(now_seen, seen.now_ms - start_ms)
            if turn.until_ms is not None:
                turn = turn._replace(until_ms=start_ms + turn.until_ms)
            turns.append((place, turn))
    return _Scene(stage, page, tuple(turns))


class Drawn(NamedTuple):
    """A picture, and the first moment at which the same view looks otherwise, if there is one."""

    picture: Picture
    until_ms: int | None = None


def draw(
    view: View, layout: Layout, language: Language, now_ms: int, *, swapped: bool = False
) -> Drawn:
    """What the board shows of a view at a moment of the monotonic clock, and until when.

    A `swapped` board hangs behind the table: it has B at its left.
    """
    return _heard(_still(view, layout, language, now_ms, swapped=swapped), view, layout, now_ms)


class Drawing:
    """Draws what one board shows, view after view; what stands as it stood is not drawn again."""

    def __init__(self, layout: Layout, *, swapped: bool = False) -> None:
        self._layout, self._swapped = layout, swapped
        self._last: tuple[View, Language, Drawn] | None = None

    def draw(self, view: View, language: Language, now_ms: int) -> Drawn:
        """What `draw` draws."""
        # In play a press that was heard changes nothing but its pixel.
        of = view
        if in_play(view) and view.ask is None and view.typed is None:
            of = replace(view, heard_ms=None)
        if self._last is None or not _stands(self._last, of, language, now_ms):
            still = _still(view, self._layout, language, now_ms, swapped=self._swapped)
            self._last = (of, language, still)
        return _heard(self._last[2], view, self._layout, now_ms)


def _stands(
    last: tuple[View, Language, Drawn], view: View, language: Language, now_ms: int
) -> bool:
    drawn, spoken, (_, until_ms) = last
    return spoken is language and (until_ms is None or now_ms < until_ms) and drawn == view


def _still(view: View, layout: Layout, language: Language, now_ms: int, *, swapped: bool) -> Drawn:
    """All but the pixel of a press that was heard."""
    shot, seen = direct(view, now_ms), Seen(view, language, now_ms, swapped)
    scene = _scene(layout, shot.name, seen)
    moments = [shot.until_ms, next_tick_ms(seen, shot.name), *scene.next_ms()]
    return Drawn(_cut(_composed(scene, seen), layout), _next(moments, now_ms))


def _heard(still: Drawn, view: View, layout: Layout, now_ms: int) -> Drawn:
    """The same, with the pixel where it is lit."""
    if view.heard_ms is None or not 0 <= now_ms - view.heard_ms < HEARD_MS:
        return still
    (x, y), rows = layout.heard, list(still.picture.rows)
    rows[y] |= 1 << layout.width - 1 - x
    picture = Picture(layout.width, layout.height, tuple(rows))
    return Drawn(picture, _next([still.until_ms, view.heard_ms + HEARD_MS], now_ms))


def _next(moments: Sequence[int | None], now_ms: int) -> int | None:
    """The first of the moments that is still to come."""
    return min((ms for ms in moments if ms is not None and ms > now_ms), default=None)


def render(
    view: View, layout: Layout, language: Language, now_ms: int, *, swapped: bool = False
) -> Picture:
    """The picture alone of what `draw` draws."""
    return draw(view, layout, language, now_ms, swapped=swapped).picture


def render_boot(
    layout: Layout, language: Language, version: str, rulebooks: tuple[str, ...] = ()
) -> Picture:
    """What the board shows until the table is there; nothing moves."""
    text = language.say("board.version", version=version)
    seen = Seen(View(told=Told(Tell.EDITED, "", text), rulebooks=rulebooks), language)
    return _cut(_composed(_scene(layout, BOOT.name, seen), seen), layout)


def _since(view: View, screen: str) -> int:
    """From when texts run: an answer to a press begins with it, as does a question that the
    press has changed; all else with the clock."""
    if view.message is not None and screen in ("message", "message_idle"):
        return view.message.since_ms
    if view.told is not None and screen in ANSWERS:
        return view.told.since_ms + (REFUSED_MS if screen == "last" else 0)
    return view.heard_ms or 0 if screen in ("question", "number", "typed") else 0


def _composed(scene: _Scene, seen: Seen) -> int:
    picture = 0
    for place, turn in scene.turns:
        picture |= place.picture(turn.forms, turn.offset)
    for place in scene.stage.shapes:
        if place.box.page in (0, scene.page.number) and SHAPES[place.box.field](seen):
            picture |= place.pattern
    return picture


def _cut(picture: int, layout: Layout) -> Picture:
    """One whole number as the rows of a picture."""
    width, height = layout.width, layout.height
    mask = (1 << width) - 1
    rows = tuple(picture >> y * width & mask for y in range(height - 1, -1, -1))
    return Picture(width, height, rows)
