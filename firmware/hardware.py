"""The devices of a real table, as its configuration names them: pins, LED matrix, broker."""

from collections.abc import Callable, Sequence
from functools import partial

from drivers.blocks import BlockOrder
from drivers.broker import HALL_QUEUE_LENGTH, QUEUE_LENGTH, Backoff, BrokerConfig, MqttBroker, Tls
from drivers.joined import Joined, Part
from drivers.matrix import Matrix, open_spi
from drivers.pins import pi_pins
from drivers.ports import Broker, Display, Message
from firmware.board.config import BoardConfig, ChainConfig
from firmware.board.layout import load_layout
from firmware.clock import SystemClock
from firmware.config.config import Config, password_of
from firmware.parts import Parts
from firmware.systemd import Systemd

RETURN = Backoff(first_s=0.25, longest_s=1.0)
"""A hall's broker is near: it is tried often enough that a table is back, and a display has heard
its beat, within two seconds."""


def pi_parts(config: Config) -> Parts:
    """Pins, display and broker of a Raspberry Pi; each is opened when it is needed.

    Raises:
        ConfigError: the password file cannot be read.
    """
    return Parts(
        clock=SystemClock(),
        display=partial(open_board, config.board) if config.board.enabled else None,
        more=tuple(partial(open_board, board) for board in config.boards if board.enabled),
        pins=pi_pins if config.panel.enabled else None,
        broker=mqtt_broker(config) if config.broker.host else None,
        systemd=Systemd(),
    )


def open_board(board: BoardConfig, *, plain: bool = False) -> Display:
    """An LED matrix on its SPI bus, of one chain or several; `plain` leaves their order aside.

    Raises:
        DeviceMissing: names the bus and the mend.
        WiringError: names the setting that cannot be.
    """
    layout = load_layout(board.layout)
    chains = board.as_chains(layout)
    share = board.max_ma / len(chains)
    parts = [
        Part(_opened(chain, board.contrast, share, plain=plain), chain.x, chain.y)
        for chain in chains
    ]
    alone = len(parts) == 1 and not board.chains
    return parts[0].display if alone else Joined(parts, width=layout.width, height=layout.height)


def _opened(chain: ChainConfig, contrast: int, limit_ma: float, *, plain: bool) -> Matrix:
    order = BlockOrder(
        from_right=chain.from_right,
        from_bottom=chain.from_bottom,
        serpentine=chain.serpentine,
        turned=chain.turned,
        read=chain.blocks,
    )
    return Matrix(
        open_spi(port=chain.spi_port, device=chain.spi_device, speed_hz=chain.spi_hz),
        width=chain.width,
        height=chain.height,
        orientation=chain.orientation,
        order=BlockOrder() if plain else order,
        contrast=contrast,
        limit_ma=limit_ma,
    )


def mqtt_broker(config: Config) -> Callable[[Message, Sequence[str]], Broker]:
    """What makes the configured broker from a last will and the topics to hear.

    Raises:
        ConfigError: the password file cannot be read.
    """
    # One table, one client: a broker ends the older of two with the same id.
    return _broker(config, f"tacada-{config.hall}-{config.table}", QUEUE_LENGTH)


def display_broker(config: Config) -> Callable[[Message, Sequence[str]], Broker]:
    """The same for a display that follows many tables.

    Raises:
        ConfigError: the password file cannot be read.
    """
    return _broker(config, f"tacada-hall-{config.hall}-{config.table}", HALL_QUEUE_LENGTH)


def _broker(
    config: Config, client_id: str, queue_length: int
) -> Callable[[Message, Sequence[str]], Broker]:
    settings = config.broker
    where = BrokerConfig(
        host=settings.host,
        client_id=client_id,
        port=settings.port,
        username=settings.username or None,
        password=password_of(settings.password_file) if settings.password_file else None,
        tls=Tls(ca_file=settings.ca_file or None) if settings.tls else None,
        queue_length=queue_length,
    )
    return lambda will, topics: MqttBroker(where, will=will, subscriptions=topics, backoff=RETURN)
