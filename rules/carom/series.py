"""A set of a series game: one side plays until it misses, points count one by one.

Transitions are those of the carom rules (CBBS part 2, art. 15-39; UMB chapter V): see
`rules.carom.ends` for how a set ends, `rules.carom.zones` for restricted zones.
"""

from msgspec.structs import replace

from rules.carom import ends, play, zones
from rules.carom.choices import frozen
from rules.carom.entries import Balls, Foul, Frozen, Points, Run, Zone
from rules.carom.offers import MOST, series_offers
from rules.carom.set_frame import SetFrame
from rules.carom.terms import Lie, OffTable, Overshoot, SeriesTerms, ZoneState
from rules.carom.turns import inning_closed, missed, rotated
from rules.entries import EndVisit, Entry
from rules.errors import Code, NotAllowed
from rules.frame import Frame, Notice, Offer
from rules.sides import added


class SeriesFrame(SetFrame, frozen=True, kw_only=True):
    """A set of straight rail, balkline, one or three cushions."""

    terms: SeriesTerms

    def legal(self) -> tuple[Offer, ...]:
        """What may be entered now."""
        return series_offers(self, self.terms)

    def stroke(self, entry: Entry) -> "SeriesFrame":
        """One stroke, a whole inning, or what is called between strokes."""
        terms = self.terms
        match entry:
            case Points(n, balls):
                return _carom(self, n, balls, entry)
            case Run(n):
                scored = _carom(self, n, None, entry, strokes=n) if n else self
                return scored if scored.ending is not None else missed(scored, Lie.AS_IS)
            case EndVisit() | Foul(off_table=False):
                return missed(self, Lie.AS_IS)
            case Foul(off_table=True):
                return missed(self, Lie.START if terms.offtable is OffTable.ALL else Lie.OFFENDERS)
            case Frozen():
                return frozen(self, terms.frozen)
            case Zone(call) if terms.zone_shots:
                return zones.called(self, terms, call)
        raise NotAllowed(Code.NOT_HERE, entry)

    def announced(self, before: Frame, entry: Entry) -> tuple[Notice, ...]:
        """Points to go, zones, fouls, time-outs, the break at half distance."""
        assert isinstance(before, SeriesFrame)
        return (*_called(self, before, entry), *play.announced(self, before, entry))


def _carom(
    frame: SeriesFrame, n: int, balls: Balls | None, entry: Entry, *, strokes: int = 1
) -> SeriesFrame:
    """Points made, unless the zone that was not left takes the carom away (art. 22.1.j)."""
    terms = frame.terms
    if not 1 <= n <= MOST:
        raise NotAllowed(Code.BAD_COUNT, entry)
    if balls is not None and not terms.zone_shots:
        raise NotAllowed(Code.NOT_HERE, entry)
    if balls is not None and n > 1:
        raise NotAllowed(Code.BAD_COUNT, entry, "1")
    if n == 1 and balls is None:
        balls = zones.assumed(frame)
    if balls is Balls.STAY and frame.zone is ZoneState.FREE:
        raise NotAllowed(Code.NOT_HERE, entry)
    if balls is Balls.STAY and frame.zone is ZoneState.MUST_EXIT:
        return missed(frame, Lie.AS_IS)
    scored = zones.after_carom(_scored(frame, n, entry), terms, balls)
    scored = rotated(scored, strokes)
    if scored.remaining != 0:
        return scored
    closed = inning_closed(scored)
    return ends.tied(closed) if frame.goal is not None else ends.target_reached(closed, frame.turn)


def _scored(frame: SeriesFrame, n: int, entry: Entry) -> SeriesFrame:
    left = frame.remaining
    if left is not None and n > left:
        if frame.terms.overshoot is Overshoot.REFUSE:
            raise NotAllowed(Code.OVER_TARGET, entry, str(left))
        n = left
    return replace(
        frame,
        score=added(frame.score, frame.turn, n),
        run=frame.run + n,
        strokes=frame.strokes + 1,
        lie=Lie.AS_IS,
    )


def _called(frame: SeriesFrame, before: SeriesFrame, entry: Entry) -> tuple[Notice, ...]:
    """What the referee calls: points to go, a zone, a foul."""
    side = before.turn
    match entry:
        case Points() if frame.score == before.score:
            return (Notice("zone_foul", side),)
        case Points() | Run() if frame.turn is side:
            return (*_to_go(frame), *_zone(frame))
        case Zone():
            return _zone(frame)
        case Foul():
            return (Notice("foul", side),)
    return ()


def _to_go(frame: SeriesFrame) -> tuple[Notice, ...]:
    """ "Three to go", called when a point leaves just that many."""
    if frame.ending is not None or frame.remaining != frame.terms.call_at:
        return ()
    return (Notice("to_go", frame.turn, frame.remaining),)


def _zone(frame: SeriesFrame) -> tuple[Notice, ...]:
    """ "Entered" or "inside", called before the stroke (art. 26.5)."""
    if frame.zone is ZoneState.FREE or frame.option is not None:
        return ()
    return (Notice(f"zone_{frame.zone}", frame.turn),)
