"""Every text of a board is seen whole, in every language and on every size, while it stands."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest
from msgspec.structs import asdict, replace

from firmware.board.fields import CONDITIONS, TEXTS, Seen
from firmware.board.gallery import gallery, told
from firmware.board.layout import Box, Layout, holds, layout_names, load_layout
from firmware.board.render import _place, render
from firmware.board.screens import LAST_MS, REFUSED_MS, TOLD_MS, direct
from firmware.i18n import Language, language_codes, load_language
from firmware.setup.words import _NAMES, load_setup_words
from firmware.snapshot import Number, Question, Tell, Told, View
from firmware.text_keys import IGNORED, TYPING
from rules.errors import Code
from rules.scoreline import Said, Scoreline
from rules.sides import Pair, Side
from tests.firmware.entry_samples import GAMES

VIEWS = gallery()
BOARDS = {name: load_layout(name) for name in layout_names()}
LANGUAGES = [load_language(code) for code in language_codes()]

each_size = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
each_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.code)


class Read(NamedTuple):
    """A box of words that stands now: how far its texts move at most, when all have been read."""

    box: Box
    moves_px: int
    ms: int


def texts(view: View, board: Layout, language: Language) -> Iterator[Read]:
    """The boxes of words that stand now."""
    seen = Seen(view, language)
    now = {name for name, is_so in CONDITIONS.items() if is_so(seen)}
    for box in board.screens[direct(view, 0).name].values():
        if box.field not in TEXTS or box.field.startswith("score") or not holds(box, now):
            continue
        place, pages = _place(box, board.width, board.height), TEXTS[box.field].pages(seen)
        *before, last = pages or ((),)
        if last:
            moves = [max(0, place.fitted(page)[1].width - box.room) for page in pages]
            glance_ms = 300 if before else 0
            rest = box.stand_ms + moves[-1] * box.step_ms if moves[-1] else glance_ms
            yield Read(box, max(moves), sum(map(place.round_ms, before)) + rest)


@each_size
@each_language
@pytest.mark.parametrize("base", ["play", "clock"])
def test_an_answer_to_a_press_is_read_before_it_goes(
    board: Layout, language: Language, base: str
) -> None:
    answers = [
        *((Tell.REFUSED, code, "12") for code in (*Code, *TYPING)),
        *((Tell.IGNORED, code, "") for code in (*IGNORED, "other")),
        (Tell.UNDONE, "undone", "+12"),
        (Tell.EDITED, "edited", ""),
        *((Tell.UNDONE, "undone", act) for _, acts in GAMES.values() for act in acts),
    ]
    late = [
        f"{code}: {read.box.field} needs {read.ms} ms of {TOLD_MS[tell]}"
        for tell, code, text in answers
        for read in texts(told(VIEWS[base], tell, code, text), board, language)
        if read.ms > TOLD_MS[tell] - 100
    ]
    assert not late, f"{language.code}: {late}"


def _entered(line: Scoreline, acts: tuple[str, ...], undo: str) -> View:
    """The last entries asked for, just now."""
    last = tuple(Said(act, Side.B) for act in acts)
    told = Told(Tell.REFUSED, Code.NOTHING_TO_CONFIRM, since_ms=-REFUSED_MS)
    return View(line=replace(line, last=last, undo=undo), told=told)


@each_size
@each_language
@pytest.mark.parametrize("base", ["play", "clock"])
def test_the_last_entries_are_read_while_they_stand(
    board: Layout, language: Language, base: str
) -> None:
    """Each entry of every game, in words, before the score comes back."""
    line, late = VIEWS[base].line, []
    assert line is not None
    for rulebook, (_, acts) in GAMES.items():
        of_game = replace(line, rulebook=rulebook)
        for at, act in enumerate(acts):
            three = (act, acts[at - 1], acts[at - 2])
            late += [
                f"{act}: {read.box.field} needs {read.ms} ms"
                for read in texts(_entered(of_game, three, act), board, language)
                if read.ms > LAST_MS - 100
            ]
    assert not late, f"{language.code}: {late}"


QUESTIONS = (
    "again", "family", "rulebook", "player_a", "player_b", "first", "handicap", "late",
    "match_time", "partner_a", "partner_b",
)  # fmt: skip
NUMBERS = (
    "points_a", "points_b", "foul_points", "red_by_own", "red_by_other", "frames", "racks_a",
    "racks_b", "given_a", "given_b", "shot_seconds", "time_minutes", "late_from", "late_seconds",
)  # fmt: skip


@each_size
@each_language
@pytest.mark.parametrize("base", ["play", "clock"])
def test_the_words_of_a_set_up_stand_still(board: Layout, language: Language, base: str) -> None:
    """A choice of up to two digits and what is asked; on a board of four blocks they move, and
    have been read one after the other within six seconds."""
    words = load_setup_words(language.code)
    named = asdict(words)
    others = [forms for name, forms in named.items() if name not in (*QUESTIONS, *NUMBERS)]
    choices = [*others, *map(words.named, _NAMES)]
    asks: list[Question | Number] = [
        *(Question(named[name], (("A",),), 0) for name in QUESTIONS),
        *(Question(named["first"], (*(("A",),) * 11, forms), 11) for forms in choices),
        *(Number(named[name], "88") for name in NUMBERS),
    ]
    small = board.width == 32
    moving = [
        f"{ask}: {read}"
        for ask in asks
        for read in texts(replace(VIEWS[base], ask=ask), board, language)
        if (read.ms > 6000 if small else read.moves_px)
    ]
    assert not moving, f"{language.code}: {moving}"


@each_size
def test_a_press_in_a_set_up_is_seen_at_once(board: Layout) -> None:
    """The choice that was moved to, the digit that was keyed: not only once the question is over,
    whenever the key was pressed."""
    language = load_language("en")
    three = (("carom",), ("snooker",), ("pool",))
    steps: tuple[Pair[Question | Number], ...] = (
        (Question(("game?",), three, 0), Question(("game?",), three, 1)),
        (Number(("points",), "4"), Number(("points",), "41")),
    )
    for moment, (before, after) in product((0, 1900, 3700, 5100), steps):
        pictures = [
            render(View(ask=ask, heard_ms=moment), board, language, moment + 200)
            for ask in (before, after)
        ]
        assert pictures[0] != pictures[1]


@each_language
@pytest.mark.parametrize("size", ["64x16", "64x8"])
def test_that_a_score_is_only_the_last_known_stands_still(size: str, language: Language) -> None:
    """Beside scores that are no more than that, the words for it do not move in and out."""
    view, board = VIEWS["stale"], BOARDS[size]
    assert not [read for read in texts(view, board, language) if read.moves_px]
