"""What a set answers to in every carom game: all but its strokes."""

from msgspec.structs import replace

from rules.carom import ends
from rules.carom.adjust import adjusted
from rules.carom.choices import after_clock, picked
from rules.carom.conduct import off_the_table
from rules.carom.figures import total_innings, total_points
from rules.carom.position import CaromCarry
from rules.carom.state import S, SetState
from rules.carom.terms import Lie, Per
from rules.carom.turns import inning_closed, missed
from rules.entries import Adjust, Award, Entry, Ok, Pick, ShotClock, Timeout, TimeUp
from rules.errors import Code, NotAllowed
from rules.frame import Notice
from rules.sides import added


def between_strokes(frame: S, entry: Entry) -> S | None:
    """The set after an entry that is no stroke; none where it is one, and one may be played.

    Raises:
        NotAllowed: it does not fit.
    """
    decided = off_the_table(frame, entry)
    if decided is not None:
        return decided
    if frame.ending is not None:
        if isinstance(entry, Ok) and frame.result is None:
            return ends.confirmed(frame, frame.ending)
        raise NotAllowed(Code.OK_PENDING, entry, frame.ending.cause)
    match entry:
        case Award(side, "") if frame.drawn:
            return ends.decided(frame, side)
        case Adjust(changes):
            return adjusted(frame, changes, entry)
        case TimeUp():
            return _time_up(frame, entry)
        case Ok():
            raise NotAllowed(Code.NOTHING_TO_CONFIRM, entry)
        case Pick(choice) if not frame.drawn:
            return picked(frame, choice, entry)
    if frame.option is not None or frame.drawn:
        raise NotAllowed(Code.CHOICE_PENDING, entry)
    return _by_clock(frame, entry)


def _by_clock(frame: S, entry: Entry) -> S | None:
    match entry:
        case ShotClock() if frame.terms.clock:
            if frame.terms.auto_to and frame.carry.timeouts[frame.turn.place]:
                return _timeout(frame, entry)
            passed = missed(frame, Lie.AS_IS)
            if frame.terms.clock_opts and passed.ending is None:
                return after_clock(passed)
            return passed
        case Timeout(None) if frame.terms.clock:
            return _timeout(frame, entry)
        case ShotClock() | Timeout(None):
            raise NotAllowed(Code.NO_CLOCK, entry)
    return None


def _timeout(frame: S, entry: Entry) -> S:
    if not frame.carry.timeouts[frame.turn.place]:
        raise NotAllowed(Code.NO_TIMEOUT_LEFT, entry)
    left = added(frame.carry.timeouts, frame.turn, -1)
    return replace(frame, carry=replace(frame.carry, timeouts=left))


def _time_up(frame: S, entry: Entry) -> S:
    if frame.goal is not None:
        raise NotAllowed(Code.NOT_IN_EQUALISER, entry)
    if frame.drawn:
        raise NotAllowed(Code.CHOICE_PENDING, entry)
    closed = inning_closed(frame) if frame.strokes else frame
    return ends.time_is_up(replace(closed, option=None))


def begun(frame: S) -> S:
    """The set as the next entry finds it: a break that was due is taken or passed over."""
    return replace(frame, break_due=False) if frame.break_due else frame


def handed_back(frame: SetState) -> CaromCarry:
    """The carry with this set's points and innings in its totals, and new time-outs a set."""
    carry = replace(
        frame.carry, total_points=total_points(frame), total_innings=total_innings(frame)
    )
    return replace(carry, timeouts=frame.terms.to) if frame.terms.to_per is Per.SET else carry


def announced(frame: SetState, before: SetState, entry: Entry) -> tuple[Notice, ...]:
    """The break at half distance, and a time-out that was taken."""
    found: list[Notice] = []
    if isinstance(entry, Timeout | ShotClock):
        side = before.turn
        left = frame.carry.timeouts[side.place]
        if left < before.carry.timeouts[side.place]:
            found.append(Notice("timeout", side, left))
    if frame.break_due:
        found.append(Notice("half_way"))
    return tuple(found)
