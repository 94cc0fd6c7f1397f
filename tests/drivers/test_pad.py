"""The receiver of pads on real ptys, plugged in and out."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from drivers.errors import DeviceMissing
from drivers.pad import MOST_WAITING, PadReceiver, find_port
from drivers.pad_protocol import Frame, Hello, KeyFrame, crc
from tests.drivers.cable import Cable
from tests.drivers.noise import mutated, noise, spoken


class Heard:
    """A `PadListener` that keeps what it is told."""

    def __init__(self) -> None:
        self.frames: list[tuple[Frame, int]] = []
        self.links: list[str] = []
        self._news = asyncio.Event()

    def framed(self, receiver: PadReceiver, frame: Frame, t_ns: int) -> None:
        self.frames.append((frame, t_ns))
        self._news.set()

    def linked(self, receiver: PadReceiver, reason: str) -> None:
        self.links.append(reason)
        self._news.set()

    async def until(self, met: Callable[[], bool], within_s: float = 5) -> None:
        async with asyncio.timeout(within_s):
            while not met():
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def listening(path: Path) -> AsyncIterator[tuple[PadReceiver, Heard]]:
    heard = Heard()
    receiver = PadReceiver(str(path), heard)
    task = asyncio.create_task(receiver.run())
    try:
        yield receiver, heard
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def scene(test: Callable[[], Awaitable[None]]) -> None:
    async def run() -> None:
        await test()

    asyncio.run(run())


def hello(number: int) -> bytes:
    text = f"H pad1 5f3a.{number} 84".encode()
    return text + b" " + crc(text).encode() + b"\n"


async def eventually(met: Callable[[], bool], within_s: float = 5) -> None:
    async with asyncio.timeout(within_s):
        while not met():  # noqa: ASYNC110 # a pty tells nobody
            await asyncio.sleep(0.002)


def test_frames_come_with_the_time_of_their_arrival(tmp_path: Path) -> None:
    async def test() -> None:
        cable = Cable(tmp_path / "port").plug()
        async with listening(cable.path) as (receiver, heard):
            await heard.until(lambda: heard.links == [""])
            before_ns = time.monotonic_ns()
            cable.write(b"\nnoise" + hello(0) + hello(1))
            cable.write(hello(2)[:7])
            cable.write(hello(2)[7:] + hello(3))
            await heard.until(lambda: len(heard.frames) == 3)
            assert [frame for frame, _ in heard.frames] == [
                Hello("pad1", "5f3a", number, 84) for number in (1, 2, 3)
            ]
            assert receiver.bad_lines == 1
            times = [before_ns, *(t_ns for _, t_ns in heard.frames), time.monotonic_ns()]
            assert times == sorted(times)
        cable.unplug()

    scene(test)


def test_lines_are_sent(tmp_path: Path) -> None:
    async def test() -> None:
        cable = Cable(tmp_path / "port").plug()
        async with listening(cable.path) as (receiver, heard):
            receiver.send(b"before it is there\n")
            await heard.until(lambda: heard.links == [""])
            got = b""
            receiver.send(b"one\n")
            receiver.send(b"two\n")

            def came() -> bool:
                nonlocal got
                got += cable.read()
                return got == b"one\ntwo\n"

            await eventually(came)
        cable.unplug()

    scene(test)


def test_a_port_that_takes_nothing_holds_nobody_up(tmp_path: Path) -> None:
    """A pty whose far end is not read fills up after some thousand bytes."""

    async def test() -> None:
        cable = Cable(tmp_path / "port").plug()
        async with listening(cable.path) as (receiver, heard):
            await heard.until(lambda: heard.links == [""])
            longest_s, sent = 0.0, 0
            for nth in range(3000):
                start = time.perf_counter()
                receiver.send(b"%07d\n" % nth)
                longest_s = max(longest_s, time.perf_counter() - start)
                sent += 8
                if nth % 50 == 0:
                    await asyncio.sleep(0)
            assert sent > 4 * MOST_WAITING
            assert longest_s < 0.5, "a blocking write would never have come back"
            cable.write(hello(1))
            await heard.until(lambda: len(heard.frames) == 1)
            got = b""

            def came() -> bool:
                nonlocal got
                data = cable.read()
                got += data
                return not data and len(got) > 0

            await eventually(came)
            numbers = [int(line) for line in got.split()]
            assert numbers == sorted(set(numbers))
            receiver.send(b"after\n")
            await eventually(lambda: b"after\n" in cable.read())
        cable.unplug()

    scene(test)


def test_a_hundred_times_pulled_out_and_back_within_three_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked for every half second, here every hundredth; its name is another each time."""
    monkeypatch.setattr("drivers.plugged.LOOK_EVERY_S", 0.01)

    async def test() -> None:
        cable = Cable(tmp_path / "port")
        async with listening(cable.path) as (_, heard):
            for nth in range(100):
                cable.plug()
                await heard.until(lambda: heard.links[-1:] == [""], within_s=3)
                cable.write(hello(nth))
                await heard.until(lambda nth=nth: len(heard.frames) == nth + 1)  # type: ignore[misc]
                heard.links.clear()
                cable.unplug()
                await heard.until(lambda: heard.links != [])
        assert [frame.number for frame, _ in heard.frames] == list(range(100))

    scene(test)


