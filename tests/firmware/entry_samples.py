"""One of every kind of entry, with each of its marks, in each family of games."""

from rules.carom.words import NOTATION as CAROM
from rules.notation import Notation
from rules.pool.words import NOTATION as POOL
from rules.snooker.words import NOTATION as SNOOKER

_SHARED = """
/ OK CLOCK TIMEUP LAG(A) LAG(repeat) LAG(pocket,A) LAG(pocket,A,B) FIRST(B) FIRST(A,2) BREAKER(A)
EXT(A) PICK(place) PICK(A) AWARD(B) AWARD(B,absence) CONCEDE(A) CONCEDE(B,match) DQ(A) DQ(A,B)
VOID VOID(keep) VOID(restart) STALEMATE STALEMATE(warn) STALEMATE(clear) TIMEOUT TIMEOUT(B)
INTERVAL(A) INTERVAL(A,granted) SHOOT(2) SHOOT(A) CONDUCT CONDUCT(B) CONDUCT(A,grave)
CONDUCT(grave)
"""

_CONTROLS = """
UNDO REDO START START(match) PAUSE PAUSE(match) PAUSE(restart) RESUME RESUME(match)
[SPLICE(3,4)~/~+1] [SPLICE(3,3)~[~+1~/~]] [SPLICE(3,2)~/] [SPLICE(3,5)]
[SPLICE(0,0,shift)~SETUP(rulebook=3c,A=1,B=2,first=A,format.target=30/25)]
SETUP(rulebook=3c,A=1,B=2,first=A,format.target=30/25,format.limit=40,at.score=3/4)
"""
"""Controls, and records that hold several words: `~` is a blank."""

_CAROM = """
+1 +5 +1(in) +1(stay) +1(out) =7 =0 P12 P4(given) P3(foul) P6(given=2) FOUL FOUL(off) FROZEN
ZONE(in) ZONE(out) ZONE(line) FELL(pins=3,red,ball=other) FELL(pins=2,ball=own,cushion)
FELL(inner=1,given) FELL(pins=1,foul) FELL(pins=3,own_pins=1,own_inner=1,own_red)
ADJUST(score=15/3,innings=4/4,why=keyed) ADJUST(turn=B,run=3,lie=touching)
ADJUST(lie=as_is,goal=30,zone=must_exit) ADJUST(lie=offenders,zone=entered,goal=none)
ADJUST(lie=placed,zone=free,members=2/1) ADJUST(lie=start,why=referee) ADJUST(run=0,why=missed)
ADJUST(score=1/2,why=off)
"""

_SNOOKER = """
R R2 +R Y G N U P K FB FB(K) FB(K,with=R2) FB(N,with=Y) FB(K,only=R) FB(K,missed) FB(missed)
FOUL FOUL(v=5) FOUL(v=7,miss,by=A) FOUL(white) FOUL(nom=Y,hit=K,reds=1,miss,full,by=B)
FOUL(pot=K) FOUL(off=R) FOUL(touch=U) FOUL(hide=P) FOUL(seven) FOUL(succ) FOUL(nodecl)
FOUL(out_of_turn) FOUL(miss,force) FOUL(imposs) FOUL(free) FOUL(nostroke) FOUL(disc) FOUL(grave)
=24 =24(reds=4) =24(low=G) =27(cleared) CLAIM BLACK TOUCHING TOUCHING(off)
AWARD(B,aggravated) AWARD(A,forfeit)
ADJUST(score=60/20,reds=3,any_colour=on,turn=A,run=4) ADJUST(colours=NUPK,cue=hand,free=on,tie=no)
ADJUST(cue=table,tie=draw,members=2/1,out_of_turn=off) ADJUST(cue=anywhere,tie=black,reds=none)
ADJUST(score=60/20,breaks=55+32/-) [ADJUST(score=60/20)~AWARD(A)] [=24(reds=4)~FOUL(v=4,by=A)]
[FOUL(hit=K,white)~/]
"""

_POOL = """
POT POT(1) POT(2,M) POT(M) POT(S1,T2) POT(8ball) LEFT(9) SAFE SAFE(S1) WRONG(1,M) WRONG(S1,keep)
FOUL FOUL(2,M) FOUL(S1,scratch) FOUL(8ball) FOUL(8off) FOUL(off_table) FOUL(wrong_ball)
FOUL(no_rail,by=B) FOUL(no_foot) FOUL(moving) FOUL(touched) FOUL(double_hit) FOUL(push_stroke)
FOUL(bad_jump) FOUL(bad_placement) FOUL(not_tip) FOUL(no_call) FOUL(out_of_turn) FOUL(slow_play)
FOUL(other) FOUL(unwarned) SHORT SHORT(scratch) SOFT(1,M) PUSH PUSH(1,M) PUSH(foul) EIGHT EIGHT(S1)
EIGHT(foul) EIGHT(wrongpocket) EIGHT(off) EIGHT(early) EIGHT(claim=T) DELIBERATE CASE(apex)
CASE(moved) CASE(both) CASE(ob) CASE(ob,blocked) CASE(cb,behind) CASE(cb,beyond) CASE(cb,headspot)
VISIT(7,miss) VISIT(9,k1,d1,foul) VISIT(9,safe) VISIT(9,scratch) VISIT(0,win)
ADJUST(opening=off,left=3,groups=S/T,fouls=1/2,push=on) ADJUST(streak=1+1/-,free=on,cue=any)
ADJUST(solids=3,stripes=2,turn=B,score=-2/14,run=4) ADJUST(cue=place) ADJUST(cue=kitchen)
ADJUST(cue=head) ADJUST(cue=centre) ADJUST(cue=lie_or_baulk) ADJUST(cue=baulk)
[FOUL~PICK(in_a_row)] [FOUL(by=B)~PICK(potted)]
"""


def _acts(text: str) -> tuple[str, ...]:
    return tuple(word.replace("~", " ") if word[0] == "[" else word for word in text.split())


SHARED, CONTROLS = _acts(_SHARED), _acts(_CONTROLS)

GAMES: dict[str, tuple[Notation, tuple[str, ...]]] = {
    "3c": (CAROM, (*SHARED, *_acts(_CAROM))),
    "cbbs": (SNOOKER, (*SHARED, *_acts(_SNOOKER))),
    "fpb141": (POOL, (*SHARED, *_acts(_POOL))),
}
"""A game of each family: its notation, and what is entered in it."""
