"""Between two racks, frames or sets: no dialog, and a hint what UNDO would lead back to.

Row 43 of docs/asked-for.md, on what the boards light, not on what they are told.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from drivers.ports import Picture
from firmware.board.fields import TEXTS, Seen
from firmware.board.layout import Layout, layout_names, load_layout
from firmware.board.render import render
from firmware.board.screens import direct
from firmware.i18n import Language, language_codes, load_language
from firmware.snapshot import Tell, View
from tests.firmware.rig import Rig, new_play, on_table
from tests.firmware.test_other_sizes import wider

LANGUAGES = [load_language(code) for code in language_codes()]
GAMES = pytest.mark.parametrize(
    ("panel", "rulebook", "format_", "keys"),
    [
        ("pool-12", "wpa9", "race=3/3", ("money ok", "pot")),
        ("pool-16", "wpa9", "race=3/3 clock=35", ("money ok", "pot")),
        ("pool-4", "bb", "race=3/3", ("a", "b!")),
        ("snooker-16", "wpbsa", "target=3", ("menu yellow red ok", "red")),
        ("carom-6", "s15", "target=5/5 sets=2", ("plus5", "plus1")),
        ("carom-12", "s15", "target=5/5 sets=2 minutes=45", ("plus5", "plus1")),
    ],
)


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> list[Layout]:
    """Every size that comes with the firmware, and 96 x 16 as somebody would stretch it."""
    folder: Path = tmp_path_factory.mktemp("boards")
    own = load_layout(str(wider(folder, "64x16", 96)))
    return [*(load_layout(name) for name in layout_names()), own]


def cycle(view: View, board: Layout, language: Language, since_ms: int) -> set[Picture]:
    """All that a board shows in twelve seconds."""
    still = replace(view, heard_ms=None, told=None)
    moments = range(since_ms, since_ms + 12_000, 250)
    return {render(still, board, language, now_ms) for now_ms in moments}


def hinted(view: View, boards: list[Layout], since_ms: int) -> Iterator[bool]:
    """Of each board in each language, whether it shows what UNDO would take back."""
    assert view.line is not None
    mute = replace(view, line=replace(view.line, undo=None))
    for board in boards:
        for language in LANGUAGES:
            shown = cycle(view, board, language, since_ms)
            yield bool(shown - cycle(mute, board, language, since_ms))


@GAMES
def test_43_every_board_names_what_undo_leads_back_to_until_the_first_entry(
    boards: list[Layout], panel: str, rulebook: str, format_: str, keys: tuple[str, str]
) -> None:
    async def test(rig: Rig) -> None:
        def now_ms() -> int:
            return rig.clock.ns // 1_000_000 + 3000

        ends, first_key = keys
        await rig.press(ends)
        assert rig.score_phase() == "held"
        assert all(hinted(rig.view, boards, now_ms()))
        await rig.press("ok")
        assert (rig.view.typed, rig.view.ask) == (None, None), "no dialog"
        for later_ms in (0, 3_600_000):
            assert direct(rig.view, now_ms() + later_ms).name == "next"
            assert all(hinted(rig.view, boards, now_ms() + later_ms))
        await rig.press(first_key)
        assert rig.view.told is None or rig.view.told.tell is not Tell.REFUSED
        assert not any(hinted(rig.view, boards, now_ms()))
        await rig.press("undo")
        assert all(hinted(rig.view, boards, now_ms() + 3000)), "and again where UNDO comes back"

    on_table(test, lambda: Rig(new_play(rulebook, format_), panel=panel))


@pytest.mark.parametrize("language", LANGUAGES, ids=language_codes())
def test_43_the_hint_says_the_very_entry_that_undo_then_takes_back(language: Language) -> None:
    async def test(rig: Rig) -> None:
        await rig.press("pot money ok")
        for left in (("POT(1,M)", 1), ("OK", 2)):
            assert rig.view.line is not None
            assert rig.view.line.undo == left[0]
            seen = Seen(rig.view, language)
            hint = TEXTS["held_then" if left[1] == 1 else "undo_end"].pages(seen)[-1:]
            assert hint
            assert hint[0][0].startswith(language.say("key.undo"))
            assert all(form.removeprefix("←") for form in hint[0]), "never the arrow alone"
            if left[1] == 1:
                await rig.press("ok")
        records = [record.seq for record in rig.store.records]
        await rig.press("undo")
        assert rig.score_phase() == "held"
        assert len(rig.store.records) == len(records) + 1
        await rig.press("undo")
        assert rig.score_phase() == "playing"
        assert rig.table.play.ledger.match.tally[0] == (0, 0)

    on_table(test, lambda: Rig(new_play("wpa9", "race=3/3"), panel="pool-12"))


def test_43_a_shot_clock_that_was_started_ends_the_hint(boards: list[Layout]) -> None:
    async def test(rig: Rig) -> None:
        await rig.press("money ok ok")
        assert all(hinted(rig.view, boards, rig.clock.ns // 1_000_000))
        await rig.press("ok! time end")
        line = rig.view.line
        assert line is not None
        assert line.clock is not None
        assert line.clock.shot is not None
        assert line.clock.shot.running
        assert not any(hinted(rig.view, boards, rig.clock.ns // 1_000_000))

    on_table(test, lambda: Rig(new_play("wpa9", "race=3/3 clock=35"), panel="pool-12"))