def test_at_its_own_pace_it_is_back_within_three_seconds(tmp_path: Path) -> None:
    async def test() -> None:
        cable = Cable(tmp_path / "port").plug()
        async with listening(cable.path) as (_, heard):
            await heard.until(lambda: heard.links == [""])
            cable.unplug()
            await heard.until(lambda: len(heard.links) == 2)
            assert "is the receiver plugged in" in heard.links[1]
            await asyncio.sleep(0.2)
            cable.plug()
            await heard.until(lambda: heard.links[-1] == "", within_s=3)
            cable.write(hello(7))
            await heard.until(lambda: len(heard.frames) == 1)
        cable.unplug()

    scene(test)


def test_a_port_replaced_between_two_looks_is_noticed(tmp_path: Path) -> None:
    async def test() -> None:
        cable = Cable(tmp_path / "port").plug()
        async with listening(cable.path) as (_, heard):
            await heard.until(lambda: heard.links == [""])
            cable.unplug()
            cable.plug()
            await heard.until(lambda: heard.links == ["", ""], within_s=3)
            cable.write(hello(1))
            await heard.until(lambda: len(heard.frames) == 1)
        cable.unplug()

    scene(test)


def test_a_port_that_somebody_else_has_is_named(tmp_path: Path) -> None:
    async def test() -> None:
        cable = Cable(tmp_path / "port").plug()
        async with listening(cable.path) as (_, first):
            await first.until(lambda: first.links == [""])
            async with listening(cable.path) as (_, second):
                await second.until(lambda: len(second.links) == 1)
                assert "nobody else may use it" in second.links[0]
        cable.unplug()

    scene(test)


def test_noise_on_the_wire_is_no_key(tmp_path: Path) -> None:
    async def test() -> None:
        cable = Cable(tmp_path / "port").plug()
        async with listening(cable.path) as (receiver, heard):
            await heard.until(lambda: heard.links == [""])
            bad = [line for _, line in mutated(500, seed=5)] + list(noise(500, seed=5))
            good = [line for _, line in spoken(20, seed=6)]
            for line in [*bad, b"", *good]:
                await cable.pour(line + b"\n")
            await heard.until(lambda: len(heard.frames) >= 20)
            assert [frame for frame, _ in heard.frames] == [
                frame for frame, _ in spoken(20, seed=6)
            ]
            assert any(isinstance(frame, KeyFrame) for frame, _ in heard.frames)
            assert receiver.bad_lines > 900
        cable.unplug()

    scene(test)


def usb(device: str, vid: int | None, serial: str | None) -> ListPortInfo:
    port = ListPortInfo(device)
    port.vid, port.pid, port.serial_number = vid, 0x6001, serial
    return port


PORTS = [
    usb("/dev/ttyAMA0", None, None),
    usb("/dev/ttyUSB0", 0x0403, "A1"),
    usb("/dev/ttyUSB1", 0x0403, "A12"),
    usb("/dev/ttyACM0", 0x2E8A, None),
]


@pytest.mark.parametrize(
    ("identity", "device"),
    [
        ("usb:2e8a:6001", "/dev/ttyACM0"),
        ("usb:0403:6001:A1", "/dev/ttyUSB0"),
        ("usb:0403:6001:A12", "/dev/ttyUSB1"),
    ],
)
def test_an_adapter_is_found_by_what_it_is(identity: str, device: str) -> None:
    assert find_port(identity, lambda: PORTS) == device


@pytest.mark.parametrize(
    ("identity", "words"),
    [
        ("usb:0403:6001", "more than one adapter: name its serial too"),
        ("usb:0403:6001:A", "not plugged in: plug it in; USB adapters there: usb:0403:6001:A1, "),
        ("usb:1a86:7523", "not plugged in"),
        ("/dev/serial/by-id/nothing", "is the receiver plugged in"),
    ],
)
def test_an_adapter_that_is_not_there_is_named_with_those_that_are(
    identity: str, words: str
) -> None:
    with pytest.raises(DeviceMissing, match=words):
        find_port(identity, lambda: PORTS)


def test_what_is_plugged_in_here_can_be_listed() -> None:
    with pytest.raises(DeviceMissing, match="not plugged in"):
        find_port("usb:ffff:ffff")
