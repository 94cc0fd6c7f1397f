"""The whole contest: frames and what stands between them, counted level by level.

Every end is held: it is booked at once, score, tally, winner and reason can be read, and OK
moves on. Immutable, like the frames.
"""

import hashlib

import msgspec
from msgspec.structs import replace

from rules.at import parted, tally_at
from rules.contest import contest_of
from rules.entries import (
    Award,
    Concede,
    Conduct,
    Disqualify,
    EndVisit,
    Entry,
    First,
    Lag,
    Ok,
    Scope,
    Shootout,
)
from rules.errors import BadNotation, BadSetup, Code, NotAllowed
from rules.frame import (
    ABSENCE,
    CONDUCT,
    DISQUALIFIED,
    EITHER,
    LAG,
    MATCH_LOST,
    YES_NO,
    Between,
    Carry,
    Frame,
    Offer,
    OneOf,
    Result,
    Then,
    offered,
)
from rules.position import with_fields
from rules.record import Setup
from rules.rulebook import Rulebook
from rules.shootout import MOST, winner_of
from rules.sides import Side, with_side
from rules.standing import Stage, Standing
from rules.tally import level_ended, rolled_over


class Match(Standing, frozen=True):
    """A match at one moment, and what entries make of it."""

    def after(self, entry: Entry) -> "Match":
        """The match after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        match self.stage:
            case Stage.FRAME:
                match = self._in_frame(entry)
            case Stage.FIRST:
                match = self._before_frame(entry)
            case Stage.SHOOTOUT:
                match = self._in_shootout(entry)
            case _:
                raise NotAllowed(Code.MATCH_OVER, entry)
        return match._unanswered() if self.contest.alone else match

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        frame = self.frame
        if self.stage is Stage.OVER:
            return ()
        if self.stage is Stage.FRAME and frame is not None:
            held = (Offer(Ok), CONDUCT, *MATCH_LOST) if frame.result is not None else ()
            return (*held, *frame.legal())
        conduct = _CONDUCT_OF_ONE if self.visit is None else CONDUCT
        if self.result is not None:
            return (Offer(Ok), conduct, *MATCH_LOST)
        return (*self._asked(), conduct, *MATCH_LOST, ABSENCE)

    def _asked(self) -> tuple[Offer, ...]:
        """Who plays first, or how a shoot-out goes on."""
        if self.stage is Stage.SHOOTOUT:
            points = Offer(Shootout, (("points", Between(0, MOST)),))
            return (points, Offer(Shootout, (("winner", EITHER),)))
        first = Offer(First, (("side", OneOf(self._openers())),))
        return (first, *(LAG if self.lag_winner is None else ()))

    def _unanswered(self) -> "Match":
        """Where A plays alone: whoever would come to the table has left it again."""
        match = self
        for _ in range(_LEAVES):
            frame = match.frame
            absent = match.stage is Stage.FRAME and match.actor is Side.B
            if not absent or frame is None or match.ending is not None:
                break
            try:
                match = match._in_frame(EndVisit())
            except NotAllowed:
                break  # A choice that only a person can make.
        return match

    def _in_frame(self, entry: Entry) -> "Match":
        frame = self.frame
        assert frame is not None
        if frame.result is not None:
            return self._held(entry, frame)
        after = frame.after(entry)
        match = replace(self, frame=after, carry=after.carry)
        result = after.result
        return match if result is None else match._booked(result)

    def _held(self, entry: Entry, frame: Frame) -> "Match":
        """While the end of a frame is held: what the rulebook allows, and what ends the match."""
        match entry:
            case Ok():
                return self._moved_on()
            case Conduct() | Disqualify() | Concede(scope=Scope.MATCH):
                match = self._for_the_match(entry, Code.OK_PENDING)
                return replace(match, frame=frame.with_carry(match.carry))
        after = frame.after(entry)
        return replace(self, frame=after, carry=after.carry)

    def _moved_on(self) -> "Match":
        """What OK does at a held end."""
        frame = self.frame
        assert frame is not None
        if self.result is not None:
            return replace(
                self,
                stage=Stage.OVER,
                finished=(*self.finished, frame),
                history=self._history() if level_ended(self.tally, self.levels) else self.history,
            )
        then, side = self._next()
        if then is Then.SHOOTOUT:
            return replace(self, stage=Stage.SHOOTOUT)
        ended = level_ended(self.tally, self.levels) > 0
        match = replace(
            self,
            history=self._history() if ended else self.history,
            finished=(*self.finished, frame),
            carry=frame.handed_back(),
            tally=rolled_over(self.tally, self.levels),
            frame=None,
            lag_winner=None,
        )
        if side is None:
            return replace(match, stage=Stage.FIRST)
        return match._opened(side, new_set=ended)

    def _opened(self, opener: Side, *, new_set: bool) -> "Match":
        set_first = opener if new_set else self.carry.set_first
        return self._with_frame(opener, replace(self.carry, scheduled=opener, set_first=set_first))

    def _with_frame(self, opener: Side, carry: Carry) -> "Match":
        frame = self.game.opened(self.terms, carry, opener, self.levels[0], self.tally[0])
        return replace(self, stage=Stage.FRAME, frame=frame, carry=carry)

    def _first(self, side: Side) -> "Match":
        """The frame that a side opens; the first one is taken up where the set-up says."""
        if self.finished:
            return self._opened(side, new_set=not any(self.tally[0]))
        at = parted(self.setup.at, self.levels, self.carry)
        given = dict(at.carry)
        scheduled = self.carry.scheduled if "scheduled" in given else side
        set_first = self.carry.set_first if "set_first" in given else side
        match = self._with_frame(
            side, replace(self.carry, scheduled=scheduled, set_first=set_first)
        )
        if not at.frame or match.frame is None:
            return match
        frame = self.game.taken_up(match.frame, at.frame)
        return replace(match, frame=frame, carry=frame.carry)

    def _openers(self) -> tuple[Side, ...]:
        """Who can open the frame: where the match is taken up, not always both."""
        found = []
        for side in Side:
            try:
                self._first(side)
            except NotAllowed:
                continue
            found.append(side)
        return tuple(found)

    def _before_frame(self, entry: Entry) -> "Match":
        match entry:
            case Ok() if self.result is not None:
                return replace(self, stage=Stage.OVER)
            case First(side, None) if self.result is None:
                return self._first(side)
            case Lag() if self.result is None and self.lag_winner is None and offered(LAG, entry):
                return replace(self, lag_winner=entry.won)
        return self._for_the_match(entry, Code.FIRST_PENDING)

    def _in_shootout(self, entry: Entry) -> "Match":
        match entry:
            case Ok() if self.result is not None:
                return self._moved_on()
            case Shootout(points=None, winner=Side() as winner) if self.result is None:
                return self._shootout_won(winner)
            case Shootout(points=int() as points, winner=None) if (
                self.result is None and 0 <= points <= MOST
            ):
                return self._shot_out(points)
        return self._for_the_match(entry, Code.NOT_HERE)

    def _shot_out(self, points: int) -> "Match":
        shooter = self._shooter()
        mine = (*self.shootout[shooter.place], points)
        match = replace(self, shootout=with_side(self.shootout, shooter, mine))
        winner = winner_of(match.shootout)
        return match if winner is None else match._shootout_won(winner)

    def _shootout_won(self, winner: Side) -> "Match":
        """It wins the match, and the set if it stood for a frame, but is no frame itself."""
        match = replace(self._counted(winner, "shootout", 1), history=self._history())
        return replace(match, result=Result(winner, "shootout", Scope.MATCH))

    def _for_the_match(self, entry: Entry, otherwise: Code) -> "Match":
        """What concerns the match where no stroke can be played."""
        match entry:
            case Conduct(side, grave):
                at_table = self.visit.side if self.visit is not None else None
                offender = side or at_table
                if offender is None:
                    raise NotAllowed(Code.NOT_AN_OPTION, entry, "side")
                carry, result = self.game.offence(self.terms, self.carry, offender, grave=grave)
                match = replace(self, carry=carry)
                return match if result is None else match._booked(result)
            case Concede(side, Scope.MATCH):
                return self._booked(Result(side.other, "concession", Scope.MATCH))
            case Award(side, "absence") if self.result is None:
                return self._booked(Result(side, "absence", Scope.MATCH))
            case Disqualify(sides) if sides in DISQUALIFIED:
                winner = sides[0].other if len(sides) == 1 else None
                return self._booked(Result(winner, "disqualified", Scope.MATCH, by_conduct=True))
            case Ok():
                raise NotAllowed(Code.NOTHING_TO_CONFIRM, entry)
        raise NotAllowed(Code.OK_PENDING if self.result is not None else otherwise, entry)


_LEAVES = 9
"""So often nobody answers in a row: more often no rulebook has the same side come to the table."""

_CONDUCT_OF_ONE = Offer(Conduct, (("side", EITHER), ("grave", YES_NO)))
"""An offence while nobody is at the table."""


def new_match(setup: Setup, rulebook: Rulebook) -> Match:
    """The match that a set-up describes, at its first moment.

    Raises:
        BadSetup: a format, position or number of players that cannot be.
    """
    contest = contest_of(setup.format)
    terms = rulebook.agreed(setup.format)
    game = rulebook.game
    if not all(setup.players[: 1 if contest.alone else 2]):
        raise BadSetup("each side needs a player")
    levels = contest.levels(game.levels(terms))
    carry = game.carry(terms, (len(setup.players[0]), len(setup.players[1]) or 1))
    at = parted(setup.at, levels, carry)
    try:
        carry = with_fields(carry, at.carry)
        tally = tally_at(at, levels)
        match = Match(
            setup=setup,
            game=game,
            terms=terms,
            tally=tally,
            stage=Stage.FIRST,
            carry=carry,
            contest=contest,
        )
        if contest.alone:
            return match._first(Side.A)
        if setup.first is not None:
            return match._first(setup.first)
        if not match._openers():
            match._first(Side.A)
        return match
    except (BadNotation, NotAllowed) as error:
        raise BadSetup(f"at: {error}") from None


def digest(match: Match) -> str:
    """A hash of everything a match is, but for the hours and devices of its records."""
    state = (
        match.setup,
        match.terms,
        match.tally,
        match.stage,
        match.carry,
        match.frame,
        match.finished,
        match.shootout,
        match.lag_winner,
        match.history,
        match.result,
    )
    return hashlib.sha256(msgspec.msgpack.encode(state)).hexdigest()
