"""The boards of a table, as its configuration names them (docs/configuration.md)."""

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from drivers.blocks import BLOCK_PX, places_read
from drivers.errors import WiringError
from drivers.joined import check_cover
from drivers.phrases import Phrase, within
from firmware.board.layout import Layout, load_layout
from firmware.board.light import Light
from firmware.errors import ConfigError

Contrast: TypeAlias = Annotated[int, Meta(ge=0, le=15)]
Multiple: TypeAlias = Annotated[int, Meta(ge=0, multiple_of=8)]


class ChainConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """A chain of modules on its own chip select, and the part of the board that it is.

    `x`, `y`, `width` and `height` are pixels; 0 for as wide or high as the board. The other
    settings are those of a board with one chain.
    """

    x: Multiple = 0
    y: Multiple = 0
    width: Multiple = 0
    height: Multiple = 0
    orientation: int = -90
    from_right: bool = False
    from_bottom: bool = False
    serpentine: bool = False
    turned: bool = False
    blocks: str = ""
    spi_port: int = 0
    spi_device: int = 0
    spi_hz: int = 1_000_000


class BoardConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """An LED matrix: which layout, how its modules hang together, its SPI bus, its light.

    `orientation` is how each module is mounted, in degrees. The chain of modules starts at the
    left of the top row unless `from_right` or `from_bottom` say otherwise; in a `serpentine`
    every second row runs back, with its modules `turned` where they must. `blocks` goes before
    all of these: the numbers that `tacada test-pattern --plain` shows, as one reads them.
    `chains` are those of a board that hangs on several chip selects. A board that is `swapped`
    hangs behind the table and has B at its left. `max_ma` is what its supply gives at most.
    """

    layout: str = "64x16"
    enabled: bool = True
    swapped: bool = False
    orientation: int = -90
    from_right: bool = False
    from_bottom: bool = False
    serpentine: bool = False
    turned: bool = False
    blocks: str = ""
    contrast: Contrast = 4
    light: Light = Light()
    max_ma: Annotated[int, Meta(ge=0)] = 0
    spi_port: int = 0
    spi_device: int = 0
    spi_hz: int = 1_000_000
    chains: tuple[ChainConfig, ...] = ()

    def as_chains(self, layout: Layout) -> tuple[ChainConfig, ...]:
        """The chains of the board, each with its size."""
        whole = ChainConfig(**{name: getattr(self, name) for name in _ONE_CHAIN})
        return tuple(
            _sized(chain, layout.width, layout.height) for chain in self.chains or (whole,)
        )


_ONE_CHAIN = (
    "orientation",
    "from_right",
    "from_bottom",
    "serpentine",
    "turned",
    "blocks",
    "spi_port",
    "spi_device",
    "spi_hz",
)


def _sized(chain: ChainConfig, width: int, height: int) -> ChainConfig:
    return replace(chain, width=chain.width or width, height=chain.height or height)


def board_problems(board: BoardConfig) -> Iterator[str]:
    """What is wrong with a board's settings, by key."""
    try:
        layout = load_layout(board.layout)
    except ConfigError as error:
        yield from (within("layout", problem) for problem in error.problems)
        return
    if board.chains:
        usual = BoardConfig()
        for name in _ONE_CHAIN:
            if getattr(board, name) != getattr(usual, name):
                why = Phrase("beside_chains", "has no use beside chains; say it of a chain")
                yield within(name, why)
    yield from board.light.problems()
    yield from _wiring_problems(board, layout)


def _wiring_problems(board: BoardConfig, layout: Layout) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    for nth, chain in enumerate(board.as_chains(layout), 1):
        at = f"chains.{nth}" if board.chains else "board"
        if (chain.spi_port, chain.spi_device) in seen:
            why = Phrase("chain_bus", "another chain is on it")
            yield within(f"{at}.spi_device = {chain.spi_device}", why)
        seen.add((chain.spi_port, chain.spi_device))
        try:
            if chain.blocks:
                places_read(chain.blocks, chain.width // BLOCK_PX, chain.height // BLOCK_PX)
        except WiringError as error:
            yield within(at, error.args[0])
    boxes = [(c.x, c.y, c.width, c.height) for c in board.as_chains(layout)]
    try:
        check_cover(boxes, width=layout.width, height=layout.height)
    except WiringError as error:
        yield within("chains", error.args[0])
