"""The access list that comes with the firmware, on a real broker: who may say what."""

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import msgspec
import pytest

from firmware.commands import Enter
from firmware.config.config import BrokerSettings
from tests.firmware.room import Room, in_room, score
from tests.hall.room import table
from tests.hall.test_programs import ended, get, start
from tests.mosquitto import Mosquitto
from tests.ports import free_port

SYSTEMD = Path(__file__).parents[2] / "systemd"

USERS = ("table-1", "table-2", "desk", "pages", "tv")

ENTER = msgspec.json.encode(Enter(id="x1", expect_seq=0, act="+1"))


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with the shipped list, where each user's password is his name."""
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    for user in USERS:
        subprocess.run(["mosquitto_passwd", "-b", passwords, user, user], check=True)
    acl = tmp_path / "hall.acl"
    acl.write_text((SYSTEMD / "mosquitto-hall.acl").read_text("utf-8"))
    acl.chmod(0o600)
    broker = Mosquitto(
        tmp_path / "m", f"allow_anonymous false\npassword_file {passwords}\nacl_file {acl}\n"
    )
    broker.encrypt()
    broker.start()
    yield broker
    broker.stop()


def client(broker: Mosquitto, user: str | None) -> aiomqtt.Client:
    return aiomqtt.Client(
        "127.0.0.1",
        port=broker.port,
        username=user,
        password=user,
        tls_params=aiomqtt.TLSParameters(ca_certs=broker.certificate),
        protocol=aiomqtt.ProtocolVersion.V5,
    )


async def heard(broker: Mosquitto, user: str, topic: str, payload: bytes) -> bool:
    """Whether what a user publishes reaches the one who would have to act on it."""
    reader = "table-1" if topic.startswith("tacada/clube/1/command") else "tv"
    async with client(broker, reader) as listening:
        await listening.subscribe(topic, qos=1)
        async with client(broker, user) as saying:
            await saying.publish(topic, payload, qos=1)
        try:
            async with asyncio.timeout(0.6):
                async for _ in listening.messages:
                    return True
        except TimeoutError:
            pass
    return False


COMMAND, STATE = "tacada/clube/1/command/enter", "tacada/clube/1/state"


@pytest.mark.parametrize(
    ("user", "topic", "may"),
    [
        ("desk", COMMAND, True),
        ("tv", COMMAND, False),
        ("pages", COMMAND, False),
        ("pages", "tacada/clube/1/command/press", True),
        ("table-2", COMMAND, False),
        ("table-1", STATE, True),
        ("table-2", STATE, False),
        ("desk", STATE, False),
        ("tv", STATE, False),
        ("pages", STATE, False),
        ("table-2", "tacada/clube/1/availability", False),
        ("table-2", "tacada/clube/1/beat", False),
        ("table-2", "tacada/clube/1/presence", False),
        ("table-2", "tacada/clube/2/state", True),
        ("tv", "tacada/displays/tv/presence", True),
        ("tv", "tacada/displays/pages/presence", False),
        ("tv", "tacada/clube/tv/state", False),
    ],
)
def test_who_may_say_what(guarded: Mosquitto, user: str, topic: str, may: bool) -> None:
    """Ask 126: nobody but the table says its state, nobody but the desk commands it."""
    assert asyncio.run(heard(guarded, user, topic, ENTER)) is may


@pytest.mark.parametrize(("user", "password"), [(None, None), ("table-1", "x"), ("nobody", "x")])
def test_nobody_without_a_name_is_let_in(
    guarded: Mosquitto, user: str | None, password: str | None
) -> None:
    async def run() -> None:
        stranger = aiomqtt.Client(
            "127.0.0.1",
            port=guarded.port,
            username=user,
            password=password,
            tls_params=aiomqtt.TLSParameters(ca_certs=guarded.certificate),
        )
        with pytest.raises(aiomqtt.MqttError):
            async with stranger:
                pass

    asyncio.run(run())


def test_what_is_asked_of_a_table_is_heard_by_it_alone(guarded: Mosquitto) -> None:
    assert not asyncio.run(heard(guarded, "desk", "tacada/clube/2/command/enter", ENTER))


def test_a_whole_table_behind_it_encrypted_and_by_name(guarded: Mosquitto, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("table-1\n")
    settings = BrokerSettings(
        host="127.0.0.1",
        port=guarded.port,
        username="table-1",
        password_file=str(password),
        tls=True,
        ca_file=guarded.certificate,
    )

    async def run() -> None:
        async with table(tmp_path, settings), client(guarded, "desk") as desk:
            await desk.subscribe("tacada/clube/1/availability", qos=1)
            await desk.subscribe("tacada/clube/1/reply/+", qos=1)
            async with asyncio.timeout(10):
                async for message in desk.messages:
                    if message.payload == b"online":
                        await desk.publish(COMMAND, ENTER, qos=1)
                    elif message.topic.matches("tacada/clube/1/reply/enter"):
                        assert msgspec.json.decode(message.payload)["score"] == [1, 0]
                        return

    asyncio.run(run())


def test_the_pages_and_a_board_behind_it_say_that_they_are_there(
    guarded: Mosquitto, tmp_path: Path
) -> None:
    """`tacada web` and `tacada hall` as a person starts them, with what the list allows them."""
    for user in ("pages", "tv"):
        (tmp_path / user).write_text(f"{user}\n")
    file = tmp_path / "hall.toml"
    file.write_text(
        'schema = 1\nhall = "clube"\ntable = "tv"\n[broker]\nhost = "127.0.0.1"\n'
        f'port = {guarded.port}\nusername = "tv"\npassword_file = "{tmp_path}/tv"\n'
        f'tls = true\nca_file = "{guarded.certificate}"\n'
    )
    where = ("--broker", f"127.0.0.1:{guarded.port}", "--ca-file", guarded.certificate)
    mine = ("--username", "pages", "--password-file", str(tmp_path / "pages"))

    async def run() -> None:
        port = free_port()
        web = await start(
            "web", *where, *mine, "--hall", "clube", "--bind", "127.0.0.1", "--port", str(port)
        )
        board = await start("hall", "--config", str(file), "--terminal")
        for _ in range(100):
            devices = await get(port, "/devices?lang=en")
            if devices.count('class="here"') == 2:
                break
            await asyncio.sleep(0.1)
        else:
            pytest.fail(devices)
        for program in (web, board):
            assert (await ended(program))[0] == 0

    asyncio.run(run())


def test_a_table_that_the_broker_refuses_is_played_at_its_panel_all_the_same(
    guarded: Mosquitto, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Ask 125: no rule of the network locks out who stands at the table."""
    password = tmp_path / "password"
    password.write_text("yesterday's\n")
    refused = BrokerSettings(
        host="127.0.0.1",
        port=guarded.port,
        username="table-1",
        password_file=str(password),
        tls=True,
        ca_file=guarded.certificate,
    )

    async def evening(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: score(view) == (0, 0))
        async with asyncio.timeout(10):
            while "Not authorized" not in caplog.text:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (1, 0))
        assert not table.done()

    async def morning(room: Room, table: "asyncio.Task[None]") -> None:
        await room.until(lambda view: score(view) == (1, 0))
        await asyncio.sleep(0.5)  # nobody is at a key before the score is read
        await room.finger.press("plus1")
        await room.until(lambda view: score(view) == (2, 0))

    for played in (evening, morning):
        in_room(lambda: Room(tmp_path, more={"broker": refused}), played)
