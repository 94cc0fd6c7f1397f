"""Shot clock and match time of a match, folded over its records.

No machine's clock is read here: every moment is match time in milliseconds, a record's `t_ms` or
a `now_ms` that is passed in. A clock that runs is known by its deadline. When it is over, the
referee is told, and nothing else happens: CLOCK and TIMEUP are his entries. So a press whose edge
came before the deadline counts, however late it is worked off. See docs/clock.md.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from rules.entries import Adjust, Entry, Extension, Interval, Timeout, TimeUp
from rules.errors import Code, NotAllowed
from rules.frame import Then
from rules.match import Match
from rules.record import ClockAct, ClockPause, ClockResume, ClockStart, WhichClock
from rules.rulebook import Terms
from rules.sides import Pair, Side
from rules.standing import Stage


class Times(Struct, frozen=True):
    """What the clocks of a match are set to, in milliseconds; 0 for none.

    `shot_ms` is the time for a stroke, with a warning `warn_ms` before its end; a time-out adds
    `extra_ms`, or an extension where there are such (`by_extension`). With `by_entry` the clock
    starts as a stroke is entered, else by the referee's key. `late_ms` is the time for a stroke
    once no more than `late_from_ms` of match time is left, `break_ms` that for the stroke after a
    break shot.
    """

    shot_ms: int = 0
    warn_ms: int = 0
    extra_ms: int = 0
    match_ms: int = 0
    late_ms: int = 0
    late_from_ms: int = 0
    by_entry: bool = False
    by_extension: bool = False
    break_ms: int = 0


@runtime_checkable
class Timed(Protocol):
    """Terms of a discipline that is played with clocks."""

    def times(self) -> Times:
        """What they are set to."""


class What(StrEnum):
    """What a clock calls."""

    WARNING = "warning"
    TIME = "time"


class Call(Struct, frozen=True):
    """What a clock says to the referee."""

    which: WhichClock
    what: What


class Countdown(Struct, frozen=True, omit_defaults=True):
    """One clock. Running it ends at `until_ms` of match time, at rest it has `left_ms`.

    `length_ms` is its full time, `extra_ms` the part of it that time-outs added. `resumes`: it
    goes on by itself once the table is free. `interrupted`: it ran when the program ended.
    """

    length_ms: int
    running: bool
    until_ms: int | None = None
    left_ms: int | None = None
    warn_ms: int = 0
    extra_ms: int = 0
    resumes: bool = False
    interrupted: bool = False

    def left(self, now_ms: int) -> int:
        """Milliseconds left, 0 once it is over."""
        if self.until_ms is not None:
            return max(0, self.until_ms - now_ms)
        return self.left_ms or 0

    def paused(self, now_ms: int) -> "Countdown":
        """At rest until somebody starts it."""
        left = self.left(now_ms)
        return replace(self, running=False, until_ms=None, left_ms=left, resumes=False)

    def rested(self, now_ms: int) -> "Countdown":
        """At rest until the table is free."""
        return replace(self.paused(now_ms), resumes=self.running or self.resumes)

    def resumed(self, now_ms: int) -> "Countdown":
        """Running from now on."""
        until = now_ms + self.left(now_ms)
        return replace(
            self, running=True, until_ms=until, left_ms=None, resumes=False, interrupted=False
        )

    def longer(self, by_ms: int) -> "Countdown":
        """With another full time, what has passed of it staying the same."""
        if self.until_ms is not None:
            return replace(self, length_ms=self.length_ms + by_ms, until_ms=self.until_ms + by_ms)
        left = max(0, self.left(0) + by_ms)
        return replace(self, length_ms=self.length_ms + by_ms, left_ms=left)

    def extended(self, by_ms: int) -> "Countdown":
        """With a time-out added, from the old deadline on."""
        return replace(self.longer(by_ms), extra_ms=self.extra_ms + by_ms)

    def call(self, now_ms: int) -> What | None:
        """What it says; at rest nothing."""
        if not self.running:
            return None
        left = self.left(now_ms)
        if left == 0:
            return What.TIME
        return What.WARNING if left <= self.warn_ms else None


class ClockState(Struct, frozen=True, omit_defaults=True):
    """The clocks at one moment; none where the match is played without."""

    shot: Countdown | None = None
    match: Countdown | None = None

    @property
    def running(self) -> bool:
        """Whether a clock runs."""
        return any(clock.running for _, clock in self._clocks())

    def next_deadline(self, now_ms: int) -> int | None:
        """The match time at which a clock will next have something to say."""
        moments = (
            moment
            for _, clock in self._clocks()
            if clock.until_ms is not None
            for moment in (clock.until_ms - clock.warn_ms, clock.until_ms)
        )
        return min((moment for moment in moments if moment > now_ms), default=None)

    def calls(self, now_ms: int) -> tuple[Call, ...]:
        """What the clocks say now."""
        called = ((which, clock.call(now_ms)) for which, clock in self._clocks())
        return tuple(Call(which, what) for which, what in called if what is not None)

    def seconds(self, now_ms: int) -> Pair[int | None]:
        """Whole seconds to show, of shot clock and match time, begun ones counted.

        While the shot clock runs, both change at the same moment, its own: match time is up to a
        second older than the moment.
        """
        shot, match = self.shot, self.match
        shot_ms = shot.left(now_ms) if shot is not None else 0
        match_ms = match.left(now_ms) if match is not None else 0
        if match_ms and all(clock.running for _, clock in self._clocks()):
            match_ms += -shot_ms % 1000
        return (
            None if shot is None else -(-shot_ms // 1000),
            None if match is None else -(-match_ms // 1000),
        )

    def _clocks(self) -> Iterator[tuple[WhichClock, Countdown]]:
        if self.shot is not None:
            yield WhichClock.SHOT, self.shot
        if self.match is not None:
            yield WhichClock.MATCH, self.match


def times_of(terms: Terms) -> Times:
    """What the clocks of a match with these terms are set to."""
    return terms.times() if isinstance(terms, Timed) else Times()


def opened(match: Match) -> ClockState:
    """The clocks of a match at its first moment: at rest, with their full time."""
    return corrected(ClockState(), match, match, 0)


def entered(
    state: ClockState, entries: tuple[Entry, ...], before: Match, after: Match, now_ms: int
) -> ClockState:
    """The clocks after the entries of one record, made at `now_ms`."""
    times, time = times_of(after.terms), state.match
    if time is not None and TimeUp() in entries:
        time = time.paused(now_ms)
    time = _match_time(time, times, after, now_ms)
    shot = state.shot
    for entry in entries:
        step = after if len(entries) == 1 else before.after(entry)
        if isinstance(entry, Adjust):
            shot = _corrected(shot, _full(times, time, now_ms), before, step)
        elif _stroke_over(before, step):
            broken = _broken(shot, times, before, step)
            shot = replace(_full(times, time, now_ms, broken=broken), resumes=times.by_entry)
        elif shot is not None and _lengthens(times, entry, before, step):
            shot = shot.extended(times.extra_ms)
        elif isinstance(entry, Timeout | Interval):
            shot = _full(times, time, now_ms)
        before = step
    return _as_it_stands(ClockState(shot, time), times, after, now_ms)


def controlled(state: ClockState, act: ClockAct, match: Match, now_ms: int) -> ClockState:
    """The clocks after a control of theirs, made at `now_ms`.

    Raises:
        NotAllowed: there is no such clock, it does so already, or it must rest now.
    """
    if isinstance(act, ClockPause) and act.restart:
        if not state.running:
            raise NotAllowed(Code.NOT_HERE, act)
        return ClockState(*(_interrupted(one, now_ms) for one in (state.shot, state.match)))
    times, of_shot = times_of(match.terms), act.which is WhichClock.SHOT
    clock = state.shot if of_shot else state.match
    if clock is None:
        raise NotAllowed(Code.NO_CLOCK, act)
    if isinstance(act, ClockPause):
        if not (clock.running or clock.resumes):
            raise NotAllowed(Code.NOT_HERE, act)
        clock = clock.paused(now_ms)
    else:
        refusal = _shot_rests(match) if of_shot else _match_time_rests(match)
        if isinstance(act, ClockResume) and clock.running:
            refusal = Code.NOT_HERE
        if refusal is not None:
            raise NotAllowed(refusal, act)
        if isinstance(act, ClockStart):
            clock = _afresh(clock, times, state.match, now_ms) if of_shot else _whole(times)
        clock = clock.resumed(now_ms)
    return replace(state, shot=clock) if of_shot else replace(state, match=clock)


def taken_back(state: ClockState, stood: Countdown | None, match: Match, now_ms: int) -> ClockState:
    """The clocks after an undo or redo that leads to `match`.

    The shot clock is as it `stood`, paused, when the record was made that is taken back. Match
    time is real time: no correction gives any of it back.
    """
    return ClockState(stood, _match_time(state.match, times_of(match.terms), match, now_ms))


def corrected(state: ClockState, before: Match, after: Match, now_ms: int) -> ClockState:
    """The clocks after an edit of old records.

    They go on as they are. If another side is at the table by it, the shot clock has its full
    time and waits; if the match has another length by it, what has passed of it stays the same.
    """
    times = times_of(after.terms)
    time = _match_time(state.match, times, after, now_ms)
    shot = _corrected(state.shot, _full(times, time, now_ms), before, after)
    return _as_it_stands(ClockState(shot, time), times, after, now_ms)


def _lengthens(times: Times, entry: Entry, before: Match, after: Match) -> bool:
    """Whether the time for this stroke becomes longer.

    Between racks a time-out does not do that, nor the extension of who is not at the table.
    """
    if times.by_extension:
        at_table = before.visit.side if before.visit is not None else None
        return isinstance(entry, Extension) and entry.side is at_table
    return sum(after.carry.timeouts) < sum(before.carry.timeouts)


def _stroke_over(before: Match, after: Match) -> bool:
    """Whether another stroke comes next: after points, a change of player, an end confirmed."""
    if after.ending is not None:
        return False
    return before.visit != after.visit or before.ending is not None


def _corrected(
    shot: Countdown | None, full: Countdown, before: Match, after: Match
) -> Countdown | None:
    return shot if _at_table(before) == _at_table(after) else full


def _at_table(match: Match) -> tuple[Side, int] | None:
    return (match.visit.side, match.visit.member) if match.visit is not None else None


def _broken(shot: Countdown | None, times: Times, before: Match, after: Match) -> bool:
    """Whether the next stroke is the one after a break shot, in games that know one.

    The answer to a choice that the break left is no stroke.
    """
    frames = (before.frame, after.frame)
    phases = [frame is not None and frame.figures().phase for frame in frames]
    answered = before.option is not None and shot is not None and _after_break(shot, times)
    return phases == ["break", "playing"] or (answered and phases == ["playing", "playing"])


def _after_break(shot: Countdown, times: Times) -> bool:
    """Whether it has the time of the stroke after a break shot."""
    return shot.length_ms - shot.extra_ms == times.break_ms


def _full(times: Times, time: Countdown | None, now_ms: int, *, broken: bool = False) -> Countdown:
    """The shot clock before a stroke."""
    late = times.late_ms and time is not None and time.left(now_ms) <= times.late_from_ms
    length = times.late_ms if late else times.shot_ms
    if broken and times.break_ms:
        length = times.break_ms
    return Countdown(length, running=False, left_ms=length, warn_ms=times.warn_ms)


def _afresh(shot: Countdown, times: Times, time: Countdown | None, now_ms: int) -> Countdown:
    """A shot clock that is started: a time-out called before its first second still counts.

    The stroke after a break shot keeps the time that is its own.
    """
    unused = not shot.running and shot.left_ms == shot.length_ms
    full = _full(times, time, now_ms, broken=_after_break(shot, times))
    return full.extended(shot.extra_ms) if unused else full


def _whole(times: Times) -> Countdown:
    return Countdown(times.match_ms, running=False, left_ms=times.match_ms)


def _interrupted(clock: Countdown | None, now_ms: int) -> Countdown | None:
    if clock is None or not clock.running:
        return clock
    return replace(clock.paused(now_ms), interrupted=True)


def _as_it_stands(state: ClockState, times: Times, match: Match, now_ms: int) -> ClockState:
    """The shot clock as the table stands: resting, or going on if it waited for that."""
    if not times.shot_ms or match.stage is Stage.OVER:
        return replace(state, shot=None)
    shot = state.shot or _full(times, state.match, now_ms)
    if _shot_rests(match):
        shot = shot.rested(now_ms)
    elif shot.resumes:
        shot = shot.resumed(now_ms)
    return replace(state, shot=shot)


def _match_time(
    time: Countdown | None, times: Times, match: Match, now_ms: int
) -> Countdown | None:
    """Match time as the table stands."""
    if not times.match_ms:
        return None
    time = time or _whole(times)
    if time.length_ms != times.match_ms:
        time = time.longer(times.match_ms - time.length_ms)
    if _match_time_rests(match):
        return time.rested(now_ms)
    return time.resumed(now_ms) if time.resumes else time


def _shot_rests(match: Match) -> Code | None:
    """Why no stroke can be played now, or none."""
    if match.stage is Stage.OVER:
        return Code.MATCH_OVER
    if match.ending is not None:
        return Code.OK_PENDING
    if match.stage is Stage.FIRST:
        return Code.FIRST_PENDING
    if match.option is not None:
        return Code.CHOICE_PENDING
    return Code.NOT_HERE if match.stage is Stage.SHOOTOUT else None


def _match_time_rests(match: Match) -> Code | None:
    """Why match time does not count now, or none: it goes on through choices and between sets."""
    if match.stage is Stage.OVER:
        return Code.MATCH_OVER
    if match.ending is not None and match.ending.then not in (Then.NEXT_FRAME, Then.FIRST):
        return Code.OK_PENDING
    if match.stage is Stage.SHOOTOUT:
        return Code.NOT_HERE
    frame = match.frame
    return Code.NOT_IN_EQUALISER if frame is not None and frame.figures().goal is not None else None
