"""Handheld pads at a table: each press acts once, and its pad is told what became of it.

Between the receivers (`drivers/pad.py`) and the owner of the match. The rules are those of
docs/pad-protocol.md. A press that the table knows is answered again and does nothing more, also
after a restart: the record keeps the pad and its number.
"""

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

from drivers.pad_protocol import (
    HELLO_MS,
    LATE_MS,
    WINDOW,
    Frame,
    Hello,
    KeyFrame,
    answer_line,
    ask_line,
    tell_line,
)
from drivers.ports import Answer, KeyListener, Press
from firmware.clock import Clock
from firmware.devices.scorer import Claim, Scorer
from firmware.keys.keymap import Keymap
from firmware.mqtt.messages import PadStatus

_log = logging.getLogger(__name__)

_MS = 1_000_000

ABSENT_MS = 3 * HELLO_MS
"""A pad that has said nothing for so long is not there."""

WATCH_PADS_S = 5.0
"""How often to see which pads have fallen silent."""

PAST = 16
"""So many sessions of a pad are remembered. Their numbers are drawn by lot: of all since the start
one would come again some day, and its pad be refused."""

LOW_BATTERY = 15
"""Percent at and below which the board says so."""

_CLAIMED = {
    Claim.NOT_SCORER: Answer.REFUSED,
    Claim.TAKEOVER: Answer.WAITING,
    Claim.TAKEN_OVER: Answer.ACCEPTED,
}

TOO_LATE, TWO_PADS, UNKNOWN_PAD = "too_late", "two_pads", "unknown_pad"


class PadSettings(Protocol):
    """What the configuration says of a pad."""

    @property
    def name(self) -> str:
        """Its name: the device of its records."""

    @property
    def serial(self) -> str:
        """Its receiver."""

    @property
    def role(self) -> str:
        """`scorer`: one of these at a time. `open`: always heard."""


class Link(Protocol):
    """The receiver by which a pad was heard last."""

    def send(self, line: bytes) -> None:
        """Send a line to the pads behind it."""


class Words(Protocol):
    """What pads are told, in the language of the board."""

    def say(self, code: str, pad: str = "") -> str:
        """Why a press was not acted upon, or what another pad does."""

    def score(self) -> str:
        """How the match stands."""


class Host(Protocol):
    """What the pads ask of the table."""

    def entered(self, pad: str, id_: str) -> bool:
        """Whether the match has a record of this press."""

    def fault(self, code: str, *, present: bool) -> None:
        """Something about a pad is wrong, or is no more."""


class _Pad(Struct):
    """One pad as the table knows it."""

    settings: PadSettings
    keymap: Keymap
    session: str = ""
    past: deque[str] = field(default_factory=lambda: deque(maxlen=PAST))
    """The last sessions before this one: what speaks in one of them is another device."""
    number: int = 0
    """The last press that is known."""
    answer: bytes | None = None
    """What it was answered; none while it is being judged."""
    link: Link | None = None
    seen_ms: int | None = None
    seen_wall_ms: int | None = None
    battery: int | None = None
    doubled_ms: int | None = None
    """When another pad last spoke with its name."""
    told: str = ""
    """The last text that it was sent of the table's own accord."""

    @property
    def name(self) -> str:
        return self.settings.name

    def send(self, line: bytes) -> None:
        if self.link is not None:
            self.link.send(line)


