"""An MQTT broker, by way of aiomqtt 2.

What aiomqtt leaves to its user is decided here: a client whose connection failed is not used
again, as it keeps what it could not send and delivers it late; the connection is made and closed
by hand, as aiomqtt's own call cannot be given up and it forgets what it has opened; and a session
that did not end in good order ends without a farewell, so that the broker publishes the last will.
"""

import asyncio
import contextlib
import logging
import random
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import aiomqtt
from msgspec import Struct
from paho.mqtt.reasoncodes import ReasonCode

from drivers.errors import BrokerLost, first_cause
from drivers.ports import Message, Session
from drivers.reach import reached

_log = logging.getLogger(__name__)

QUEUE_LENGTH = 100
"""Messages that may wait to be read; aiomqtt drops what comes on top, with a warning."""

HALL_QUEUE_LENGTH = 20_000
"""The same for whoever follows a hall: what a broker has kept of the tables comes in one burst."""

# Otherwise Nagle's algorithm and a delayed acknowledgement add up to 40 ms to a small message.
_NO_DELAY = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)


class Tls(Struct, frozen=True):
    """An encrypted connection; each file is the path of a PEM file or none.

    Without `ca_file` the system's authorities are trusted.
    """

    ca_file: str | None = None
    cert_file: str | None = None
    key_file: str | None = None


@dataclass(frozen=True, slots=True)
class BrokerConfig:
    """Where the broker is and how to speak to it.

    `host` is a name or an address; or, beginning with `/`, the path of a Unix socket, for a broker
    on this machine that the network cannot reach.
    """

    host: str
    client_id: str
    """Must stay the same over restarts and differ from everybody else's: a broker ends the older
    of two connections with one id."""

    port: int = 1883
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: Tls | None = None
    keepalive_s: int = 10
    """A link that died silently is noticed after twice this time."""

    queue_length: int = QUEUE_LENGTH
    timeout_s: float = 5
    """How long the broker may take to accept a connection, a subscription or a message."""

    @property
    def local(self) -> bool:
        """Whether it is reached by a Unix socket."""
        return self.host.startswith("/")


class Backoff(Struct, frozen=True):
    """How long to wait between attempts, in seconds."""

    first_s: float = 0.5
    longest_s: float = 30
    healthy_s: float = 60
    """After a connection that lasted this long the next wait is a first one again."""

    def delay_s(self, failures: int, chance: float) -> float:
        """The wait after so many failures in a row, the first being 0.

        `chance`, from 0 to 1, spreads it over its whole length, lest all tables of a hall come
        back at the same moment.
        """
        # 2 ** 10 is beyond any longest wait, and a float never overflows on the way.
        return chance * min(self.longest_s, self.first_s * 2.0 ** min(failures, 10))


