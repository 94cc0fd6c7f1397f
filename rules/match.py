"""The whole contest: frames and what stands between them, counted level by level.

Every end is held: it is booked at once, score, tally, winner and reason can be read, and OK
moves on. Immutable, like the frames.
"""

import hashlib
from enum import StrEnum

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from rules.entries import (
    Award,
    Concede,
    Conduct,
    Disqualify,
    Entry,
    First,
    Lag,
    Ok,
    Scope,
    Shootout,
)
from rules.errors import BadNotation, BadSetup, Code, NotAllowed
from rules.frame import (
    DISQUALIFIED,
    Between,
    Carry,
    Ending,
    Frame,
    Offer,
    OneOf,
    Option,
    Result,
    Then,
    Visit,
)
from rules.position import field_names, with_fields
from rules.record import Fields, Setup
from rules.rulebook import Game, Level, Order, Rulebook, Terms
from rules.sides import Pair, Side, added, with_side

SHOOTOUT_MOST = 999
"""The most points of one shoot-out inning that a panel can key."""


class Stage(StrEnum):
    """Where a match stands."""

    FIRST = "first"
    """It is asked who plays first."""
    FRAME = "frame"
    """A frame is in play, or its end is held."""
    SHOOTOUT = "shootout"
    OVER = "over"


