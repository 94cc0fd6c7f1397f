"""What a display knows of the tables of a hall, from the messages alone (docs/mqtt.md).

Pure: the time is passed in, milliseconds of the display's own monotonic clock. A table is live
only while its beats say so: one must have come since the display subscribed, agree with the score
that is shown, and be no older than the table allows. Before and after, the score is what was last
known, with the time for which nothing was heard. No wall clock is compared, the retained flag is
not looked at, and what a newer table says beyond what is known here is left out.
"""

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from firmware.mqtt.messages import (
    DISPLAYS,
    Beat,
    ClockMessage,
    EntryMessage,
    Log,
    NoticeMessage,
    Presence,
    Status,
)
from rules.clock import ClockState
from rules.scoreline import SCHEMA, STALE_AFTER_S, Scoreline

MOST_BYTES = 65_536
"""No message of a table is longer."""

MOST_TABLES = 2000
"""More are not followed: somebody invents names."""

CLASH_MS = 30_000
"""For so long after two tables with one name were last heard in turn, they are an alarm."""

OFFSETS = 8
"""Beats of which the one that was quickest on its way tells the match time."""

KEPT = 3
"""Entries and notices that are kept of each table."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_DIGITS = re.compile(r"(\d+)")


class TableNow(Struct, frozen=True):
    """A table as far as a display knows it at one moment.

    `line` is the score, none while there is none that can be read. It is `live` until
    `live_until_ms` if nothing more comes. While it is not, it is what was last known, and nothing
    was heard of the table for `silent_ms`. `offline`: the table
    or its broker said that it is gone. `clash`: two tables have this name. `newer`: the table
    speaks a later version than this display reads. `clock` are its clocks, with `t_ms` the match
    time now, none unless live. `gone_ms` is how long ago a display went, where we have seen it go.
    `log` are the last records of a match. `notice` is what was announced last, `notice_age_ms` ago.
    """

    hall: str
    table: str
    line: Scoreline | None = None
    live: bool = False
    live_until_ms: int | None = None
    silent_ms: int = 0
    offline: bool = False
    clash: bool = False
    newer: bool = False
    clock: ClockState | None = None
    t_ms: int | None = None
    status: Status | None = None
    presence: Presence | None = None
    gone_ms: int | None = None
    notice: NoticeMessage | None = None
    notice_age_ms: int = 0
    last: tuple[EntryMessage, ...] = ()
    log: Log | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from all others: its hall and its name."""
        return self.hall, self.table

    @property
    def shows(self) -> bool:
        """Whether there is anything of a table to show; else it was taken away, or is none."""
        return self.line is not None or self.newer or (self.live and not self.offline)


