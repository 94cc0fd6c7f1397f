"""The world pool association's rules (WPA), and blackball by its chapter 8."""

from rules.pool.game import BLACKBALL as BLACKBALL_GAME
from rules.pool.game import EIGHT, ROTATION, STRAIGHT
from rules.pool.position import Cue
from rules.pool.terms import (
    Apex,
    BlackballTerms,
    BreakChoice,
    EightTerms,
    RotationTerms,
    StraightTerms,
    Third,
)
from rules.rulebook import Rulebook

EDITION = "WPA rules of play and playing regulations of 15 September 2025, as paraphrased"

_CITES = {
    "sets_to_win": "the event sets it",
    "order": "alternate; the event may have the winner or the loser break",
    "set_order": "the event sets it; alternate where it says nothing",
    "timeouts": "Regulation 14: one of five minutes in long matches; in matches of up to nine "
    "racks (nine- and ten-ball: thirteen) the event sets none",
    "ext_per_rack": "Regulation 18: one a player in each rack",
    "stalemate_turns": "stalemate: three more turns each after the referee's announcement",
    "clock": "Regulation 18: 35 seconds where one is used; none where the event says nothing",
    "warn": "Regulation 18: at ten seconds",
    "ext_len": "Regulation 18: 25 seconds",
    "break_clock": "Regulation 18: 60 seconds at most after the break",
    "minutes": "the event sets it",
    "late_clock": "the event sets it; leagues with a match time shorten the clock near its end",
    "late_from": "as late_clock",
    "lost_match_fills": "racks won stand",
}

_RACK_CITES = _CITES | {
    "race": "the event sets it",
    "best_of": "the event sets it",
    "shootout": "the rules know none; some events play one for the deciding rack",
    "half_interval": "the rules know no half-way condition",
    "detail": "the operator's choice, no rule",
}

_ROTATION_CITES = _RACK_CITES | {
    "push_out_by": "after a break without foul whoever plays next may call one",
    "fouls_limit": "three consecutive fouls",
    "warned": "a player on two must be told, else his third counts as the second",
}

NINE_BALL = Rulebook(
    id="wpa9",
    name="WPA nine-ball",
    edition=EDITION,
    game=ROTATION,
    terms=RotationTerms(
        three_ball=True, warned=True, timeouts=1, warn=10, ext_len=25, break_clock=60
    ),
    cites=_ROTATION_CITES
    | {
        "balls": "nine",
        "early_wins": "on any legal shot",
        "called": "nothing is called",
        "three_ball": "Regulation 16: three balls pocketed or past the head string; rule 5.3 "
        "leaves open whether pocketed ones count",
    },
)

TEN_BALL = Rulebook(
    id="wpa10",
    name="WPA ten-ball",
    edition=EDITION,
    game=ROTATION,
    terms=RotationTerms(
        balls=10,
        early_wins=False,
        called=True,
        warned=True,
        timeouts=1,
        warn=10,
        ext_len=25,
        break_clock=60,
    ),
    cites=_ROTATION_CITES
    | {
        "balls": "ten",
        "early_wins": "only as the only ball left at the start of the shot; else it is spotted",
        "called": "every shot but the break; 2025 has no called safety",
        "three_ball": "nine-ball's alone",
    },
)

EIGHT_BALL = Rulebook(
    id="wpa8",
    name="WPA eight-ball",
    edition=EDITION,
    game=EIGHT,
    terms=EightTerms(
        short_break=(
            BreakChoice.ACCEPT,
            BreakChoice.REBREAK_SELF,
            BreakChoice.REBREAK_OFFENDER,
        ),
        accept_scratch=True,
        break_foul=(BreakChoice.ACCEPT, BreakChoice.KITCHEN),
        eight_on_break=(BreakChoice.SPOT_CONTINUE, BreakChoice.REBREAK_SELF),
        eight_break_foul=(BreakChoice.SPOT_KITCHEN, BreakChoice.REBREAK_SELF),
        safety_call=True,
        claim_cleared=True,
        deliberate=False,
        timeouts=1,
        warn=10,
        ext_len=25,
        break_clock=60,
    ),
    cites=_RACK_CITES
    | {
        "short_break": "3.3: accept the table, re-rack and break, have the offender break again",
        "accept_scratch": "3.3: accepted with the cue ball in hand above the head string",
        "break_foul": "3.3: accept the table, or cue ball in hand above the head string",
        "eight_on_break": "3.3: the breaker has the 8 spotted and goes on, or breaks again",
        "eight_break_foul": "3.3: the opponent has the 8 spotted and the cue ball in hand "
        "above the head string, or breaks again",
        "safety_call": "3.6: a safety may be called",
        "claim_cleared": "2025: a group that is wholly down on an open table may be claimed",
        "deliberate": "unsportsmanlike conduct, whose price is the referee's",
    },
)

STRAIGHT_POOL = Rulebook(
    id="wpa141",
    name="WPA 14.1",
    edition=EDITION,
    game=STRAIGHT,
    terms=StraightTerms(
        third=Third.ADD_15,
        warned=True,
        break_counts=False,
        break_choice=True,
        spot_first=Cue.HEAD,
        spot_second=Cue.CENTRE,
        apex=Apex.SPOT,
        timeouts=1,
        warn=10,
        ext_len=25,
        break_clock=60,
    ),
    cites=_CITES
    | {
        "target": "the event sets it",
        "short_price": "breaking foul: two points",
        "foul_price": "standard foul: one point",
        "third_price": "three consecutive fouls: fifteen more",
        "fouls_limit": "three consecutive standard fouls",
        "third": "the fifteen come on top of the three points",
        "warned": "a player on two must be told, else his third counts as the second",
        "break_counts": "a breaking foul is no standard foul",
        "break_choice": "the opponent may have the offender break again, without limit",
        "after_third": "all fifteen are racked, the offender plays an opening break",
        "spot_first": "the head spot",
        "spot_second": "the centre spot",
        "apex": "it is in the way as anywhere in the rack",
        "cap_at_target": "every ball scores a point",
        "avg_dec": "the rules know no averages; two decimals are usual",
    },
)

BLACKBALL = Rulebook(
    id="bb",
    name="WPA blackball",
    edition=EDITION,
    game=BLACKBALL_GAME,
    terms=BlackballTerms(timeouts=1, warn=10, ext_len=25, break_clock=60),
    cites=_RACK_CITES | {"deliberate": "8: a deliberate foul loses the frame"},
)
