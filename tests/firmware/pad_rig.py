"""Pads at a table that the test plays by hand: a clock it sets, lines it keeps."""

from collections.abc import Sequence

from drivers.fakes import Listener
from drivers.pad_protocol import Hello, KeyFrame, crc
from drivers.ports import Answer, Press
from firmware.config.config import PadConfig
from firmware.devices.pads import Pads
from firmware.keys.keybook import PANELS
from firmware.keys.keymap import Keymap, load_panel
from firmware.mqtt.messages import PadStatus
from rules.carom.words import NOTATION
from tests.firmware.rig import HandClock

MS = 1_000_000


class Line:
    """A receiver that keeps what is sent, without the checks, which it verifies."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, line: bytes) -> None:
        body, _, check = line.strip().rpartition(b" ")
        assert crc(body).encode() == check
        self.sent.append(body.decode())

    def taken(self) -> list[str]:
        """What was sent since the last time."""
        sent, self.sent = self.sent, []
        return sent


class Host:
    """The table's part: presses of before a restart, faults."""

    def __init__(self) -> None:
        self.before: set[tuple[str, str]] = set()
        self.faults: set[str] = set()

    def entered(self, pad: str, id_: str) -> bool:
        return (pad, id_) in self.before

    def fault(self, code: str, *, present: bool) -> None:
        (self.faults.add if present else self.faults.discard)(code)


class Words:
    """Words that say which they are."""

    def __init__(self) -> None:
        self.stands = "0-0 A"

    def say(self, code: str, pad: str = "") -> str:
        return f"{code} {pad}".strip()

    def score(self) -> str:
        return self.stands


class Desk:
    """Pads as the table has them, their receiver, and who listens."""

    def __init__(
        self, pads: Sequence[tuple[str, str]] = (("pad1", "scorer"),), scorer: str | None = None
    ) -> None:
        keymap = Keymap(load_panel(PANELS / "carom-6.toml"), NOTATION)
        configs = [PadConfig(name, "/dev/null", role=role) for name, role in pads]  # type: ignore[arg-type]
        self.clock, self.line, self.host = HandClock(), Line(), Host()
        self.listener, self.words = Listener(), Words()
        self.status: tuple[PadStatus, ...] = ()
        self.pads = Pads(
            [(config, keymap) for config in configs],
            self.listener,
            host=self.host,
            words=self.words,
            clock=self.clock,
            on_status=self._told,
            scorer=scorer,
        )

    def _told(self, status: tuple[PadStatus, ...]) -> None:
        self.status = status

    def hello(self, pad: str = "pad1", session: str = "aaaa", number: int = 0) -> list[str]:
        self.pads.framed(self.line, Hello(pad, session, number, 80), self.clock.now_ns())
        return self.line.taken()

    def key(
        self,
        number: int,
        key: str = "plus1",
        *,
        pad: str = "pad1",
        session: str = "aaaa",
        held: bool = False,
        age_ms: int = 0,
        battery: int | None = 80,
    ) -> list[str]:
        """A press arrives; what is sent at once."""
        frame = KeyFrame(pad, session, number, key, held, age_ms, battery)
        self.pads.framed(self.line, frame, self.clock.now_ns())
        return self.line.taken()

    def answer(self, text: str = "1-0 A", answer: Answer = Answer.ACCEPTED) -> list[str]:
        """The table is done with the last press."""
        self.pads.answered(self.listener.presses[-1], answer, text)
        return self.line.taken()

    def wait(self, s: float) -> None:
        self.clock.ns += round(s * 1000) * MS
        self.pads.watch()

    def one(self) -> PadStatus:
        """How the first pad does."""
        return self.status[0]

    @property
    def presses(self) -> list[Press]:
        return self.listener.presses
