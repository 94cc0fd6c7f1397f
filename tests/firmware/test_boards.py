"""Several boards of one table, their language, their light, and what an idle one tells."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from drivers.blocks import current_ma
from drivers.errors import DeviceLost
from drivers.fakes import FakeChain, KeptDisplay
from drivers.joined import Joined
from drivers.matrix import Matrix
from drivers.ports import Picture
from firmware import hardware
from firmware.board import boards
from firmware.board.board import REFRESH_S
from firmware.board.boards import Boards
from firmware.board.config import BoardConfig, ChainConfig
from firmware.board.gallery import gallery
from firmware.board.layout import load_layout
from firmware.board.lobby import Lobby, result_forms
from firmware.board.render import render
from firmware.config.file import load_config
from firmware.errors import ConfigError
from firmware.i18n import load_language
from firmware.snapshot import View

VIEWS = gallery()
BOARD = load_layout("64x16")


class FixedClock:
    """A clock that stands, at an hour that is known."""

    def __init__(self, *, synced: bool = True) -> None:
        self._synced = synced

    def now_ns(self) -> int:
        return 7_000_000

    def wall_ms(self) -> int:
        return 1_767_276_000_000  # 14:00 UTC

    def synced(self) -> bool:
        return self._synced


class Faults:
    def __init__(self) -> None:
        self.told: list[tuple[str, bool]] = []

    def fault(self, code: str, *, present: bool) -> None:
        self.told.append((code, present))


def made(
    first: KeptDisplay | None,
    *others: KeptDisplay,
    configs: tuple[BoardConfig, ...] = (),
    faults: Faults | None = None,
) -> Boards:
    return Boards(
        (BoardConfig(), (lambda: first) if first is not None else None),
        configs or tuple(BoardConfig() for _ in others),
        [lambda display=display: display for display in others],  # type: ignore[misc]
        language="en",
        club="",
        version="0.1.0",
        rulebooks=("3c",),
        clock=FixedClock(),
        faults=faults or Faults(),
    )


async def until(true: Callable[[], bool]) -> None:
    for _ in range(2000):
        if true():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it never came true")


def running(table: Boards, play: Callable[[], Coroutine[None, None, None]]) -> None:
    async def both() -> None:
        task = asyncio.create_task(table.run())
        try:
            await play()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(both())


def test_the_board_behind_the_table_has_its_sides_swapped() -> None:
    front, back = KeptDisplay(64, 16), KeptDisplay(64, 16)
    table = made(front, back, configs=(BoardConfig(swapped=True),))

    async def play() -> None:
        table.show(VIEWS["play"])
        english = load_language("en")
        ahead = render(VIEWS["play"], BOARD, english, 7)
        behind = render(VIEWS["play"], BOARD, english, 7, swapped=True)
        assert ahead != behind
        await until(lambda: ahead in front.pictures and behind in back.pictures)

    running(table, play)
    assert (front.closed, back.closed) == ("blank", "blank")


def test_a_second_board_that_is_lost_is_named_and_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(boards, "RETRIES_S", (0.01,))
    first, second, faults = KeptDisplay(64, 16), KeptDisplay(64, 16), Faults()
    table = made(first, second, faults=faults)

    async def play() -> None:
        table.show(VIEWS["play"])
        await until(lambda: bool(first.pictures and second.pictures))
        second.lost = True
        table.show(VIEWS["undone"])
        await until(lambda: ("BOARD 2", True) in faults.told)
        shown = len(first.pictures)
        table.show(VIEWS["equaliser"])
        await until(lambda: len(first.pictures) > shown)
        second.lost = False
        await until(lambda: faults.told[-1] == ("BOARD 2", False))
        await until(lambda: second.pictures[-1] == first.pictures[-1])

    running(table, play)


def test_the_first_board_that_is_lost_ends_the_table() -> None:
    first = KeptDisplay(64, 16)

    async def play() -> None:
        table = made(first, KeptDisplay(64, 16))
        task = asyncio.create_task(table.run())
        await until(lambda: bool(first.pictures))
        first.lost = True
        table.show(VIEWS["play"])
        with pytest.raises(DeviceLost):
            await task

    asyncio.run(play())


def test_the_language_changes_in_play() -> None:
    display = KeptDisplay(64, 16)
    table = made(display)

    async def play() -> None:
        table.show(VIEWS["held_equaliser"])
        english, spanish = (
            render(VIEWS["held_equaliser"], BOARD, load_language(code), 7) for code in ("en", "es")
        )
        await until(lambda: display.pictures[-1:] == [english])
        await table.speak("es")
        await until(lambda: display.pictures[-1:] == [spanish])
        with pytest.raises(ConfigError, match="there are"):
            await table.speak("tlh")
        assert display.pictures[-1] == spanish

    running(table, play)


def test_a_board_is_dim_while_idle_and_as_set_in_play() -> None:
    display = KeptDisplay(64, 16)
    table = made(display)

    async def play() -> None:
        table.show(View())
        await until(lambda: display.dimmed == [1])
        table.show(VIEWS["play"])
        await until(lambda: display.dimmed == [1, 4])

    running(table, play)


def test_a_chain_that_is_unplugged_in_play_is_right_again_within_a_second() -> None:
    chain = FakeChain([(column, row, -90) for row in range(2) for column in range(8)])
    matrix = Matrix(chain, width=64, height=16)

    async def play() -> None:
        table = Boards(
            (BoardConfig(), lambda: matrix), (), (), language="en", club="", version="1",
            rulebooks=(), clock=FixedClock(), faults=Faults(),
        )  # fmt: skip
        task = asyncio.create_task(table.run())
        table.show(VIEWS["play"])
        await until(lambda: any(chain.picture().rows))
        shown = chain.picture()
        for chip in chain.chips:
            chip.__init__()  # type: ignore[misc] # as after power-on
        assert chain.picture() != shown
        started = time.monotonic()
        await until(lambda: chain.picture() == shown)
        assert time.monotonic() - started < 1 + REFRESH_S  # on a busy machine
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    assert REFRESH_S < 1
    asyncio.run(play())


def test_an_idle_board_has_the_club_the_hour_and_the_last_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TZ", "America/Sao_Paulo")
    time.tzset()
    try:
        lobby = Lobby("Clube Amadora", FixedClock())
        lobby.seen(VIEWS["play"])
        assert lobby.hall().last == ()
        lobby.seen(VIEWS["over"])
        lobby.seen(VIEWS["play"])
        hall = lobby.hall()
        assert hall.club == "Clube Amadora"
        assert hall.last[-1] == "50-50" or "-" in hall.last[-1]
        assert hall.hour_zero_ms == 11 * 3_600_000 - 7
        assert Lobby("", FixedClock(synced=False)).hall().hour_zero_ms is None
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_result_is_told_in_frames_where_there_are_frames() -> None:
    over, points = VIEWS["snooker_over"].line, VIEWS["over"].line
    assert over is not None
    assert points is not None
    assert result_forms(over)[-1] == "{}-{}".format(*over.tally["frames"])
    assert points.score is not None
    assert result_forms(points)[1] == "Jaspers {} - {} Conceição".format(*points.score)


HALVES = (
    ChainConfig(width=32, spi_device=0, blocks="4-1 5-8"),
    ChainConfig(x=32, width=32, spi_device=1),
)


def test_two_chips_selects_make_one_board(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []

    def fake_spi(*, port: int, device: int, speed_hz: int) -> FakeChain:
        opened.append(device)
        return FakeChain([(column, row, -90) for row in range(2) for column in range(4)])

    monkeypatch.setattr(hardware, "open_spi", fake_spi)
    display = hardware.open_board(BoardConfig(chains=HALVES, max_ma=1000))
    assert isinstance(display, Joined)
    assert (display.width, display.height, opened) == (64, 16, [0, 1])
    asyncio.run(display.show(Picture.blank(64, 16)))
    one = hardware.open_board(BoardConfig(blocks="8-1 9-16"))
    assert isinstance(one, Matrix)
    assert isinstance(hardware.open_board(BoardConfig(blocks="8-1 9-16"), plain=True), Matrix)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[board]\nblocks = "1-15"', "board.board: blocks 1-15: must be the numbers 1 to 16"),
        ("[[board.chains]]\nwidth = 32", "board.chains: the chains leave 512 pixels uncovered"),
        ("[board]\n[[boards]]", "boards.1.spi_device = 0: board is on it"),
        (
            "[board]\nserpentine = true\n[[board.chains]]",
            "board.serpentine: has no use beside chains",
        ),
        (
            "[[board.chains]]\n[[board.chains]]",
            "board.chains.2.spi_device = 0: another chain is on it",
        ),
        ('[board]\nlayout = "64x61"', "did you mean 64x16"),
        ('[[board.light.schedule]]\nat = "25:00"\ncontrast = 3', "must be an hour"),
        ("[board.light]\nidle = 16", "board.light.idle"),
    ],
)
def test_boards_that_cannot_be_are_named(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f"schema = 1\n{text}\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(file)
    assert problem in str(caught.value)


def test_boards_of_every_shape_are_data(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text(
        "schema = 1\nclub = 'Amadora'\n[board]\nmax_ma = 2000\n"
        "[[board.chains]]\nwidth = 32\n[[board.chains]]\nx = 32\nwidth = 32\nspi_device = 1\n"
        "[[boards]]\nlayout = '32x8'\nswapped = true\nspi_port = 1\nblocks = '4-1'\n"
        "[[board.light.schedule]]\nat = '22:00'\ncontrast = 2\n",
        "utf-8",
    )
    config = load_config(file)
    assert [len(board.chains) for board in (config.board, *config.boards)] == [2, 0]


def test_what_a_shipped_board_draws_at_most() -> None:
    """The figures of docs/boards.md."""
    whole = {
        name: (layout.width * layout.height // 64, layout.width * layout.height)
        for name, layout in ((name, load_layout(name)) for name in ("32x8", "64x16"))
    }
    assert {name: round(current_ma(lit, blocks, 15)) for name, (blocks, lit) in whole.items()} == {
        "32x8": 1272,
        "64x16": 5088,
    }