class Pads:
    """All pads of a table. All calls come from the event loop.

    Args:
        pads: each pad's settings and keys.
        listener: told of presses, as a panel tells it.
        host: the table.
        words: in which pads are answered.
        on_status: told of each change of how they do.
        scorer: the pad that keeps score in the match that was taken up.
    """

    def __init__(
        self,
        pads: Sequence[tuple[PadSettings, Keymap]],
        listener: KeyListener,
        *,
        host: Host,
        words: Words,
        clock: Clock,
        on_status: Callable[[tuple[PadStatus, ...]], None],
        scorer: str | None = None,
    ) -> None:
        self._pads: Mapping[str, _Pad] = {
            settings.name: _Pad(settings, keymap) for settings, keymap in pads
        }
        self._listener, self._host, self._words, self._clock = listener, host, words, clock
        self._scorer = Scorer(scorer if scorer in self._pads else None)
        self._on_status = on_status
        self._status: tuple[PadStatus, ...] = ()
        self._strangers: set[str] = set()
        self._report()

    def use(self, keymaps: Mapping[str, Keymap]) -> None:
        """Other keys for each pad, by its name: another game is played."""
        for name, keymap in keymaps.items():
            self._pads[name].keymap = keymap

    def framed(self, link: Link, frame: Frame, t_ns: int) -> None:
        """A pad said something; `t_ns` is the monotonic clock when it had arrived."""
        pad = self._pads.get(frame.pad)
        if pad is None:
            self._stranger(link, frame)
            return
        if frame.session in pad.past:
            pad.doubled_ms = t_ns // _MS
            self._host.fault(f"2x {pad.name}", present=True)
            if isinstance(frame, KeyFrame):
                link.send(self._refused(pad.name, frame.id, TWO_PADS))
            return
        pad.link = link
        pad.seen_ms, pad.seen_wall_ms = t_ns // _MS, self._clock.wall_ms()
        pad.battery = frame.battery
        match frame:
            case Hello():
                self._greeted(pad, frame)
            case KeyFrame():
                self._key(pad, frame, t_ns)
        self._report()

    def opened(self, link: Link, serial: str) -> None:
        """A receiver is there: its pads are asked to say hello."""
        for pad in self._pads.values():
            if pad.settings.serial == serial:
                link.send(ask_line(pad.name))

    def answered(self, press: Press, answer: Answer, text: str) -> None:
        """The table is done with a press: its pad is told, now and each time it asks again."""
        pad = self._pads.get(press.device)
        if pad is None or press.id != f"{pad.session}.{pad.number}":
            return
        pad.answer = answer_line(answer, pad.name, press.id, text)
        pad.told = text if answer is Answer.ACCEPTED else ""
        pad.send(pad.answer)

    def scored(self) -> None:
        """The score has changed: each pad that is there shows it, unless it waits for an answer."""
        text = self._words.score()
        for pad in self._pads.values():
            if self._present(pad) and pad.told != text and (pad.answer or not pad.number):
                self._tell(pad, text)

    def watch(self) -> None:
        """See who has fallen silent; to be called every few seconds."""
        now_ms = self._clock.now_ns() // _MS
        for pad in self._pads.values():
            if pad.doubled_ms is not None and now_ms - pad.doubled_ms >= ABSENT_MS:
                pad.doubled_ms = None
                self._host.fault(f"2x {pad.name}", present=False)
        self._report()

    def _greeted(self, pad: _Pad, hello: Hello) -> None:
        if hello.session != pad.session:
            if pad.session:
                pad.past.append(pad.session)
            pad.session, pad.number, pad.answer = hello.session, hello.number, None
            pad.told = ""
        elif hello.number > pad.number:
            pad.number, pad.answer = hello.number, None
        self._tell(pad, self._words.score())

    def _key(self, pad: _Pad, frame: KeyFrame, t_ns: int) -> None:
        if frame.session != pad.session or frame.number > pad.number + WINDOW:
            pad.send(ask_line(pad.name))
        elif frame.number == pad.number and pad.answer is not None:
            # The answer was lost. One that is not there yet comes when it comes.
            pad.send(pad.answer)
        elif frame.number < pad.number:
            pad.send(self._refused(pad.name, frame.id, TOO_LATE))
        elif frame.number > pad.number:
            pad.number, pad.answer = frame.number, None
            self._new(pad, frame, t_ns)

    def _new(self, pad: _Pad, frame: KeyFrame, t_ns: int) -> None:
        if self._host.entered(pad.name, frame.id):
            # Before a restart it was committed, and perhaps not answered any more.
            pad.answer = answer_line(Answer.ACCEPTED, pad.name, frame.id, self._words.score())
            pad.send(pad.answer)
        elif frame.age_ms > LATE_MS:
            self._ignore(pad, frame, TOO_LATE)
        elif frame.key not in pad.keymap.layout.keys:
            self._ignore(pad, frame, "no_key")
        elif self._keeps_score(pad, frame, t_ns):
            self._listener.heard(pad.name, frame.key)
            self._listener.pressed(
                Press(
                    pad.name,
                    frame.number,
                    frame.key,
                    frame.held,
                    t_ns - frame.age_ms * _MS,
                    frame.id,
                    frame.long,
                )
            )

    def _keeps_score(self, pad: _Pad, frame: KeyFrame, t_ns: int) -> bool:
        """Whether a pad may enter anything; the role changes hands here."""
        if pad.settings.role != "scorer":
            return True
        owner = self._scorer.owner
        is_ok = frame.key in pad.keymap.ok_keys
        claim = self._scorer.claim(pad.name, is_ok=is_ok, held=frame.held, now_ms=t_ns // _MS)
        if claim is Claim.KEEPS:
            return True
        assert owner is not None
        self._tell(self._pads[owner], self._words.say(f"owner_{claim}", pad.name))
        pad.answer = answer_line(_CLAIMED[claim], pad.name, frame.id, self._words.say(claim, owner))
        pad.send(pad.answer)
        self._listener.ignored(pad.name, pad.name, claim)
        if claim is Claim.TAKEN_OVER:
            _log.warning("%s keeps score in the place of %s", pad.name, owner)
        return False

    def _ignore(self, pad: _Pad, frame: KeyFrame, why: str) -> None:
        """A press does nothing; pad and board say why."""
        pad.answer = self._refused(pad.name, frame.id, why)
        pad.send(pad.answer)
        self._listener.ignored(pad.name, frame.key, why)

    def _refused(self, pad: str, id_: str, why: str) -> bytes:
        return answer_line(Answer.REFUSED, pad, id_, self._words.say(why))

    def _tell(self, pad: _Pad, text: str) -> None:
        pad.told = text
        pad.send(tell_line(pad.name, text))

    def _stranger(self, link: Link, frame: Frame) -> None:
        """A pad that the configuration does not name."""
        if frame.pad not in self._strangers and len(self._strangers) < 100:
            self._strangers.add(frame.pad)
            _log.warning("pads: there is no pad %s in the configuration", frame.pad)
        if isinstance(frame, KeyFrame):
            link.send(self._refused(frame.pad, frame.id, UNKNOWN_PAD))

    def _present(self, pad: _Pad) -> bool:
        now_ms = self._clock.now_ns() // _MS
        return pad.seen_ms is not None and now_ms - pad.seen_ms < ABSENT_MS

    def _report(self) -> None:
        """Tell how the pads do, if it is news."""
        status = tuple(self._one(pad) for pad in self._pads.values())
        if status == self._status:
            return
        for now, pad in zip(status, self._pads.values(), strict=True):
            gone = now.scorer and not now.present and pad.seen_ms is not None
            self._host.fault(f"PAD {pad.name}", present=gone)
            low = now.present and now.battery is not None and now.battery <= LOW_BATTERY
            self._host.fault(f"BATT {pad.name}", present=low)
        self._status = status
        self._on_status(status)

    def _one(self, pad: _Pad) -> PadStatus:
        return PadStatus(
            name=pad.name,
            present=self._present(pad),
            scorer=pad.name == self._scorer.owner,
            battery=pad.battery,
            last_seen_ms=None if pad.seen_wall_ms is None else pad.seen_wall_ms // 60_000 * 60_000,
        )
