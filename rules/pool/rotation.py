"""Nine- and ten-ball: the lowest ball first, the highest is the money ball (FPB N, WPA 2 and 9).

Balls that fall with a foul stay down, the money ball is spotted again. Every entry is judged
against the table before the shot.
"""

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from rules.entries import EndVisit, Entry, ShotClock
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import YES_NO, Between, Bound, Frame, Notice, Offer, OneOf, Option
from rules.pool import announced, positions
from rules.pool.entries import Foul, Pot, Push, Safe, Short, Soft, Wrong
from rules.pool.offers import KIND, in_rack_offers, offer, seated_foul
from rules.pool.position import Cue, Position
from rules.pool.rack import Rack
from rules.pool.referee import interval_now
from rules.pool.state import asked, goes_on, passed, won
from rules.pool.terms import PushOut, RotationTerms
from rules.record import Fields
from rules.sides import Pair, Side, added, with_side

IN_A_ROW, POTTED = "in_a_row", "potted"
"""Where pots are not entered: the third foul is one, or a ball was potted legally before it."""

_SOFT_MOST = 2
"""With three balls the three-ball rule is met."""

Fell: TypeAlias = Pot | Wrong | Foul | Soft | Push
"""Entries that say how many balls fell."""


class RotationFrame(Rack, frozen=True, kw_only=True):
    """A rack of nine- or ten-ball.

    `fallen` balls are off the table. `fouls` are consecutive ones. `push`: a push-out may be
    called on the next shot.
    """

    terms: RotationTerms
    fallen: int = 0
    fouls: Pair[int] = (0, 0)
    push: bool = False

    @property
    def situation(self) -> str:
        """`fouls`: a row of fouls runs."""
        return "fouls" if any(self.fouls) else ""

    @property
    def pot_asked(self) -> bool:
        """Whether a ball that is potted now must be entered: it ends a row of fouls.

        Where pots are not entered one such entry is enough, and without it the row would seem to
        go on.
        """
        free = self.option is None and self.result is None
        return free and self.pots_unknown and self.fouls[self.turn.place] > 0

    @property
    def pots_unknown(self) -> bool:
        """Whether balls may have been potted in this rack that were not entered."""
        return not self.every_ball and not self.opening

    @property
    def left(self) -> int:
        """Balls on the table, as far as they are entered."""
        return self.terms.balls - self.fallen

    def offers(self) -> Iterator[Offer]:
        """What `after` accepts while the rack is in play."""
        return _offers(self)

    def chosen(self, option: Option, choice: str) -> "RotationFrame":
        """The rack after one of the answers to the choice that was open."""
        return _chosen(replace(self, option=None), choice)

    def fouled_in_the_chair(self, entry: Foul) -> "RotationFrame":
        """The rack after a foul by who is not at the table."""
        return _foul_in_the_chair(self, entry)

    def shot(self, entry: Entry) -> "RotationFrame":
        """The rack after a shot."""
        return _played(self, entry)

    def figures(self) -> Figures:
        """Its numbers for displays."""
        return replace(
            self.shared_figures(),
            fouls=self.fouls,
            fouls_limit=self.terms.fouls_limit,
            push_out=self.push and self.option is None and self.result is None,
            left=self.left if self.every_ball else None,
            interval=interval_now(self),
            pot_asked=self.pot_asked,
        )

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """Fouls in a row, racks won in one visit, the hill."""
        assert isinstance(before, RotationFrame)
        side = announced.offender(before.turn, entry)
        fouls = announced.of_fouls(side, before.fouls, self.fouls, self.terms.fouls_limit)
        return (*fouls, *announced.of_rack(before, self, entry))

    def standing(self) -> Position:
        """Where the rack stands."""
        return replace(
            positions.shared(self),
            left=self.left if self.fallen else None,
            fouls=self.fouls,
            push=self.push,
        )

    def taken_up(self, changes: Fields) -> "RotationFrame":
        """The rack with some fields of its position changed."""
        return _taken_up(self, changes)