class MqttBroker:
    """A `Broker` on the network.

    Args:
        config: where it is.
        will: what it publishes for us when the connection breaks.
        subscriptions: topics and patterns to hear, from before `use` is called.
        backoff: the waits between attempts.
        chance: a random number from 0 to 1 for each wait.
    """

    def __init__(
        self,
        config: BrokerConfig,
        *,
        will: Message,
        subscriptions: Sequence[str] = (),
        backoff: Backoff | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._config, self._will, self._subscriptions = config, will, tuple(subscriptions)
        self._backoff, self._chance = backoff or Backoff(), chance
        self._up_since_s: float | None = None

    @property
    def connected(self) -> bool:
        """Whether a session is in use."""
        return self._up_since_s is not None

    async def serve(self, use: Callable[[Session], Awaitable[None]]) -> None:
        """Connect, hand the session to `use`, and start over when it breaks."""
        loop = asyncio.get_running_loop()
        failures = 0
        while True:
            try:
                async with self._connection() as session:
                    self._up_since_s = loop.time()
                    await _in_task_of_its_own(use, session)
                return
            except* BrokerLost as lost:
                # `use` may have met it in several tasks; one of them speaks for all.
                why = first_cause(lost)
            finally:
                up_since_s, self._up_since_s = self._up_since_s, None
            if up_since_s is not None and loop.time() - up_since_s >= self._backoff.healthy_s:
                failures = 0
            delay_s = self._backoff.delay_s(failures, self._chance())
            level = logging.INFO if failures else logging.WARNING
            _log.log(level, "%s; next attempt in %.1f s", why, delay_s)
            failures += 1
            await asyncio.sleep(delay_s)

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[Session]:
        """One connection, subscribed and ready. It ends in good order or with the last will."""
        client = self._client()
        try:
            await _enter(client, self._config)
            await self._subscribe(client)
            yield _MqttSession(client, self._name)
        except aiomqtt.MqttError as error:
            _drop(client)
            raise BrokerLost(f"{self._name}: {error}") from error
        except BaseException:
            _drop(client)
            raise
        # A link that breaks during the farewell has nothing more to lose.
        with contextlib.suppress(aiomqtt.MqttError):
            await client.__aexit__(None, None, None)

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        if not self._subscriptions:
            return
        granted = await client.subscribe([(topic, 1) for topic in self._subscriptions])
        for topic, code in zip(self._subscriptions, granted, strict=True):
            if isinstance(code, ReasonCode) and code.is_failure:
                raise BrokerLost(f"{self._name} refuses to let us hear {topic}")

    def _client(self) -> aiomqtt.Client:
        config, will = self._config, self._will
        local = config.local
        return aiomqtt.Client(
            config.host,
            config.port,
            identifier=config.client_id,
            username=config.username,
            password=config.password,
            will=aiomqtt.Will(will.topic, will.payload, will.qos, will.retained),
            clean_session=True,
            keepalive=config.keepalive_s,
            timeout=config.timeout_s,
            max_queued_incoming_messages=config.queue_length,
            transport="unix" if local else "tcp",
            socket_options=() if local else _NO_DELAY,
        )

    @property
    def _name(self) -> str:
        config = self._config
        return f"MQTT broker {config.host}" + ("" if config.local else f":{config.port}")


class _MqttSession:
    """A `Session` on one aiomqtt client."""

    def __init__(self, client: aiomqtt.Client, name: str) -> None:
        self._client, self._name = client, name

    async def publish(self, message: Message) -> None:
        """Send one message; with QoS 1 wait until the broker has it."""
        try:
            await self._client.publish(
                message.topic, message.payload, qos=message.qos, retain=message.retained
            )
        except aiomqtt.MqttError as error:
            raise BrokerLost(f"{self._name}: {error}") from error

    async def messages(self) -> AsyncIterator[Message]:
        """What arrives on the subscribed topics."""
        try:
            async for got in self._client.messages:
                yield Message(got.topic.value, got.payload, got.qos, got.retain)
        except aiomqtt.MqttError as error:
            raise BrokerLost(f"{self._name}: {error}") from error


async def _enter(client: aiomqtt.Client, config: BrokerConfig) -> None:
    """Connect. Cancelled, it leaves nothing behind that an end of the program would wait for.

    paho has no call for a connection that is there already: it is given ours in the place of the
    two methods by which it makes its own.
    """
    try:
        connection = await reached(config.host, config.port, config.timeout_s, _shaker(config))
    except OSError as error:
        raise aiomqtt.MqttError(str(error)) from None
    for name in ("_create_socket_connection", "_create_unix_socket_connection"):
        setattr(client._client, name, lambda: connection)
    entering = asyncio.ensure_future(client.__aenter__())
    try:
        await asyncio.shield(entering)
    except asyncio.CancelledError:
        entering.add_done_callback(lambda _: _drop(client))
        raise


def _shaker(config: BrokerConfig) -> Callable[[socket.socket], socket.socket]:
    """What encrypts a connection, where it is to be: the broker must be who it says it is."""

    def shake_hands(connection: socket.socket) -> socket.socket:
        if config.tls is None:
            return connection
        with connection:  # closed unless it was taken over
            context = ssl.create_default_context(cafile=config.tls.ca_file)
            if config.tls.cert_file is not None:
                context.load_cert_chain(config.tls.cert_file, config.tls.key_file)
            return context.wrap_socket(connection, server_hostname=config.host)

    return shake_hands


async def _in_task_of_its_own(use: Callable[[Session], Awaitable[None]], session: Session) -> None:
    """Use a session and stay able to be cancelled.

    A task group whose tasks fail at the moment it is cancelled reports the failures and forgets
    the cancellation (until Python 3.13). Here that happens to another task than ours.
    """
    using = asyncio.ensure_future(use(session))
    try:
        await asyncio.wait([using])
    except asyncio.CancelledError:
        using.cancel()
        await asyncio.wait([using])
        if not using.cancelled():
            using.exception()  # looked at, or asyncio would complain that nobody did
        raise
    using.result()


def _drop(client: aiomqtt.Client) -> None:
    """Cut a connection without a farewell.

    aiomqtt 2 has no call for it: it keeps the connection of a failed attempt open, and leaves
    any other with a farewell, after which a broker keeps the last will to itself. paho closes
    here, not where the loop's reader would find the end of the stream: the loop may be over then.
    """
    if not client._disconnected.done():
        client._disconnected.set_result(None)
    connection = client._client.socket()
    if isinstance(connection, socket.socket):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        client._client._sock_close()
