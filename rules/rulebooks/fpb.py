"""The Portuguese federation's rules (FPB), as far as their text is at hand."""

from rules.rulebook import Rulebook
from rules.snooker.game import SNOOKER as SNOOKER_GAME
from rules.snooker.terms import MissBlock, Price, SnookerTerms, TimeRule

SNOOKER = Rulebook(
    id="fpb",
    name="FPB snooker",
    edition="FPB rules of snooker, art. 1-77; the text breaks off inside art. 77.C, what it lacks "
    "is inferred from CBBS 2008, which it follows article by article",
    game=SNOOKER_GAME,
    terms=SnookerTerms(
        succ_red=Price.VARIABLE,
        time_rule=TimeRule.TECHNICAL,
        miss_block=MissBlock.NEVER,
        agg_fail=4,
        hide_rule=True,
        award_table=True,
        clock=60,
        lost_match_fills=True,
    ),
    cites={
        "target": "art. 4: the event sets it",
        "reds": "art. 1.b: 15; 10 on a table of 2.45 m",
        "succ_red": "art. 22 and 60: the value of the ball, four at least",
        "nodecl": "art. 55.17: variable; 55.28 is of another foul before a colour is named",
        "compulsory7": "art. 47.3 and 48: an unavoidable foul has its usual value",
        "cumulate": "art. 55§8 and 58§: technical and disciplinary penalty are added",
        "disciplinary_loses": "art. 58.C, 58.D: the second disciplinary, the first grave one",
        "time_rule": "art. 55.29: seven, among the technical fouls",
        "miss_rule": "art. 46-49",
        "miss_block": "art. 46-48 know no bar by the score",
        "agg_fail": "art. 46§1: the third repetition, so the fourth failure",
        "miss_cap": "the text knows no limit of repetitions without a full ball",
        "hide_rule": "art. 70.A and 71: no snooker behind the ball just hit",
        "pass_after_in_off": "art. 32, 58.A3 and 72.2, against the stray sentence of 23§",
        "auto_end_pink": "art. 77.A1",
        "concede": "the text breaks off at 77.C; inferred from CBBS 50.2",
        "award_table": "art. 59: the winner gets the table, one more than the loser at least",
        "forfeit": "the text knows no forfeit of a frame",
        "wrong_breaker": "the frames alternate from whoever broke, when it is found late",
        "clock": "art. 55.29: 60 seconds",
        "warn": "the text knows no warning",
        "lost_match_fills": "art. 58 takes the match; that it fills the frames is inferred",
    },
)