class Followed:
    """One table, message by message."""

    def __init__(self, hall: str, table: str, now_ms: int) -> None:
        self.hall, self.table = hall, table
        self._since_ms = now_ms
        self._line: Scoreline | None = None
        self._older: Scoreline | None = None
        """A state that came after a later one of the same match: from a broker's store, or the
        truth, if a table lost records. A beat decides."""
        self._clock: ClockMessage | None = None
        self._beat: Beat | None = None
        self._beat_ms = now_ms
        self._proved_ms: int | None = None
        """When a beat last proved the score that is shown, since we subscribed."""
        self._heard_ms: int | None = None
        """The same, before we subscribed again too."""
        self._offsets: deque[int] = deque(maxlen=OFFSETS)
        self._boots: deque[int] = deque(maxlen=3)
        self._clash_ms: int | None = None
        self._offline = False
        self._newer = False
        self._status: Status | None = None
        self._presence: Presence | None = None
        self._left_ms: int | None = None
        """When a display went; none while it is there, or where we did not see it go."""
        self._sees = False
        """Whether we have heard who is there since we subscribed."""
        self._notice: tuple[int, NoticeMessage] | None = None
        self._entries: deque[EntryMessage] = deque(maxlen=KEPT)
        self._log: Log | None = None

    def subscribed(self) -> None:
        """We have subscribed anew: nothing is proved until a beat comes."""
        self._proved_ms = None
        self._beat = None
        self._sees = False

    def heard(self, name: str, payload: bytes, now_ms: int) -> bool:
        """Take a message by the last part of its topic; whether it could be read and used."""
        try:
            return self._take(name, payload, now_ms)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return False

    def _take(self, name: str, payload: bytes, now_ms: int) -> bool:
        match name:
            case "availability":
                self._available(payload, now_ms)
            case "state":
                self._state(payload, now_ms)
            case "beat":
                self._beaten(msgspec.json.decode(payload, type=Beat), now_ms)
            case "clock":
                self._clock = _tolerant(payload, ClockMessage)
            case "status":
                self._status = _tolerant(payload, Status)
            case "presence":
                self._present(_tolerant(payload, Presence), now_ms)
            case "notice":
                self._notice = (now_ms, msgspec.json.decode(payload, type=NoticeMessage))
            case "log":
                self._log = _tolerant(payload, Log)
            case "entry":
                return self._entered(msgspec.json.decode(payload, type=EntryMessage))
            case _:
                return False
        return True

    def _present(self, presence: Presence, now_ms: int) -> None:
        """Who is there, and if it has just gone, when."""
        was = self._presence
        if presence.connected:
            self._left_ms = None
        elif was is not None and was.connected and self._sees:
            self._left_ms = now_ms
        self._presence, self._sees = presence, True

    def _available(self, payload: bytes, now_ms: int) -> None:
        self._offline = payload != b"online"
        if self._offline and self._proved_ms is not None:
            self._heard_ms, self._proved_ms = now_ms, None

    def _state(self, payload: bytes, now_ms: int) -> None:
        if not payload:
            self._line = self._older = None
            return
        self._newer = msgspec.json.decode(payload, type=_Version).schema > SCHEMA
        if self._newer:
            self._line = None
            return
        line = _tolerant(payload, Scoreline)
        shown = self._line
        if shown is not None and shown.match == line.match and line.seq < shown.seq:
            self._older = line
            return
        if shown is not None and shown.match != line.match:
            self._proved_ms = None
            self._offsets.clear()
        self._line, self._older = line, None
        self._prove()

    def _beaten(self, beat: Beat, now_ms: int) -> None:
        if self._beat is not None and (beat.boot, beat.match) != (
            self._beat.boot,
            self._beat.match,
        ):
            self._offsets.clear()
        self._look_for_clash(beat.boot, now_ms)
        self._offsets.append(now_ms - beat.t_ms)
        self._beat, self._beat_ms, self._offline = beat, now_ms, False
        self._prove()

    def _prove(self) -> None:
        """If the last beat agrees with a score that we have, that is what the table shows."""
        beat = self._beat
        if beat is None:
            return
        if self._older is not None and _agree(beat, self._older):
            self._line, self._older = self._older, None
        if self._line is not None and _agree(beat, self._line):
            self._proved_ms = self._heard_ms = self._beat_ms

    def _look_for_clash(self, boot: int, now_ms: int) -> None:
        """A boot number that comes back after another one belongs to another machine."""
        if not self._boots or self._boots[-1] != boot:
            if boot in self._boots:
                self._clash_ms = now_ms
            self._boots.append(boot)

    def _entered(self, entry: EntryMessage) -> bool:
        last = self._entries[-1] if self._entries else None
        if last is not None and last.match == entry.match and entry.seq <= last.seq:
            return False
        self._entries.append(entry)
        return True

    def now(self, now_ms: int) -> TableNow:
        """What we know at this moment."""
        live_until = self.live_until_ms
        clash = self._clash_ms is not None and now_ms - self._clash_ms < CLASH_MS
        live = live_until is not None and now_ms < live_until and not clash
        notice_ms, notice = self._notice or (0, None)
        silent_since = self._since_ms if self._heard_ms is None else self._heard_ms
        clock = self._clock
        line = self._line
        same = clock is not None and line is not None and clock.match == line.match
        return TableNow(
            hall=self.hall,
            table=self.table,
            line=line,
            live=live,
            live_until_ms=live_until if live else None,
            silent_ms=now_ms - silent_since,
            offline=self._offline,
            clash=clash,
            newer=self._newer,
            clock=clock.clock if same and clock is not None else None,
            t_ms=now_ms - min(self._offsets) if live and self._offsets else None,
            status=self._status,
            presence=self._presence,
            gone_ms=None if self._left_ms is None else now_ms - self._left_ms,
            notice=notice,
            notice_age_ms=now_ms - notice_ms,
            last=tuple(self._entries),
            log=self._log,
        )

    @property
    def live_until_ms(self) -> int | None:
        """Until when the score may be shown as live, if nothing more comes."""
        if self._proved_ms is None:
            return None
        after_s = self._line.stale_after_s if self._line is not None else STALE_AFTER_S
        return self._proved_ms + 1000 * after_s


