"""Snooker by the world body's rules (WPBSA), and the international game with six reds.

The wording in force could not be read whole. The facts are from section 3 as it stood after August
2014, and from older copies of sections 2 and 4; article numbers moved later. Whoever referees by
the rules of today holds them against the current text first.
"""

from msgspec.structs import replace

from rules.rulebook import Rulebook
from rules.snooker.game import SNOOKER as SNOOKER_GAME
from rules.snooker.terms import (
    Conceding,
    MissBlock,
    Price,
    SnookerTerms,
    TimeRule,
    WrongBreaker,
)

_SECTION_3 = "section 3 in the wording after August 2014"

_TERMS = SnookerTerms(
    nodecl=Price.SEVEN,
    cumulate=False,
    disciplinary_loses=0,
    time_rule=TimeRule.WARNING,
    miss_block=MissBlock.EITHER,
    auto_end_pink=False,
    concede=Conceding.STRIKER,
    forfeit=True,
    wrong_breaker=WrongBreaker.KEEP,
    lost_match_fills=True,
)

_CITES = {
    "target": "the event sets it",
    "reds": "section 3: fifteen",
    "succ_red": "section 3, penalties: seven for reds in successive strokes",
    "nodecl": "section 3, penalties: seven for no nomination where it is asked",
    "compulsory7": "section 3 knows no such price",
    "cumulate": "section 3, fouls: of several only the highest counts",
    "disciplinary_loses": "section 4: the referee warns, awards the frame, then the match",
    "time_rule": "section 4: wasted time is first a warning",
    "miss_rule": "section 3, foul and a miss",
    "miss_block": "section 3, foul and a miss: not where either side needs penalty points, or "
    "exactly ties, but for an intentional miss or a sequence with a full ball",
    "agg_fail": "section 3, foul and a miss: the third with central full ball contact open",
    "miss_cap": "section 3 knows none",
    "hide_rule": "section 3: only the free ball may not hide the ball on",
    "pass_after_in_off": "section 3: the next player may always have the offender play again",
    "auto_end_pink": "section 3, end of the game: on a claim, or on the black",
    "concede": "section 3, conceding: the striker; section 4: only once he needs penalty points",
    "award_table": "section 3 knows it of a forfeited frame only",
    "forfeit": "section 4, conduct: the offender loses his points, the other gets the table",
    "wrong_breaker": "section 3: the order of breaks that was set stays",
    "pairs": "section 3, four-handed snooker: the order set at the start of a frame holds in it",
    "clock": "the event sets it",
    "warn": "as clock",
    "minutes": "as clock",
    "late_clock": "as clock; timed events shorten it",
    "late_from": "as late_clock",
    "lost_match_fills": "section 4: the match is awarded; that it fills the frames is inferred",
}

SNOOKER = Rulebook(
    id="wpbsa",
    name="WPBSA snooker",
    edition=f"WPBSA rules of snooker, {_SECTION_3}; not the current text",
    game=SNOOKER_GAME,
    terms=_TERMS,
    cites=_CITES,
)

SIX_REDS = Rulebook(
    id="6red",
    name="International six-red snooker",
    edition=f"usual differences of six-red events, from reports of them, on WPBSA {_SECTION_3}",
    game=SNOOKER_GAME,
    terms=replace(_TERMS, reds=6, miss_cap=5, hide_rule=True),
    cites={
        **_CITES,
        "reds": "six",
        "miss_cap": "after five misses in a row the opponent places the cue ball",
        "hide_rule": "no snooker behind the colour that was named",
    },
)
