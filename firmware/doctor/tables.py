"""What the doctor looks at where one machine has several tables: that they share nothing."""

from collections.abc import AsyncIterator, Iterator

from drivers.wiring import place_of
from firmware.board.layout import load_layout
from firmware.config.config import Config
from firmware.config.file import load_config
from firmware.doctor.findings import Examined, Finding, State
from firmware.doctor.machine import pins_used
from firmware.errors import ConfigError
from firmware.terminal.words import Text, text


async def check_tables(on: Examined) -> AsyncIterator[Finding]:
    """Every other configuration in the folder: nothing that only one table can have is in both."""
    if on.file is None:
        return
    mine = dict(_had(on.config))
    for file in sorted(on.file.resolve().parent.glob("*.toml")):
        if file == on.file.resolve():
            continue
        what = text("doctor.table", name=file.stem)
        try:
            other = load_config(file)
        except ConfigError as error:
            says = text("doctor.unreadable", why=error.problems[0])
            yield Finding(what, State.LOOK, says, text("doctor.mend_unreadable", file=str(file)))
            continue
        both = [name for name, _ in _had(other) if name in mine]
        for name in both:
            yield Finding(what, State.FAULT, text("doctor.has_too", what=name), mine[name])
        if not both:
            yield Finding(what, State.OK, text("doctor.shares_nothing"))


def _had(config: Config) -> Iterator[tuple[Text | str, Text]]:
    """What only one table can have, and what to do where two claim it."""
    name = f"{config.hall}/{config.table}"
    yield text("doctor.the_name", name=name), text("doctor.mend_name")
    yield text("doctor.the_journal", name=config.journal), text("doctor.mend_two_journals")
    for pin, use in pins_used(config).items():
        yield place_of(pin), text("doctor.mend_two_pins", use=use)
    for board in (config.board, *config.boards):
        if board.enabled:
            for chain in board.as_chains(load_layout(board.layout)):
                bus = f"/dev/spidev{chain.spi_port}.{chain.spi_device}"
                yield bus, text("doctor.mend_two_boards")
    for pad in config.pads:
        yield text("doctor.the_receiver", name=pad.serial), text("doctor.mend_two_receivers")
    for keypad in config.keypads:
        yield text("doctor.the_keypad", name=keypad.device), text("doctor.mend_two_keypads")
