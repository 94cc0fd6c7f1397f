"""`tacada hall` and `tacada web`: what a hall shows of all its tables."""

import argparse
import asyncio
import logging
import re
import socket
from collections.abc import Callable, Sequence
from pathlib import Path

from drivers.phrases import Phrase, within
from firmware.config.config import address, password_of
from firmware.config.places import DEFAULT_FILE
from firmware.errors import FirmwareError
from firmware.spoken import DEFAULT
from firmware.terminal.language import add_language, language_in, words_of
from firmware.toml_reader import SLUG

USUAL_PORT = 8080


def slug(text: str) -> str:
    """The name of a hall, a table or a display, as topics have it.

    Raises:
        argparse.ArgumentTypeError: it has other letters; `/`, `+` and `#` would be other topics.
    """
    if re.fullmatch(SLUG, text) is None:
        raise argparse.ArgumentTypeError(f"{text!r}: a name is of a-z, 0-9 and -")
    return text


def add_broker(parser: argparse.ArgumentParser) -> None:
    """The flags of a command that talks to a broker."""
    parser.add_argument("--broker", default="localhost", metavar="HOST[:PORT]")
    parser.add_argument("--username")
    parser.add_argument("--password-file", type=Path)
    parser.add_argument("--ca-file", metavar="FILE", help="speak TLS, and trust this authority")


def add_web(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`tacada web`."""
    web = commands.add_parser("web", help="serve the pages of a hall")
    add_broker(web)
    web.add_argument(
        "--hall",
        type=slug,
        action="append",
        metavar="NAME",
        help="follow this hall; else all of the broker",
    )
    web.add_argument(
        "--name", type=slug, default="pages", help="by which the pages say that they are there"
    )
    web.add_argument("--bind", default="0.0.0.0", metavar="ADDRESS", help="default: all")
    web.add_argument("--port", type=int, default=USUAL_PORT, help="default: %(default)s")
    web.add_argument("--address", default="", metavar="URL", help="how phones reach this server")
    web.add_argument(
        "--known-as",
        action="append",
        metavar="NAME",
        help="a further name of this server, for names that the internet knows",
    )
    add_language(web, "of the pages")
    web.add_argument("--themes", type=Path, metavar="FOLDER", help="style sheets for overlays")
    web.set_defaults(run=_web)


def add_hall(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """`tacada hall`."""
    hall = commands.add_parser("hall", help="follow a hall on an LED board")
    hall.add_argument("--config", type=Path, default=Path("/etc/tacada/hall/wall.toml"))
    hall.add_argument(
        "--hall", type=slug, action="append", metavar="NAME", help="else the configured one"
    )
    hall.add_argument(
        "--show", type=slug, action="append", metavar="TABLE", help="only this; else all"
    )
    hall.add_argument("--terminal", action="store_true", help="show it here instead")
    hall.set_defaults(run=_hall)


def _hall(args: argparse.Namespace) -> int:
    from drivers.ports import Broker, Display, Message  # noqa: PLC0415
    from drivers.terminal import TerminalDisplay  # noqa: PLC0415
    from firmware.board.layout import load_layout  # noqa: PLC0415
    from firmware.clock import SystemClock  # noqa: PLC0415
    from firmware.config.file import load_config  # noqa: PLC0415 # `tacada web` needs none
    from firmware.hall.board import HallBoard, run_until_signalled  # noqa: PLC0415
    from firmware.hardware import display_broker, open_board  # noqa: PLC0415
    from firmware.i18n import load_language  # noqa: PLC0415

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    config = load_config(args.config)
    if not config.broker.host:
        why = Phrase("hall_broker", "broker.host: is missing, a hall's board needs one")
        raise FirmwareError(within(args.config, why))
    layout = load_layout(config.board.layout)
    broker: Callable[[Message, Sequence[str]], Broker] = display_broker(config)
    board = HallBoard(
        broker,
        halls=tuple(args.hall or (config.hall,)),
        name=config.table,
        layout=layout,
        language=load_language(config.language),
        clock=SystemClock(),
        only=tuple(args.show or ()),
    )

    def display() -> Display:
        if args.terminal:
            return TerminalDisplay(layout.width, layout.height)
        return open_board(config.board)

    asyncio.run(run_until_signalled(board, display))
    return 0


def _web(args: argparse.Namespace) -> int:
    try:
        import aiohttp  # noqa: F401, PLC0415 # an optional part
    except ImportError:
        raise FirmwareError(
            Phrase(
                "web_packages",
                "the pages need more Python packages: pip install 'tacada[web]'",
            )
        ) from None
    from drivers.broker import HALL_QUEUE_LENGTH, BrokerConfig, Tls  # noqa: PLC0415
    from firmware.web.hall import hall_web  # noqa: PLC0415
    from firmware.web.run import serve  # noqa: PLC0415
    from firmware.web.server import Site  # noqa: PLC0415

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    halls = tuple(args.hall or ())
    host, port = address(args.broker)
    where = BrokerConfig(
        host=host,
        port=port,
        client_id=f"tacada-web-{socket.gethostname()}-{args.name}-{args.port}",
        username=args.username,
        password=password_of(args.password_file) if args.password_file else None,
        tls=Tls(ca_file=args.ca_file) if args.ca_file else None,
        queue_length=HALL_QUEUE_LENGTH,
    )
    # What all of a hall see is in its language, whoever's shell has started this.
    args.language = args.language or language_in(DEFAULT_FILE) or DEFAULT
    words = words_of(args)
    site = Site(words.code, args.address, tuple(args.known_as or ()), args.themes)
    hall = hall_web(where, args.name, halls, site)
    asyncio.run(serve(hall, args.bind, args.port, words))
    return 0
