"""A set of the pins games: five-pins, nine-pins; CBBS calls them berilo.

One stroke a turn, whatever it makes. What a stroke makes goes to the striker; pins felled by his
own ball go to the opponent, both in one stroke if both balls felled some; after a foul the opponent
gets all of it and the price of the foul. An inning is a stroke here, a run is what a player made
for himself by it.
"""

from msgspec.structs import replace

from rules.carom import ends, play
from rules.carom.choices import free_ball
from rules.carom.entries import Felled, Pins, PinsTo, RedBall
from rules.carom.offers import INNER, MOST, PINS, pins_offers
from rules.carom.set_frame import SetFrame
from rules.carom.terms import Lie, PinsTerms
from rules.carom.turns import inning_closed, passed, rotated
from rules.entries import EndVisit, Entry
from rules.errors import Code, NotAllowed
from rules.frame import Frame, Notice, Offer
from rules.sides import Side, added


class PinsFrame(SetFrame, frozen=True, kw_only=True):
    """A set of five-pins or nine-pins."""

    terms: PinsTerms

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        return pins_offers(self, self.terms)

    def stroke(self, entry: Entry) -> "PinsFrame":
        """One stroke, which is the whole turn."""
        match entry:
            case Pins():
                return _struck(self, entry)
            case Felled():
                return _struck(self, counted(self.terms, entry))
            case EndVisit():
                return _struck(self, Pins(0))
        raise NotAllowed(Code.NOT_HERE, entry)

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """Fouls, time-outs, the break at half distance."""
        assert isinstance(before, PinsFrame)
        fouled = isinstance(entry, Pins | Felled) and entry.to is PinsTo.FOUL
        foul = (Notice("foul", before.turn),) if fouled else ()
        return (*foul, *play.announced(self, before, entry))


def worth(terms: PinsTerms, felled: Felled) -> int:
    """What a stroke is worth but for `worth_given`, without the price of a foul.

    Points that go to the opponent are never doubled.
    """
    ball = {None: 0, RedBall.OWN: terms.ball_own, RedBall.OTHER: terms.ball_other}[felled.ball]
    red = _red(terms, felled) if felled.red else 0
    points = terms.pin * felled.pins + terms.inner * felled.inner + red + ball
    doubled = felled.cushion and felled.to is PinsTo.STRIKER and terms.cushion_doubles
    return 2 * points if doubled else points


def worth_given(terms: PinsTerms, felled: Felled) -> int:
    """What the pins are worth that the own ball felled beside the others."""
    red = _red(terms, felled) if felled.own_red else 0
    return terms.pin * felled.own_pins + terms.inner * felled.own_inner + red


def _red(terms: PinsTerms, felled: Felled) -> int:
    """The red pin is alone if neither ball felled another."""
    others = felled.pins or felled.inner or felled.own_pins or felled.own_inner
    return terms.red if others else terms.red_alone


def counted(terms: PinsTerms, felled: Felled) -> Pins:
    """A stroke by what fell as one by its points.

    Raises:
        NotAllowed: more pins than stand, inner ones among five, a cushion that doubles nothing.
    """
    most_inner = INNER if terms.inner else 0
    for fell, by_own, most in (
        (felled.pins, felled.own_pins, PINS),
        (felled.inner, felled.own_inner, most_inner),
        (felled.red, felled.own_red, 1),
    ):
        if min(fell, by_own) < 0 or fell + by_own > most:
            raise NotAllowed(Code.BAD_COUNT, felled)
    if felled.cushion and not terms.cushion_doubles:
        raise NotAllowed(Code.NOT_HERE, felled)
    return Pins(worth(terms, felled), felled.to, worth_given(terms, felled))


def _struck(frame: PinsFrame, stroke: Pins) -> PinsFrame:
    """One stroke: points to either side, cut at its target, and the turn is over."""
    if not (0 <= stroke.n <= MOST and 0 <= stroke.given <= MOST):
        raise NotAllowed(Code.BAD_COUNT, stroke)
    own, given = stroke.n, stroke.given
    if stroke.to is not PinsTo.STRIKER:
        own, given = 0, given + stroke.n
    if stroke.to is PinsTo.FOUL:
        given += frame.terms.foul_pts
    mine, other = frame.turn, frame.turn.other
    own, given = _cut(frame, mine, own), _cut(frame, other, given)
    score = added(added(frame.score, mine, own), other, given)
    closed = inning_closed(rotated(replace(frame, score=score, run=own, lie=Lie.AS_IS), 1))
    reached = tuple(side for side in Side if score[side.place] == frame.target[side.place])
    if len(reached) > 1:
        return ends.undecided(closed)
    if reached:
        return ends.target_reached(closed, reached[0])
    after = passed(closed, Lie.AS_IS)
    return free_ball(after) if stroke.to is PinsTo.FOUL and after.ending is None else after


def _cut(frame: PinsFrame, side: Side, n: int) -> int:
    """Points above the target do not count."""
    target = frame.target[side.place]
    return n if target is None else min(n, target - frame.score[side.place])
