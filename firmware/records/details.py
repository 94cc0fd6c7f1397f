"""What only the entries of a match tell of a side: strokes, pots, fouls, time at the table.

For this the match is played again, so it is counted for the matches that were asked for alone.
"""

from collections.abc import Sequence

from msgspec import Struct

from firmware.records.kept import Kept
from firmware.records.visits import VisitRow, broken_and_run, strokes_of, visits
from rules.sides import Side
from rules.stats import average


class Detail(Struct, frozen=True):
    """What only the entries of matches tell, for one side; they can be added up.

    `shots` are strokes in visits in which each was entered, `shots_ms` what these took; `timed` and
    `timed_ms` the same of visits. `pots` and `safeties` are strokes entered as such. Of the frames
    won whose visits were entered, `first_visit` are those won in the side's own first visit,
    `break_and_runs` those of them that it opened and in which the other side never came to the
    table. `breaks_50` and `breaks_100` are visits of so many points: a hundred is no fifty.
    """

    visits: int = 0
    strokes: int = 0
    pots: int = 0
    safeties: int = 0
    fouls: int = 0
    given: int = 0
    lost: int = 0
    breaks_50: int = 0
    breaks_100: int = 0
    frames_won: int = 0
    first_visit: int = 0
    break_and_runs: int = 0
    shots: int = 0
    shots_ms: int = 0
    timed: int = 0
    timed_ms: int = 0

    def __add__(self, other: "Detail") -> "Detail":
        """Both together."""
        names = self.__struct_fields__
        return Detail(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def shot_s(self) -> str:
        """Seconds a stroke takes, as text; `-` where none was timed."""
        return _seconds(self.shots_ms, self.shots)

    @property
    def visit_s(self) -> str:
        """Seconds a visit takes, as text."""
        return _seconds(self.timed_ms, self.timed)


def _seconds(ms: int, count: int) -> str:
    return average(ms, count * 1000, 1) if count else "-"


def detail(match: Kept, side: Side) -> Detail:
    """One side of one match, counted visit by visit."""
    stays = [visit for visit in visits(match) if visit.number]
    mine = [visit for visit in stays if visit.side is side]
    timed = [(visit, visit.took_ms) for visit in mine if visit.took_ms is not None]
    by_shot = [(visit.shots, took) for visit, took in timed if visit.shots]
    played = [stroke for stroke in strokes_of(match) if stroke.side is side]
    won, first, runs = _cleared(match, stays, side)
    return Detail(
        visits=len(mine),
        strokes=sum(stroke.strokes or 0 for stroke in played),
        pots=sum(stroke.potted for stroke in played),
        safeties=sum(stroke.safe for stroke in played),
        fouls=sum(stroke.foul for stroke in played),
        given=sum(stroke.given for stroke in played if stroke.foul),
        lost=sum(stroke.lost for stroke in played),
        breaks_50=sum(50 <= visit.points < 100 for visit in mine),
        breaks_100=sum(visit.points >= 100 for visit in mine),
        frames_won=won,
        first_visit=first,
        break_and_runs=runs,
        shots=sum(shots for shots, _ in by_shot),
        shots_ms=sum(took or 0 for _, took in by_shot),
        timed=len(timed),
        timed_ms=sum(took or 0 for _, took in timed),
    )


def _cleared(match: Kept, stays: Sequence[VisitRow], side: Side) -> tuple[int, int, int]:
    """The frames with visits that a side won: all, in its first visit, from its own break."""
    won = first = runs = 0
    for number, frame in enumerate(match.frames(), 1):
        here = [visit for visit in stays if visit.frame == number]
        if not here or frame.result is None or frame.result.winner is not side:
            continue
        won += 1
        first += sum(visit.side is side for visit in here) == 1 and here[-1].side is side
        runs += broken_and_run(frame, here)
    return won, first, runs
