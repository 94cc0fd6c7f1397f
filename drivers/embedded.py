"""An MQTT broker inside this process, for demonstrations where no other is at hand.

amqtt speaks MQTT 3.1.1, keeps retained messages in memory only and sends a later subscriber
each of them twice; for a club use mosquitto.
"""

import contextlib
import logging
import socket
from collections.abc import AsyncIterator

from drivers.errors import DeviceMissing
from drivers.phrases import Phrase

USUAL_PORT = 1883


def free_port(wanted: int = USUAL_PORT) -> int:
    """The wanted loopback port, or another one if that is taken."""
    for port in (wanted, 0):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            taken: int = probe.getsockname()[1]
            return taken
    raise DeviceMissing(Phrase("no_free_port", "no loopback port is free for the broker"))


@contextlib.asynccontextmanager
async def embedded_broker(port: int) -> AsyncIterator[None]:
    """A broker on a loopback port for as long as the context lasts; everybody may connect.

    Raises:
        DeviceMissing: the package amqtt is not installed, or the port is taken.
    """
    try:
        from amqtt.broker import Broker  # noqa: PLC0415 # heavy, and only for demonstrations
    except ImportError as error:
        raise DeviceMissing(
            Phrase(
                "no_amqtt",
                "the Python package amqtt is missing: pip install 'tacada[demo]', or name a broker",
            )
        ) from error
    # It logs every packet as if it were news.
    for name in ("amqtt", "transitions"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    broker = Broker(
        {
            "listeners": {"default": {"type": "tcp", "bind": f"127.0.0.1:{port}"}},
            "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {}},
        }
    )
    try:
        await broker.start()
    except Exception as error:  # amqtt has no error of its own for a taken port
        raise DeviceMissing(
            Phrase(
                "broker_port",
                "the broker cannot listen on port {port}: {why}",
                port=port,
                why=str(error),
            )
        ) from error
    try:
        yield
    finally:
        await broker.shutdown()
