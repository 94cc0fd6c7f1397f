"""The table's state on MQTT: what the hall displays follow (docs/mqtt.md).

Nine topics under `tacada/<hall>/<table>/`. `state` is the whole scoreline, retained; `clock` are
its clocks, retained; `entry` is each record in order; `log` are the last of them, retained;
`notice` is what to announce; `availability` is retained, `offline` as the last will; `beat` tells
that the state is live, and the match time; `status` is how the table does and `presence` who is
there, both retained. The publisher is a cursor over the journal, not a queue: an hour offline costs
no memory. Nobody waits for it.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

import msgspec
from msgspec.structs import replace

from drivers.ports import Broker, Message, Session
from firmware.clock import Clock
from firmware.commands import PadReply, Reply
from firmware.mqtt.live_log import GAP_S, LiveLog, hour_of
from firmware.mqtt.messages import (
    Beat,
    ClockMessage,
    EntryMessage,
    NoticeMessage,
    Presence,
    Status,
    Topics,
)
from firmware.mqtt.serving import serve_until
from firmware.snapshot import Committed
from rules.notation import Notation
from rules.record import Record, record_text
from rules.scoreline import Scoreline
from rules.sides import Pair

_log = logging.getLogger(__name__)

BEAT_S = 0.75
"""A beat at least this often: a display that comes back waits for one before it calls us live, and
shows the right second of a clock within one."""

LATE_PER_S = 50
"""Entries that were missed are sent no faster than this."""

NOTICE_MS = 2000
"""What is older is not announced any more: nobody wants an hour's fouls in one breath."""

NOTICES = 64
"""What may wait to be announced; the oldest goes first."""

STATUS_GAP_S = 1.0
"""Between one status and the next: a part that flickers does not flood the hall."""

RECENT = 256
"""Records kept at hand; what is older is read from the journal."""

_MS = 1_000_000


class _Cursor:
    """How far the entries of one match were sent: up to `sent` of `last`.

    Those up to `late_until` were missed while there was no connection.
    """

    def __init__(self, match: str, notation: Notation, sent: int, last: int) -> None:
        self.match, self.notation = match, notation
        self.sent, self.last, self.late_until = sent, last, last
        self.recent: deque[Record] = deque(maxlen=RECENT)