def _taken_up(frame: RotationFrame, changes: Fields) -> RotationFrame:
    own = ("left", "fouls", "push") if frame.every_ball else ("fouls", "push")
    position = positions.changed(frame.standing(), changes, own)
    balls, limit = frame.terms.balls, frame.terms.fouls_limit
    left = balls if position.left is None else position.left
    cue = positions.cue_of(position)
    positions.refuse(
        changes,
        (
            *positions.wrong_break(frame, position),
            (not 1 <= left <= balls or (position.opening and left < balls), "left"),
            (not all(0 <= count < limit for count in position.fouls), "fouls"),
            (position.push and position.opening, "push"),
            (not position.opening and cue not in (Cue.PLACE, Cue.ANY), "cue"),
        ),
    )
    return replace(
        positions.taken_up(frame, position, changes),
        fallen=balls - left,
        fouls=position.fouls,
        push=position.push,
    )


def _chosen(frame: RotationFrame, choice: str) -> RotationFrame:
    """The answer to a push-out, a ball not as called, a soft break; the third foul in question."""
    match choice:
        case "play" | "accept":
            return passed(frame, Cue.PLACE)
        case "hand_back":
            return goes_on(frame, push=True)
        case "pass_back":
            return goes_on(frame)
        case _ if choice == POTTED:
            fouls = with_side(frame.fouls, frame.turn, 1)
            return passed(replace(frame, fouls=fouls), Cue.ANY)
    return _third(frame, frame.turn)


def _played(frame: RotationFrame, entry: Entry) -> RotationFrame:
    """Shots, with no choice open."""
    match entry:
        case Foul(lots=(), eight=None):
            return _foul(frame, entry)
        case Short() if frame.opening:
            return _fouled(frame, frame.turn)
        case Pot(lots=(), eight=None):
            return _pot(frame, entry)
        case EndVisit() | Safe(()):
            by_next = frame.terms.push_out_by is PushOut.NEXT_SHOOTER
            return passed(_legal(frame), Cue.PLACE, push=frame.opening and by_next)
        case Soft() if frame.opening and frame.terms.three_ball:
            return _question(
                _fell(frame, entry, 0, _SOFT_MOST), "soft_break", "accept", "hand_back"
            )
        case Push():
            return _push(frame, entry)
        case Wrong(lots=(), keep=False) if frame.terms.called and not frame.opening:
            return _question(_fell(frame, entry, 1), "wrong", "play", "pass_back")
        case Wrong() if not frame.terms.called:
            raise NotAllowed(Code.NO_CALLS, entry)
    raise NotAllowed(Code.NOT_HERE, entry)


def _legal(frame: RotationFrame) -> RotationFrame:
    """A shot without foul."""
    return replace(frame, fouls=with_side(frame.fouls, frame.turn, 0), push=False)


def _fell(frame: RotationFrame, entry: Fell, least: int, most: int | None = None) -> RotationFrame:
    """The balls that fell are down, but for the money ball, which is spotted.

    Raises:
        NotAllowed: not so many can have fallen.
    """
    n = 0 if entry.n is None else entry.n
    if n < 0 or n > (frame.terms.balls if most is None else most):
        raise NotAllowed(Code.BAD_COUNT, entry)
    if not frame.every_ball:
        return frame
    if n < least or (entry.money and n == 0):
        raise NotAllowed(Code.BAD_COUNT, entry)
    if n > frame.left:
        raise NotAllowed(Code.TOO_MANY_BALLS, entry, str(frame.left))
    if n == frame.left and not entry.money:
        raise NotAllowed(Code.MONEY_BALL_NOT_NAMED, entry)
    return replace(frame, fallen=frame.fallen + n - entry.money)


def _pot(frame: RotationFrame, entry: Pot) -> RotationFrame:
    terms = frame.terms
    after = _legal(_fell(frame, entry, 1))
    last = not frame.opening and (frame.left == 1 or not frame.every_ball)
    if entry.money and (terms.early_wins or last):
        return won(after, frame.turn, "money_ball", fallen=after.fallen + frame.every_ball)
    return goes_on(after, push=frame.opening)


