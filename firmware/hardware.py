"""The devices of a real table, as its configuration names them: pins, LED matrix, broker."""

from collections.abc import Callable, Sequence

from drivers.broker import Backoff, BrokerConfig, MqttBroker, Tls
from drivers.matrix import BlockOrder, Matrix, open_spi
from drivers.pins import pi_pins
from drivers.ports import Broker, Message
from firmware.app import Parts
from firmware.clock import SystemClock
from firmware.config import BoardConfig, Config, password_of
from firmware.layout import load_layout
from firmware.systemd import Systemd

RETURN = Backoff(first_s=0.25, longest_s=1.5)
"""A hall's broker is near: it is tried often enough that a table is back within two seconds."""


def pi_parts(config: Config) -> Parts:
    """Pins, display and broker of a Raspberry Pi; each is opened when it is needed.

    Raises:
        ConfigError: the password file cannot be read.
    """
    return Parts(
        clock=SystemClock(),
        display=(lambda: open_matrix(config.board)) if config.board.enabled else None,
        pins=pi_pins if config.panel.enabled else None,
        broker=mqtt_broker(config) if config.broker.host else None,
        systemd=Systemd(),
    )


def open_matrix(board: BoardConfig) -> Matrix:
    """The LED matrix on its SPI bus.

    Raises:
        DeviceMissing: names the bus and the mend.
        WiringError: names the setting that cannot be.
    """
    layout = load_layout(board.layout)
    return Matrix(
        open_spi(port=board.spi_port, device=board.spi_device, speed_hz=board.spi_hz),
        width=layout.width,
        height=layout.height,
        orientation=board.orientation,
        order=BlockOrder(
            from_right=board.from_right,
            from_bottom=board.from_bottom,
            serpentine=board.serpentine,
            turned=board.turned,
        ),
        contrast=board.contrast,
    )


def mqtt_broker(config: Config) -> Callable[[Message, Sequence[str]], Broker]:
    """What makes the configured broker from a last will and the topics to hear.

    Raises:
        ConfigError: the password file cannot be read.
    """
    settings = config.broker
    where = BrokerConfig(
        host=settings.host,
        # One table, one client: a broker ends the older of two with the same id.
        client_id=f"tacada-{config.hall}-{config.table}",
        port=settings.port,
        username=settings.username or None,
        password=password_of(settings.password_file) if settings.password_file else None,
        tls=Tls(ca_file=settings.ca_file or None) if settings.tls else None,
    )
    return lambda will, topics: MqttBroker(where, will=will, subscriptions=topics, backoff=RETURN)
