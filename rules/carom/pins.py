"""A set of the pins games: five-pins, nine-pins; CBBS calls them berilo.

One stroke a turn, whatever it makes. What a stroke makes goes to the striker; pins felled by his
own ball go to the opponent; after a foul the opponent gets all of it and the price of the foul. An
inning is a stroke here, a run is what a player made for himself by it.
"""

from msgspec.structs import replace

from rules.carom import ends, play
from rules.carom.adjust import position_text
from rules.carom.choices import free_ball
from rules.carom.entries import Felled, Pins, PinsTo, RedBall
from rules.carom.figures import figures_of
from rules.carom.offers import INNER, MOST, PINS, pins_offers
from rules.carom.position import CaromCarry
from rules.carom.state import SetState
from rules.carom.terms import Lie, PinsTerms
from rules.carom.turns import inning_closed, passed, rotated
from rules.entries import EndVisit, Entry
from rules.errors import Code, NotAllowed
from rules.figures import Figures
from rules.frame import Carry, Frame, Notice, Offer
from rules.record import Fields
from rules.sides import added


class PinsFrame(SetState, frozen=True, kw_only=True):
    """A set of five-pins or nine-pins."""

    terms: PinsTerms

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        return pins_offers(self, self.terms)

    def after(self, entry: Entry) -> "PinsFrame":
        """The set after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        frame = play.begun(self)
        between = play.between_strokes(frame, entry)
        return _played(frame, entry) if between is None else between

    def figures(self) -> Figures:
        """Its numbers for displays."""
        return figures_of(self)

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """Fouls, time-outs, the break at half distance."""
        assert isinstance(before, PinsFrame)
        fouled = isinstance(entry, Pins | Felled) and entry.to is PinsTo.FOUL
        foul = (Notice("foul", before.turn),) if fouled else ()
        return (*foul, *play.announced(self, before, entry))

    def position(self) -> Fields:
        """The set as text, what differs from its first moment."""
        return position_text(self)

    def with_carry(self, carry: Carry) -> Frame:
        """With an offence counted that came after the end."""
        assert isinstance(carry, CaromCarry)
        return replace(self, carry=carry)

    def handed_back(self) -> Carry:
        """The carry for the set after this one."""
        return play.handed_back(self)


def worth(terms: PinsTerms, felled: Felled) -> int:
    """What a stroke is worth, without the price of a foul.

    Points that go to the opponent are never doubled.
    """
    alone = not (felled.pins or felled.inner)
    red = terms.red_alone if alone else terms.red
    ball = {None: 0, RedBall.OWN: terms.ball_own, RedBall.OTHER: terms.ball_other}[felled.ball]
    points = terms.pin * felled.pins + terms.inner * felled.inner + red * felled.red + ball
    doubled = felled.cushion and felled.to is PinsTo.STRIKER and terms.cushion_doubles
    return 2 * points if doubled else points


def _played(frame: PinsFrame, entry: Entry) -> PinsFrame:
    """A stroke, with nothing held and no choice open."""
    match entry:
        case Pins(n, to):
            return _struck(frame, n, to, entry)
        case Felled():
            _check(frame.terms, entry)
            return _struck(frame, worth(frame.terms, entry), entry.to, entry)
        case EndVisit():
            return _struck(frame, 0, PinsTo.STRIKER, entry)
    raise NotAllowed(Code.NOT_HERE, entry)


def _check(terms: PinsTerms, felled: Felled) -> None:
    """Refuse what this game has not.

    Raises:
        NotAllowed: more pins than stand, inner ones among five, a cushion that doubles nothing.
    """
    most_inner = INNER if terms.inner else 0
    if not (0 <= felled.pins <= PINS and 0 <= felled.inner <= most_inner):
        raise NotAllowed(Code.BAD_COUNT, felled)
    if felled.cushion and not terms.cushion_doubles:
        raise NotAllowed(Code.NOT_HERE, felled)


def _struck(frame: PinsFrame, n: int, to: PinsTo, entry: Entry) -> PinsFrame:
    """One stroke: points to a side, cut at its target, and the turn is over."""
    if not 0 <= n <= MOST:
        raise NotAllowed(Code.BAD_COUNT, entry)
    scorer = frame.turn if to is PinsTo.STRIKER else frame.turn.other
    if to is PinsTo.FOUL:
        n += frame.terms.foul_pts
    target = frame.target[scorer.place]
    if target is not None:
        n = min(n, target - frame.score[scorer.place])
    own = n if scorer is frame.turn else 0
    scored = replace(frame, score=added(frame.score, scorer, n), run=own, lie=Lie.AS_IS)
    closed = inning_closed(rotated(scored, 1))
    if closed.score[scorer.place] == target:
        return ends.target_reached(closed, scorer)
    after = passed(closed, Lie.AS_IS)
    return free_ball(after) if to is PinsTo.FOUL and after.ending is None else after