def _question(frame: RotationFrame, kind: str, *choices: str) -> RotationFrame:
    """A shot without foul after which the opponent chooses, the cue ball where it lies."""
    return asked(_legal(frame), kind, choices, frame.turn.other, cue=Cue.PLACE)


def _push(frame: RotationFrame, entry: Push) -> RotationFrame:
    if not frame.push:
        raise NotAllowed(Code.NO_PUSH_OUT, entry)
    after = _fell(frame, entry, 0)
    if entry.foul:
        return _fouled(after, frame.turn)
    return _question(after, "push_out", "play", "pass_back")


def _foul(frame: RotationFrame, entry: Foul) -> RotationFrame:
    """A foul by the player at the table."""
    after = _fell(frame, entry, 0)
    terms = frame.terms
    if frame.fouls[frame.turn.place] < terms.fouls_limit - 1:
        return _fouled(after, frame.turn)
    if entry.unwarned and terms.warned:
        return passed(after, Cue.ANY, push=False)
    if frame.pots_unknown:
        # A ball that was potted before this foul would have cleared the counter.
        return asked(replace(after, push=False), "third_foul", (IN_A_ROW, POTTED), None)
    return _third(after, frame.turn)


def _fouled(frame: RotationFrame, side: Side) -> RotationFrame:
    """One more foul by the player at the table, that cannot have been preceded by a pot."""
    if frame.fouls[side.place] == frame.terms.fouls_limit - 1:
        return _third(frame, side)
    return passed(replace(frame, fouls=added(frame.fouls, side, 1)), Cue.ANY, push=False)


def _third(frame: RotationFrame, side: Side) -> RotationFrame:
    """The last foul in a row: the rack is lost."""
    fouls = with_side(frame.fouls, side, frame.terms.fouls_limit)
    return won(frame, side.other, "three_fouls", fouls=fouls, push=False)


def _foul_in_the_chair(frame: RotationFrame, entry: Foul) -> RotationFrame:
    """A foul by the player who is not at the table."""
    side = frame.turn.other
    cue = frame.cue if frame.opening else Cue.ANY
    if frame.fouls[side.place] == frame.terms.fouls_limit - 1:
        if entry.unwarned and frame.terms.warned:
            return replace(frame, cue=cue)
        fouls = with_side(frame.fouls, side, frame.terms.fouls_limit)
        return won(frame, side.other, "three_fouls", fouls=fouls)
    return replace(frame, fouls=added(frame.fouls, side, 1), cue=cue)


def _offers(frame: RotationFrame) -> Iterator[Offer]:
    """What `frame.after` accepts while the rack is in play."""
    yield from in_rack_offers(frame)
    if frame.option is not None:
        return
    terms, opening, balls = frame.terms, frame.opening, frame.terms.balls
    yield from (Offer(EndVisit), Offer(Safe), Offer(ShotClock))
    yield from _falling(frame, Pot, 1, balls)
    marks: dict[str, Bound] = {"scratch": YES_NO, "kind": KIND, "unwarned": YES_NO}
    yield from _falling(frame, Foul, 0, balls, **marks, by=OneOf((None, frame.turn)))
    yield seated_foul(frame)
    if opening:
        yield offer(Short, scratch=YES_NO)
    if opening and terms.three_ball:
        yield from _falling(frame, Soft, 0, _SOFT_MOST)
    if frame.push:
        yield from _falling(frame, Push, 0, balls, foul=YES_NO)
    if terms.called and not opening:
        yield from _falling(frame, Wrong, 1, balls)


def _falling(
    frame: RotationFrame, kind: type[Entry], least: int, most: int, /, **fields: Bound
) -> Iterator[Offer]:
    """Offers of an entry that says how many balls fell, at least and at most so many."""
    if not frame.every_ball:
        yield offer(kind, n=OneOf((None, *range(most + 1))), money=YES_NO, **fields)
        return
    some = tuple(range(max(1, least), min(most, frame.left - 1) + 1))
    without = some if least else (None, 0, *some)
    if without:
        yield offer(kind, n=OneOf(without), **fields)
    yield offer(kind, n=Between(1, min(most, frame.left)), money=OneOf((True,)), **fields)