class Match(Struct, frozen=True):
    """A match at one moment.

    `tally` counts frames, then the levels above them. `frame` is the one in play, or the last
    one once the match is in a shoot-out or over. `shootout` holds the points of each side's
    shoot-out innings. `lag_winner` chooses who plays first.
    """

    setup: Setup
    game: Game
    terms: Terms
    tally: tuple[Pair[int], ...]
    stage: Stage
    carry: Carry
    frame: Frame | None = None
    finished: tuple[Frame, ...] = ()
    shootout: Pair[tuple[int, ...]] = ((), ())
    lag_winner: Side | None = None
    result: Result | None = None

    @property
    def visit(self) -> Visit | None:
        """Who is at the table, or none where that is not known."""
        if self.stage is Stage.FRAME and self.frame is not None:
            return self.frame.visit
        if self.stage is Stage.SHOOTOUT:
            return Visit(self._shooter())
        return None

    @property
    def ending(self) -> Ending | None:
        """What is held until OK, and what OK will do."""
        if self.stage is Stage.OVER:
            return None
        if self.result is not None:
            return Ending(self.result.reason, Then.MATCH_OVER, self.result.winner)
        if self.stage is not Stage.FRAME or self.frame is None:
            return None
        if self.frame.result is None:
            return self.frame.ending
        then, side = self._next()
        return Ending(self.frame.result.reason, then, side)

    @property
    def option(self) -> Option | None:
        """The choice that is open, in the frame or before it."""
        if self.result is not None:
            return None
        if self.stage is Stage.FIRST:
            return Option("first", ("A", "B"), self.lag_winner)
        return self.frame.option if self.stage is Stage.FRAME and self.frame is not None else None

    @property
    def levels(self) -> tuple[Level, ...]:
        """What the tally counts."""
        return self.game.levels(self.terms)

    def after(self, entry: Entry) -> "Match":
        """The match after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        match self.stage:
            case Stage.FRAME:
                return self._in_frame(entry)
            case Stage.FIRST:
                return self._before_frame(entry)
            case Stage.SHOOTOUT:
                return self._in_shootout(entry)
        raise NotAllowed(Code.MATCH_OVER, entry)

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        match self.stage:
            case Stage.FRAME:
                return self.frame.legal() if self.frame is not None else ()
            case Stage.OVER:
                return ()
        if self.result is not None:
            offenders = tuple(Side) if self.visit is None else (*Side, None)
            return (Offer(Ok), _conduct(*offenders), *_OUT)
        if self.stage is Stage.FIRST:
            return (
                Offer(First, (("side", OneOf(self._openers())),)),
                Offer(Lag, (("winner", OneOf((*Side, None))),)),
                Offer(Lag, (("pocketed", OneOf(_POCKETED)),)),
                _conduct(*Side),
                *_OUT,
                _ABSENCE,
            )
        return (
            Offer(Shootout, (("points", Between(0, SHOOTOUT_MOST)),)),
            Offer(Shootout, (("winner", _EITHER),)),
            _conduct(*Side, None),
            *_OUT,
            _ABSENCE,
        )

    def _in_frame(self, entry: Entry) -> "Match":
        frame = self.frame
        assert frame is not None
        if isinstance(entry, Ok) and (self.result or frame.result) is not None:
            return self._moved_on()
        after = frame.after(entry)
        match = replace(self, frame=after, carry=after.carry)
        result = after.result
        if result is None or result == frame.result:
            return match
        if result.replay:
            return match._opened(after.carry.scheduled)
        return match._booked(result)

    def _booked(self, result: Result) -> "Match":
        winner = result.winner
        if result.scope is Scope.MATCH:
            tally = self.tally
            if winner is not None and self.terms.lost_match_fills:
                top = self.levels[-1].to_win[winner.place]
                tally = (*tally[:-1], with_side(tally[-1], winner, top))
            return replace(self, tally=tally, result=result)
        if winner is None:
            if self.game.shoots_out(self.terms):
                return self
            return replace(self, result=Result(None, result.reason, Scope.MATCH))
        tally_now = list(self.tally)
        won = True
        for place, level in enumerate(self.levels):
            tally_now[place] = added(tally_now[place], winner, 1)
            won = tally_now[place][winner.place] >= level.to_win[winner.place]
            if not won:
                break
        booked = replace(self, tally=tuple(tally_now))
        if won:
            return replace(booked, result=Result(winner, result.reason, Scope.MATCH))
        return booked

    def _next(self) -> tuple[Then, Side | None]:
        """What follows a frame that did not decide the match, and who plays then."""
        assert self.frame is not None
        assert self.frame.result is not None
        winner = self.frame.result.winner
        if winner is None:
            return Then.SHOOTOUT, self.frame.opener
        match self.game.order(self.terms):
            case Order.WINNER:
                return Then.NEXT_FRAME, winner
            case Order.LOSER:
                return Then.NEXT_FRAME, winner.other
            case Order.LAG:
                return Then.FIRST, None
        return Then.NEXT_FRAME, self.frame.carry.scheduled.other

    def _moved_on(self) -> "Match":
        """What OK does at a held end."""
        frame = self.frame
        assert frame is not None
        if self.result is not None:
            return replace(self, stage=Stage.OVER, finished=(*self.finished, frame))
        then, side = self._next()
        if then is Then.SHOOTOUT:
            return replace(self, stage=Stage.SHOOTOUT)
        match = replace(
            self,
            finished=(*self.finished, frame),
            carry=frame.handed_back(),
            tally=self._rolled_over(),
            frame=None,
            lag_winner=None,
        )
        return replace(match, stage=Stage.FIRST) if side is None else match._opened(side)

    def _rolled_over(self) -> tuple[Pair[int], ...]:
        """The tally for the next frame: a level that was won starts again."""
        tally = list(self.tally)
        for place, level in enumerate(self.levels[:-1]):
            if any(n >= most for n, most in zip(tally[place], level.to_win, strict=True)):
                tally[place] = (0, 0)
        return tuple(tally)

    def _opened(self, opener: Side) -> "Match":
        carry = replace(self.carry, scheduled=opener)
        frame = self.game.opened(self.terms, carry, opener, self.tally[0])
        return replace(self, stage=Stage.FRAME, frame=frame, carry=carry)

    def _first(self, side: Side) -> "Match":
        """The frame that a side opens; the first one is taken up where the set-up says."""
        match = self._opened(side)
        _, _, own = _parted(self.setup.at, self.levels, self.carry)
        if self.finished or not own or match.frame is None:
            return match
        frame = self.game.taken_up(match.frame, own)
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
            case First(side) if self.result is None:
                return self._first(side)
            case Lag(winner, ()) if self.result is None:
                return replace(self, lag_winner=winner)
            case Lag(None, pocketed) if self.result is None and pocketed in _POCKETED:
                winner = pocketed[0].other if len(pocketed) == 1 else None
                return replace(self, lag_winner=winner)
        return self._for_the_match(entry, Code.FIRST_PENDING)

    def _in_shootout(self, entry: Entry) -> "Match":
        match entry:
            case Ok() if self.result is not None:
                return self._moved_on()
            case Shootout(points=None, winner=Side() as winner) if self.result is None:
                return replace(self, result=Result(winner, "shootout", Scope.MATCH))
            case Shootout(points=int() as points, winner=None) if (
                self.result is None and 0 <= points <= SHOOTOUT_MOST
            ):
                return self._shot_out(points)
        return self._for_the_match(entry, Code.NOT_HERE)

    def _shooter(self) -> Side:
        """The opener of the match shoots first, then the other, until they differ."""
        assert self.frame is not None
        a, b = (len(innings) for innings in self.shootout)
        opener = self.frame.opener
        return opener if a == b else opener.other

    def _shot_out(self, points: int) -> "Match":
        shooter = self._shooter()
        mine = (*self.shootout[shooter.place], points)
        shootout = with_side(self.shootout, shooter, mine)
        match = replace(self, shootout=shootout)
        a, b = shootout
        if len(a) != len(b) or a[-1] == b[-1]:
            return match
        winner = Side.A if a[-1] > b[-1] else Side.B
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
                return self._booked(Result(winner, "disqualified", Scope.MATCH))
            case Ok():
                raise NotAllowed(Code.NOTHING_TO_CONFIRM, entry)
        raise NotAllowed(Code.OK_PENDING if self.result is not None else otherwise, entry)


_EITHER = OneOf(tuple(Side))
_POCKETED: tuple[tuple[Side, ...], ...] = ((Side.A,), (Side.B,), (Side.A, Side.B))
_ABSENCE = Offer(Award, (("side", _EITHER), ("why", OneOf(("absence",)))))
_OUT = (
    Offer(Concede, (("side", _EITHER), ("scope", OneOf((Scope.MATCH,))))),
    Offer(Disqualify, (("sides", OneOf(DISQUALIFIED)),)),
)


def _conduct(*offenders: Side | None) -> Offer:
    return Offer(Conduct, (("side", OneOf(offenders)), ("grave", OneOf((False, True)))))


def new_match(setup: Setup, rulebook: Rulebook) -> Match:
    """The match that a set-up describes, at its first moment.

    Raises:
        BadSetup: a format, position or number of players that cannot be.
    """
    terms = rulebook.agreed(setup.format)
    game = rulebook.game
    if not all(setup.players):
        raise BadSetup("each side needs a player")
    levels = game.levels(terms)
    carry = game.carry(terms, (len(setup.players[0]), len(setup.players[1])))
    counted, carried, _ = _parted(setup.at, levels, carry)
    try:
        carry = with_fields(carry, carried)
        tally = tuple(_count(level, dict(counted).get(level.name)) for level in levels)
        match = Match(
            setup=setup, game=game, terms=terms, tally=tally, stage=Stage.FIRST, carry=carry
        )
        if setup.first is not None:
            return match._first(setup.first)
        if not match._openers():
            match._first(Side.A)
        return match
    except (BadNotation, NotAllowed) as error:
        raise BadSetup(f"at: {error}") from None


def _parted(at: Fields, levels: tuple[Level, ...], carry: Carry) -> tuple[Fields, Fields, Fields]:
    """The fields of a position parted into the tally's, the carry's and the frame's own."""
    names = [level.name for level in levels]
    shared = field_names(type(carry))
    return (
        tuple(pair for pair in at if pair[0] in names),
        tuple(pair for pair in at if pair[0] in shared),
        tuple(pair for pair in at if pair[0] not in names and pair[0] not in shared),
    )


def _count(level: Level, text: str | None) -> Pair[int]:
    if text is None:
        return (0, 0)
    a, b = with_fields(_Count(), [("count", text)]).count
    if not (0 <= a < level.to_win[0] and 0 <= b < level.to_win[1]):
        most = f"{level.to_win[0]}/{level.to_win[1]}"
        raise BadNotation(f"{level.name}={text}: a match in play stands below {most}")
    return a, b


class _Count(Struct, frozen=True):
    count: Pair[int] = (0, 0)


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
        match.result,
    )
    return hashlib.sha256(msgspec.msgpack.encode(state)).hexdigest()
