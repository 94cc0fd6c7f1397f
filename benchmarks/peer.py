"""What judging a stroke of snooker costs another program, beside an entry of ours in one run.

pooltool-billiards is in no environment of ours. In one of its own:

    python3 -m venv peer && peer/bin/pip install -e . pooltool-billiards==0.3.3
    peer/bin/python -m benchmarks.peer

The two do not do the same work: the other looks through the events of a stroke that it has
simulated, we are given what a referee enters.
"""

import random
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from benchmarks import play
from benchmarks.figures import HEAD, Figure, Series, table
from benchmarks.rules import again, entry_figures

STROKES = 300
MOST_EVENTS = 1000
"""Of a stroke; a few simulations never come to rest."""
LENGTH, WIDTH = 3.569, 1.778
"""Of the bed, in metres. The other's snooker table cannot be built in this version."""


def main() -> None:
    """Print the figures."""
    try:
        import pooltool  # noqa: PLC0415 # an environment of its own has it
    except ImportError:
        sys.exit("there is no pooltool here: benchmarks/peer.py says how to measure beside it")
    strokes = list(_judged(pooltool, STROKES))
    frame, records = play.frame()
    figures = [
        *entry_figures(f"a frame of snooker, {len(records)} entries", again(frame, records)),
        Figure(
            f"pooltool {pooltool.__version__}: process_shot ({STROKES} strokes)",
            Series.of([judged for judged, _ in strokes]),
        ),
        Figure("  and advance", Series.of([judged + carried for judged, carried in strokes])),
    ]
    print(table(HEAD, [figure.row() for figure in figures]))


def _judged(pt: Any, strokes: int) -> Iterator[tuple[float, float]]:
    """Microseconds of judging a stroke, and of carrying the game on; a frame after another."""
    chance, now = random.Random(147), time.perf_counter_ns
    rules, shot = _racked(pt)
    while strokes:
        _play(pt, rules, shot, chance)
        if len(shot.events) >= MOST_EVENTS:
            rules, shot = _racked(pt)
            continue
        times = [now()]
        try:
            rules.process_shot(shot)
            times.append(now())
            rules.advance(shot)
            times.append(now())
        except ValueError:  # as it does once the last black is down
            rules, shot = _racked(pt)
            continue
        yield tuple((end - start) / 1000 for start, end in pairwise(times))  # type: ignore[misc]
        strokes -= 1
        if rules.shot_info.game_over or "white" not in _on_table(pt, shot):
            rules, shot = _racked(pt)
        else:
            shot.reset_history()


def _racked(pt: Any) -> tuple[Any, Any]:
    """A fresh frame: the rules, and the balls on a table."""
    game = pt.GameType.SNOOKER
    bed = pt.objects.PocketTableSpecs(l=LENGTH, w=WIDTH)
    bench = pt.Table.from_table_specs(bed)
    balls = pt.get_rack(game, bench)
    shot = pt.System(table=bench, balls=balls, cue=pt.Cue(cue_ball_id="white"))
    return pt.get_ruleset(game)([pt.Player("A"), pt.Player("B")]), shot


def _play(pt: Any, rules: Any, shot: Any, chance: random.Random) -> None:
    """A stroke towards a ball that is on, simulated."""
    there = _on_table(pt, shot)
    on = chance.choice([ball for ball in rules.shot_constraints.hittable if ball in there])
    if rules.shot_constraints.call_shot:
        rules.shot_constraints.ball_call = on
    shot.strike(V0=chance.uniform(2, 5), phi=pt.aim.at_ball(shot, on, cut=chance.uniform(-60, 60)))
    pt.simulate(shot, inplace=True, max_events=MOST_EVENTS)


def _on_table(pt: Any, shot: Any) -> set[str]:
    return {name for name, ball in shot.balls.items() if ball.state.s != pt.constants.pocketed}


if __name__ == "__main__":
    main()