class Room:
    """All tables that are followed, of one hall or of several."""

    def __init__(self) -> None:
        self._tables: dict[tuple[str, str], Followed] = {}
        self.connected = False
        """Whether we hear the broker, as far as we know."""

    def subscribed(self) -> None:
        """There is a new connection, and what the broker keeps will come."""
        self.connected = True
        for table in self._tables.values():
            table.subscribed()

    def lost(self) -> None:
        """The connection is gone."""
        self.connected = False

    def heard(self, topic: str, payload: bytes, now_ms: int) -> tuple[str, str] | None:
        """Take a message; the hall and table about which it told something."""
        parts = topic.split("/")
        if len(parts) != 4 or parts[0] != "tacada" or len(payload) > MOST_BYTES:
            return None
        _, hall, name, what = parts
        if not (_NAME.fullmatch(hall) and _NAME.fullmatch(name)):
            return None
        key = hall, name
        table = self._tables.get(key)
        if table is None:
            if not payload or len(self._tables) >= MOST_TABLES:
                return None
            table = Followed(hall, name, now_ms)
        if not table.heard(what, payload, now_ms):
            return None
        self._tables[key] = table
        if what == "state" and not payload and not table.now(now_ms).shows:
            del self._tables[key]
        return key

    def table(self, key: tuple[str, str], now_ms: int) -> TableNow | None:
        """One table, if it is known."""
        table = self._tables.get(key)
        return table.now(now_ms) if table is not None else None

    def tables(self, now_ms: int) -> tuple[TableNow, ...]:
        """All tables, 2 before 10."""
        return tuple(self._tables[key].now(now_ms) for key in self.known)

    @property
    def known(self) -> tuple[tuple[str, str], ...]:
        """Hall and name of all tables, 2 before 10."""
        return tuple(sorted(self._tables, key=lambda key: (key[0], _natural(key[1]))))

    @property
    def several(self) -> bool:
        """Whether tables of more than one hall are followed: then a number alone names none."""
        return len({hall for hall, _ in self._tables} - {DISPLAYS}) > 1


class _Version(Struct):
    schema: int


def _agree(beat: Beat, line: Scoreline) -> bool:
    """Whether a beat speaks of this score; tables before 0.2 did not name the match."""
    return beat.seq == line.seq and beat.match in ("", line.match)


def _tolerant(payload: bytes, kind: type[Any]) -> Any:
    """A message without what is not known here: a field may have got values that are new.

    Raises:
        msgspec.DecodeError: even so it is none.
    """
    try:
        return msgspec.json.decode(payload, type=kind)
    except msgspec.ValidationError as error:
        raw = msgspec.json.decode(payload)
        if not isinstance(raw, dict):
            raise
        for name in _fields_at_fault(raw, kind, error):
            del raw[name]
        return msgspec.convert(raw, kind)


def _fields_at_fault(
    raw: dict[str, Any], kind: type[Any], error: msgspec.ValidationError
) -> Iterator[str]:
    """The optional fields of a message that cannot be read."""
    known = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name in tuple(raw):
        field = known.get(name)
        if field is None:
            continue
        try:
            msgspec.convert(raw[name], field.type)
        except msgspec.ValidationError:
            if field.required:
                raise error from None
            yield name


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A name in parts, the numbers among them as numbers and before words."""
    parts = _DIGITS.split(name)
    return tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p)