class Publisher:
    """Follows the committed records of one table, and passes on what is asked of it.

    `ask` answers a command. `older` reads the records of a match after a seq from the journal;
    `advance` notes there how far the entries were sent.
    """

    def __init__(
        self,
        broker: Broker,
        topics: Topics,
        *,
        clock: Clock,
        boot: int,
        ask: Callable[[str, bytes], Awaitable[Reply | PadReply]],
        older: Callable[[str, int], Awaitable[Sequence[Record]]],
        advance: Callable[[str, int], object],
        at_once: Sequence[Message] = (),
        on_clash: Callable[[], None] = lambda: None,
    ) -> None:
        self._broker, self._topics, self._clock, self._boot = broker, topics, clock, boot
        self._ask, self._older, self._advance = ask, older, advance
        self._at_once, self._on_clash = at_once, on_clash
        self._named = False
        """Whether we have told our boot number: another one after that is another table's."""
        self._presence: Presence | None = None
        self._line: Scoreline | None = None
        self._held = False
        self._zero_ns = 0
        self._cursors: deque[_Cursor] = deque()
        self._new_state = asyncio.Event()
        self._new_entry = asyncio.Event()
        self._notices: deque[tuple[int, NoticeMessage]] = deque(maxlen=NOTICES)
        self._new_notice = asyncio.Event()
        self._status: Status | None = None
        self._new_status = asyncio.Event()
        self._log, self._new_log = LiveLog(older), asyncio.Event()
        self._replies: deque[tuple[str, Reply]] = deque(maxlen=NOTICES)
        self._new_reply = asyncio.Event()
        self._stopping = asyncio.Event()

    def opened(
        self,
        match: str,
        notation: Notation,
        zero_ns: int,
        *,
        sent: int = -1,
        line: Scoreline | None = None,
    ) -> None:
        """A match has come to the table: with the score on disk, or new and not yet there.

        `zero_ns` is the monotonic clock at match time 0; the entries up to `sent` are out.
        """
        self._zero_ns = zero_ns
        last = -1
        if line is not None:
            self._line, last = line, line.seq
        self._cursors.append(_Cursor(match, notation, sent, last))
        self._log.opened(match, notation)
        self._new_state.set()

    def hold(self) -> None:
        """It is not known whether the match on the table is the one in play: nothing goes out."""
        self._held = True

    def settled(self) -> None:
        """It is known: the match on the table is."""
        self._held = False
        self._new_state.set()

    def committed(self, committed: Committed) -> None:
        """A record of the match on the table is on disk."""
        cursor = self._cursors[-1]
        self._line = committed.line
        cursor.last = committed.record.seq
        cursor.recent.append(committed.record)
        self._log.add(committed.record)
        record = committed.record
        made_ns = self._zero_ns + record.t_ms * _MS
        for said in committed.notices:
            message = NoticeMessage(cursor.match, record.seq, said.what, said.side, said.number)
            self._notices.append((made_ns, message))
        self._new_state.set()

    def renamed(self, names: Pair[tuple[str, ...]]) -> None:
        """The players of the match on the table are called otherwise from now on."""
        if self._line is not None:
            self._line = replace(self._line, names=names)
            self._new_state.set()

    def report(self, status: Status, presence: Presence | None = None) -> None:
        """How the table does now, and who is there."""
        if (status, presence) != (self._status, self._presence):
            self._status, self._presence = status, presence
            self._new_status.set()

    def say(self, name: str, reply: Reply) -> None:
        """An answer that comes later than the first: at once, or never."""
        self._replies.append((name, reply))
        self._new_reply.set()

    def stop(self) -> None:
        """Say goodbye and end."""
        self._stopping.set()

    async def run(self) -> None:
        """Publish until stopped; comes back by itself when the broker does."""
        await serve_until(self._stopping, self._broker, self._session)

    async def _session(self, session: Session) -> None:
        topics = self._topics
        await session.publish(Message(topics.availability, b"online", qos=1, retained=True))
        for message in self._at_once:
            await session.publish(message)
        self._new_state.set()
        self._new_status.set()
        self._new_log.clear()
        for cursor in self._cursors:
            cursor.late_until = cursor.last
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self._listen(session, group)),
                group.create_task(self._send_states(session)),
                group.create_task(self._send_entries(session)),
                group.create_task(self._send_log(session)),
                group.create_task(self._send_notices(session)),
                group.create_task(self._send_status(session)),
                group.create_task(self._send_replies(session)),
            ]
            await self._stopping.wait()
            for task in tasks:
                task.cancel()
        await session.publish(Message(topics.availability, b"offline", qos=1, retained=True))

    async def _listen(self, session: Session, group: asyncio.TaskGroup) -> None:
        """Pass on commands; this is also how a break is noticed while nothing is sent."""
        async for message in session.messages():
            if message.topic == self._topics.status:
                self._look_for_clash(message.payload)
                continue
            if message.retained:
                # It would act again at every connect.
                _log.warning("a retained command on %s is ignored", message.topic)
                continue
            group.create_task(self._answer(session, message))

    def _look_for_clash(self, payload: bytes) -> None:
        """Another table has our name if it tells another boot number after we have told ours.

        A broker lets only one of two with one name stay, and each comes back in turn.
        """
        try:
            boot = msgspec.json.decode(payload, type=Status).boot
        except (msgspec.DecodeError, UnicodeDecodeError):
            return
        if boot == self._boot:
            self._named = True
        elif self._named:
            _log.error("another table has the name %s", self._topics.base)
            self._on_clash()

    async def _answer(self, session: Session, message: Message) -> None:
        name = message.topic.rpartition("/")[2]
        reply = await self._ask(name, message.payload)
        payload = msgspec.json.encode(reply)
        await session.publish(Message(self._topics.reply(name), payload, qos=1))

    async def _send_states(self, session: Session) -> None:
        """The latest state whenever there is a new one, and a beat after it or when one is due.

        Entries and notices wait until the state that they made is out: it is what displays show.
        """
        clock: ClockMessage | None = None
        while True:
            fresh, line = self._new_state.is_set(), self._shown
            self._new_state.clear()
            if fresh and line is not None:
                payload = msgspec.json.encode(line)
                await _publish(session, Message(self._topics.state, payload, qos=1, retained=True))
                clock = await self._send_clock(session, clock, line)
            self._new_entry.set()
            self._new_notice.set()
            await _publish(session, Message(self._topics.beat, msgspec.json.encode(self._beat())))
            if fresh:
                self._new_log.set()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT_S):
                    await self._new_state.wait()

    async def _send_clock(
        self, session: Session, sent: ClockMessage | None, line: Scoreline
    ) -> ClockMessage:
        """The clocks, if they are others than those that this session has sent."""
        if sent is not None and (sent.match, sent.clock) == (line.match, line.clock):
            return sent
        message = ClockMessage(line.match, line.seq, line.clock)
        payload = msgspec.json.encode(message)
        await _publish(session, Message(self._topics.clock, payload, qos=1, retained=True))
        return message

    @property
    def _shown(self) -> Scoreline | None:
        """The score that may go out."""
        return None if self._held else self._line

    def _beat(self) -> Beat:
        t_ms = max(0, (self._clock.now_ns() - self._zero_ns) // _MS)
        line = self._shown
        return (
            Beat(self._boot, -1, t_ms)
            if line is None
            else Beat(self._boot, line.seq, t_ms, line.match)
        )

    async def _send_entries(self, session: Session) -> None:
        """Every record in order, those of an earlier match before those of the next."""
        while True:
            self._new_entry.clear()
            if self._held:
                await self._new_entry.wait()
                continue
            if not self._cursors or self._cursors[0].sent >= self._cursors[0].last:
                if len(self._cursors) > 1:
                    self._cursors.popleft()
                else:
                    await self._new_entry.wait()
                continue
            cursor = self._cursors[0]
            for record in await self._missing(cursor):
                late = record.seq <= cursor.late_until
                message = _message(cursor, record, late=late)
                payload = msgspec.json.encode(message)
                await _publish(session, Message(self._topics.entry, payload, qos=1))
                cursor.sent = record.seq
                self._advance(cursor.match, record.seq)
                if late:
                    await asyncio.sleep(1 / LATE_PER_S)

    async def _send_log(self, session: Session) -> None:
        """The last records for everybody to read, once a second at most."""
        while True:
            await self._new_log.wait()
            self._new_log.clear()
            log = await self._log.message(self._cursors[-1].last) if self._cursors else None
            if log is not None:
                payload = msgspec.json.encode(log)
                await _publish(session, Message(self._topics.log, payload, qos=1, retained=True))
                await asyncio.sleep(GAP_S)

    async def _send_notices(self, session: Session) -> None:
        """What to announce, at once or never."""
        while True:
            await self._new_notice.wait()
            self._new_notice.clear()
            while self._notices:
                made_ns, message = self._notices.popleft()
                if self._clock.now_ns() - made_ns <= NOTICE_MS * _MS:
                    payload = msgspec.json.encode(message)
                    await _publish(session, Message(self._topics.notice, payload))

    async def _send_status(self, session: Session) -> None:
        """How the table does, whenever that changes."""
        while True:
            await self._new_status.wait()
            self._new_status.clear()
            if self._status is not None:
                payload = msgspec.json.encode(self._status)
                await _publish(session, Message(self._topics.status, payload, qos=1, retained=True))
                if self._presence is not None:
                    payload = msgspec.json.encode(self._presence)
                    here = Message(self._topics.presence, payload, qos=1, retained=True)
                    await _publish(session, here)
                await asyncio.sleep(STATUS_GAP_S)

    async def _send_replies(self, session: Session) -> None:
        """Answers that were not asked for a moment ago."""
        while True:
            await self._new_reply.wait()
            self._new_reply.clear()
            while self._replies:
                name, reply = self._replies.popleft()
                payload = msgspec.json.encode(reply)
                await _publish(session, Message(self._topics.reply(name), payload, qos=1))

    async def _missing(self, cursor: _Cursor) -> Sequence[Record]:
        """The records after the cursor, from those at hand or else from the journal."""
        recent = [record for record in cursor.recent if record.seq > cursor.sent]
        if recent and recent[0].seq == cursor.sent + 1:
            return recent
        return await self._older(cursor.match, cursor.sent)


async def _publish(session: Session, message: Message) -> None:
    """Publish, unless it is time to end.

    Before Python 3.12 a cancellation that comes together with the broker's answer is lost.
    """
    await session.publish(message)
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


def _message(cursor: _Cursor, record: Record, *, late: bool) -> EntryMessage:
    return EntryMessage(
        match=cursor.match,
        seq=record.seq,
        t_ms=record.t_ms,
        at=hour_of(record),
        by=str(record.by),
        act=record_text(record, cursor.notation),
        late=late,
    )
