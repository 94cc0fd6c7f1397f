"""Walks through frames of snooker: set-ups, entries and the way from one to the next."""

import random

from hypothesis import strategies as st

from rules.entries import (
    Award,
    Breaker,
    Concede,
    Conduct,
    Disqualify,
    EndVisit,
    Entry,
    First,
    Lag,
    Ok,
    Pick,
    ShotClock,
    Stalemate,
    Void,
)
from rules.frame import offered
from rules.match import Match
from rules.position import split_fields
from rules.record import Setup
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side
from rules.snooker.entries import (
    AddRed,
    Ball,
    Claim,
    Colour,
    Concerned,
    Foul,
    FreeBall,
    How,
    LastBlack,
    Mark,
    Pot,
    Reds,
    Touching,
    VisitTotal,
)
from rules.snooker.game import SnookerGame
from rules.snooker.play import SnookerFrame
from rules.standing import Stage
from tests.rules.walks import (
    Walk,
    maybe_side,
    opened,
    shared,
    sides,
    walk_settings,
    yes_no,
)

WALK = walk_settings(200)

BOOKS = sorted(id_ for id_, book in RULEBOOKS.items() if isinstance(book.game, SnookerGame))
FORMATS = (
    "target=1 reds=1",
    "target=2 reds=1",
    "target=2 reds=2",
    "target=3 reds=2 pass_after_in_off=off",
    "target=2 reds=1 miss_rule=no_frame_loss",
    "target=2 reds=1 miss_rule=off",
    "target=2 reds=2 agg_fail=2",
    "target=1 reds=6 miss_cap=2",
    "target=2",
)
ATS = (
    "",
    "",
    "handicap=21/0",
    "handicap=-7/0",
    "score=40/38 reds=0 colours=UPK",
    "score=20/13 reds=0 colours=K",
    "reds=none score=12/30",
)

PLAYERS = (((1,), (2,)), ((1,), (2,)), ((1, 3), (2, 4)), ((1,), (2, 4, 6)))

VALUES = (
    *("0/0", "9/9", "-/57", "-90/0", "A", "B", "0", "1", "2", "99", "none", "on", "off"),
    *("K", "PK", "YGNUPK", "YK", "-", "hand", "draw", "black", "no", "2/1"),
)

small = st.integers(-1, 3)
balls = st.sampled_from(list(Ball))
colours = st.sampled_from(list(Colour))
concerned = st.builds(Concerned, st.sampled_from(list(How)), balls)
marks = st.lists(st.sampled_from(list(Mark)), max_size=3).map(tuple)

fouls = st.builds(
    Foul,
    st.none() | colours,
    st.lists(concerned, max_size=2).map(tuple),
    st.none() | st.none() | balls,
    st.just(0) | small,
    marks,
    st.none() | maybe_side,
    st.none() | st.none() | st.integers(3, 8),
)
CALLED = (
    (Mark.MISS,),
    (Mark.MISS, Mark.FULL),
    (Mark.MISS, Mark.FULL, Mark.FREE),
    (Mark.MISS, Mark.FORCE),
    (Mark.FREE,),
    (Mark.FREE, Mark.NOSTROKE),
    (Mark.WHITE,),
    (Mark.WHITE, Mark.DISC),
    (Mark.OUT_OF_TURN,),
    (),
)

entries: st.SearchStrategy[Entry] = st.one_of(
    *shared,
    st.builds(Lag, maybe_side),
    st.builds(First, sides, st.none() | st.none() | small),
    st.builds(Pick, st.sampled_from(["play", "pass", "free", "replay", "place", "A", "x"])),
    st.builds(Award, sides, st.sampled_from(["", "absence", "forfeit", "aggravated", "x"])),
    st.builds(Disqualify, st.sampled_from([(), (Side.A,), (Side.A, Side.B), (Side.B, Side.A)])),
    st.builds(Stalemate, st.sampled_from(["", "warn", "clear", "x"])),
    st.builds(Reds, small),
    st.builds(AddRed),
    st.builds(Pot, colours),
    st.builds(FreeBall, st.none() | balls, yes_no, st.just(0) | small, st.none() | colours),
    fouls,
    st.builds(Foul, st.none() | colours, marks=st.sampled_from(CALLED)),
    st.builds(VisitTotal, st.integers(-1, 40), st.none() | small, st.none() | colours, yes_no),
    st.builds(VisitTotal, st.integers(0, 12)),
    st.builds(Claim),
    st.builds(LastBlack),
    st.builds(Touching, yes_no),
)

STROKES = (Reds, AddRed, Pot, FreeBall, EndVisit)
POTS = (Reds, AddRed, Pot, FreeBall, LastBlack)
CHOICES = (Pick, First, Ok, LastBlack, Claim)
RARE = (Conduct, Concede, Disqualify, Award, Void, Stalemate, Breaker, ShotClock, VisitTotal)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    rulebook = draw(st.sampled_from(BOOKS))
    format_ = split_fields(draw(st.sampled_from(FORMATS)) + " pairs=on")
    at = split_fields(draw(st.sampled_from(ATS)))
    return Setup(rulebook, draw(st.sampled_from(PLAYERS)), format_, draw(maybe_side), at)


def next_entry(chance: random.Random, match: Match) -> Entry:
    """A legal entry: mostly strokes, then choices and fouls, seldom what ends a match."""
    offers = match.legal()
    frame = frames(match)
    kind = chance.random()
    if frame is not None and frame.misses.n and kind < 0.8:
        again: Entry = Pick("replay") if frame.choosing else some_foul(chance, (Mark.MISS,))
        if offered(offers, again):
            return again
    if kind < 0.2:
        tried = some_foul(chance, chance.choice(CALLED))
        if offered(offers, tried):
            return tried
    wanted: tuple[type[Entry], ...] = STROKES
    if kind < 0.4:
        wanted = CHOICES
    elif kind < 0.8:
        wanted = POTS
    elif kind > 0.96:
        wanted = RARE
    pool = [entry for offer in offers if offer.kind in wanted for entry in offer.at_bounds()]
    if not pool:
        pool = [entry for offer in offers if offer.kind not in RARE for entry in offer.at_bounds()]
    return chance.choice(pool)


def some_foul(chance: random.Random, called: tuple[Mark, ...]) -> Foul:
    named = chance.choice((None, *Colour))
    return Foul(named, marks=called, reds=chance.choice((0, 0, 0, 1)))


def walk_of(setup: Setup, seed: int, most: int) -> Walk:
    chance = random.Random(seed)
    match = opened(setup).match
    walk: list[Entry] = []
    while len(walk) < most and match.stage is not Stage.OVER:
        walk.append(next_entry(chance, match))
        match = match.after(walk[-1])
    return setup, walk


def walks() -> st.SearchStrategy[Walk]:
    """A set-up and legal entries; the length is what a failure shrinks."""
    return st.builds(walk_of, setups(), st.integers(0, 2**32), st.integers(0, 60))


def frames(match: Match) -> SnookerFrame | None:
    assert match.frame is None or isinstance(match.frame, SnookerFrame)
    return match.frame
