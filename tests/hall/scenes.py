"""Tables of every game as they look in play, said by hand: what displays are tried with."""

from typing import Any

from rules.clock import ClockState, Countdown
from rules.figures import Figures
from rules.frame import Ending, Option, Result, Then
from rules.scoreline import SCHEMA, STALE_AFTER_S, Said, Scoreline
from rules.sides import Side


def scene(rulebook: str, a: str, b: str, **more: Any) -> Scoreline:
    """A scoreline of two players; a name with ` + ` in it is a pair."""
    names = (tuple(a.split(" + ")), tuple(b.split(" + ")))
    usual: dict[str, Any] = {"seq": 12, "t_ms": 60_000, "match": rulebook, "phase": "playing"}
    return Scoreline(
        schema=SCHEMA,
        stale_after_s=STALE_AFTER_S,
        rulebook=rulebook,
        names=names,
        **(usual | more),
    )


SHOT = ClockState(
    shot=Countdown(40_000, running=True, until_ms=90_500, warn_ms=10_000),
    match=Countdown(3_000_000, running=True, until_ms=2_400_000),
)

SCENES: dict[str, Scoreline] = {
    "1": scene(
        "ug",
        "Ana Prado",
        "Rui Melo",
        turn=Side.A,
        run=4,
        score=(27, 31),
        opener=Side.A,
        white=Side.A,
        clock=SHOT,
        figures=Figures(
            targets=(40, 40),
            to_go=(13, 9),
            innings=(14, 14),
            averages=("1.928", "2.214"),
            high_runs=(7, 9),
            timeouts=(2, 1),
        ),
        last=(Said("+1", Side.A), Said("+1", Side.A), Said("/", Side.B)),
    ),
    "2": scene(
        "wpbsa",
        "Igor Figueiredo",
        "Noppon Saengkham-Wattanapong",
        turn=Side.B,
        run=57,
        score=(36, 57),
        tally={"frames": (3, 4)},
        to_win={"frames": (6, 6)},
        opener=Side.A,
        figures=Figures(
            ball_on="colour", reds=5, remaining=67, snookers=(0, 0), maximum=124, high_runs=(88, 57)
        ),
    ),
    "3": scene(
        "wpa9",
        "Ming-Jung Ko",
        "Ömer Çelik",
        turn=Side.A,
        tally={"racks": (8, 8)},
        to_win={"racks": (9, 9)},
        opener=Side.B,
        figures=Figures(fouls=(2, 0), fouls_limit=3, left=4),
    ),
    "4": scene(
        "uk",
        "Bia Sá",
        "Jaspers + Çay",
        score=(40, 39),
        phase="held",
        ending=Ending("target", Then.EQUALISER, Side.B),
        opener=Side.A,
        figures=Figures(targets=(40, 40), innings=(21, 20), averages=("1.904", "1.950")),
    ),
    "5": scene(
        "wpa8",
        "Zé",
        "Li",
        turn=Side.B,
        option=Option("foul", ("play", "pass"), Side.B),
        tally={"racks": (2, 3), "sets": (1, 0)},
        to_win={"racks": (5, 5), "sets": (2, 2)},
        figures=Figures(groups=("solids", "stripes"), group_left=(3, 5), left=9),
    ),
    "6": scene(
        "ug",
        "Sidhom",
        "Cha",
        score=(40, 39),
        phase="over",
        result=Result(Side.A, "equaliser_failed"),
        figures=Figures(innings=(30, 30), averages=("1.333", "1.300"), high_runs=(8, 6)),
    ),
    "7": scene("wpa141", "Schmidt", "Ortmann", turn=Side.A, score=(112, -3), run=28),
    "8": scene(
        "fpb",
        "Rui Chapéu",
        "Noel Moreira",
        turn=Side.A,
        score=(21, 35),
        tally={"frames": (1, 1)},
        to_win={"frames": (3, 3)},
        figures=Figures(ball_on="blue", remaining=18, snookers=(1, 0)),
        saved=False,
    ),
}
