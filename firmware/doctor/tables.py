"""What the doctor looks at where one machine has several tables: that they share nothing."""

from collections.abc import AsyncIterator, Iterator

from drivers.wiring import place_of
from firmware.board.layout import load_layout
from firmware.config.config import Config
from firmware.config.file import load_config
from firmware.doctor.findings import Examined, Finding, State
from firmware.doctor.machine import pins_used
from firmware.errors import ConfigError


async def check_tables(on: Examined) -> AsyncIterator[Finding]:
    """Every other configuration in the folder: nothing that only one table can have is in both."""
    if on.file is None:
        return
    mine = dict(_had(on.config))
    for file in sorted(on.file.resolve().parent.glob("*.toml")):
        if file == on.file.resolve():
            continue
        what = f"table {file.stem}"
        try:
            other = load_config(file)
        except ConfigError as error:
            mend = f"tacada check-config {file}; without a table there, delete it"
            yield Finding(what, State.LOOK, f"cannot be read: {error.problems[0]}", mend)
            continue
        both = [name for name, _ in _had(other) if name in mine]
        for name in both:
            yield Finding(what, State.FAULT, f"has {name} too", mine[name])
        if not both:
            yield Finding(what, State.OK, "shares nothing with this one")


def _had(config: Config) -> Iterator[tuple[str, str]]:
    """What only one table can have, and what to do where two claim it."""
    yield (
        f"the name {config.hall}/{config.table}",
        "give one of them another: table, at the top of its file",
    )
    yield (
        f"the journal {config.journal}",
        "give each its own: journal = /var/lib/tacada/NUMBER/journal.db",
    )
    for pin, use in pins_used(config).items():
        yield place_of(pin), f"give {use} another pin, in one of the two"
    for board in (config.board, *config.boards):
        if board.enabled:
            for chain in board.as_chains(load_layout(board.layout)):
                bus = f"/dev/spidev{chain.spi_port}.{chain.spi_device}"
                yield bus, "another spi_device in one of the two; it has a CS pin of its own"
    for pad in config.pads:
        yield f"the receiver {pad.serial}", "a receiver hears for one table: take it out of one"
    for keypad in config.keypads:
        yield f"the keypad {keypad.device}", "a keypad is one table's: take it out of one"
