"""Random walks through legal entries of the pool games."""

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
    Interval,
    Lag,
    Pick,
    Stalemate,
    Void,
)
from rules.frame import Offer, offered
from rules.match import Match
from rules.pool.entries import (
    Case,
    Deliberate,
    Eight,
    EightFault,
    EightWas,
    Fifteenth,
    Foul,
    Group,
    InTheWay,
    Kind,
    Left,
    Lot,
    Pot,
    Push,
    Safe,
    Short,
    Soft,
    VisitEnd,
    WholeVisit,
    Wrong,
)
from rules.pool.game import PoolGame, StraightGame
from rules.position import split_fields
from rules.record import Setup
from rules.rulebooks.shelf import RULEBOOKS
from rules.sides import Side
from rules.standing import Stage
from tests.rules.walks import Walk, maybe_side, opened, shared, sides, walk_settings, yes_no

WALK = walk_settings(200)

BOOKS = sorted(id_ for id_, book in RULEBOOKS.items() if isinstance(book.game, PoolGame))
STRAIGHT = sorted(id_ for id_ in BOOKS if isinstance(RULEBOOKS[id_].game, StraightGame))

RACKS = (
    "race=1/1",
    "race=2/1",
    "race=2/2 order=winner",
    "race=2/2 order=loser sets_to_win=2 set_order=lag",
    "best_of=3 sets_to_win=2 set_order=continue",
    "race=2/2 shootout=on timeouts=1",
    "race=2/2 detail=1",
    "race=1/1 detail=1 ext_per_rack=2",
)
POINTS = (
    "target=50/60",
    "target=20/20",
    "target=40/30 timeouts=2",
    "target=16/16 sets_to_win=2",
    "target=20/20 after_third=pass_turn cap_at_target=on",
    "target=30/9 sets_to_win=2 order=winner break_choice=on",
)

small = st.integers(-1, 4)
maybe = st.none() | small
lot = st.builds(Lot, st.sampled_from(list(Group)), st.integers(0, 8))
lots = st.lists(lot, max_size=2).map(tuple)
kinds = st.none() | st.sampled_from(list(Kind))

entries: st.SearchStrategy[Entry] = st.one_of(
    *shared,
    st.builds(Lag, maybe_side, st.sampled_from([(), (Side.A,), (Side.A, Side.B)])),
    st.builds(First, sides),
    st.builds(
        Pick,
        st.sampled_from(
            ["play", "pass_back", "accept", "kitchen", "rebreak", "rebreak_self", "potted", "A"]
        ),
    ),
    st.builds(Award, sides, st.sampled_from(["", "absence", "unsporting"])),
    st.builds(Disqualify, st.sampled_from([(), (Side.A,), (Side.A, Side.B), (Side.B, Side.A)])),
    st.builds(Void, st.sampled_from(["restart", "x"])),
    st.builds(Stalemate, st.sampled_from(["", "warn", "clear", "x"])),
    st.builds(Pot, maybe, yes_no),
    st.builds(Pot, lots=lots, eight=st.none() | st.sampled_from(list(EightWas))),
    st.builds(Left, st.integers(-1, 16)),
    st.builds(Safe, lots),
    st.builds(Wrong, maybe, yes_no),
    st.builds(Wrong, lots=lots, keep=yes_no),
    st.builds(Foul, maybe, yes_no, kind=kinds, unwarned=yes_no, by=maybe_side),
    st.builds(Foul, lots=lots, eight=st.none() | st.sampled_from(list(EightWas)), by=maybe_side),
    st.builds(Foul, scratch=yes_no, kind=kinds, by=maybe_side),
    st.builds(Short, yes_no),
    st.builds(Soft, maybe, yes_no),
    st.builds(Push, maybe, yes_no, yes_no),
    st.builds(
        Eight,
        lots,
        st.none() | st.sampled_from(list(EightFault)),
        st.none() | st.sampled_from(list(Group)),
    ),
    st.builds(Deliberate),
    st.builds(
        Case,
        st.sampled_from(list(InTheWay)),
        yes_no,
        st.none() | st.sampled_from(list(Fifteenth)),
    ),
    st.builds(WholeVisit, st.integers(-1, 16), st.sampled_from(list(VisitEnd)), small, small),
)
"""Entries that mostly make no sense: what is not offered must be refused."""

RARE = (Conduct, Concede, Disqualify, Award, Void, Stalemate, Breaker, Eight, Deliberate)
POTS = (Pot, Left, EndVisit, Soft, Push)

SELDOM: tuple[Entry, ...] = (
    Foul(eight=EightWas.POTTED),
    Pot(eight=EightWas.POTTED),
    Foul(scratch=True),
    *(Eight(fault=fault) for fault in EightFault),
    *(Case(what) for what in (InTheWay.FIFTEENTH, InTheWay.BOTH)),
    Short(),
    Soft(0),
    Breaker(Side.B),
    Interval(Side.A),
    Left(1),
    Stalemate("warn"),
)
"""What a walk by chance alone seldom meets; the 8 is worth meeting now and then only."""


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    rulebook = draw(st.sampled_from(BOOKS))
    format_ = draw(st.sampled_from(POINTS if rulebook in STRAIGHT else RACKS))
    return Setup(rulebook, format=split_fields(format_), first=draw(maybe_side))


def next_entry(chance: random.Random, match: Match) -> Entry:
    """A legal entry: a kind first, so that kinds with many fields do not crowd out the others."""
    offers = match.legal()
    kind = chance.random()
    if kind < 0.12:
        tried = chance.choice(SELDOM)
        if offered(offers, tried):
            return tried
    if kind < 0.5:
        pool = [offer for offer in offers if offer.kind in POTS]
    elif kind < 0.65 and any(offer.kind is Foul for offer in offers):
        fallen = [offer for offer in offers if offer.kind is Foul and _says_what_fell(offer)]
        pool = fallen or [offer for offer in offers if offer.kind is Foul]
    else:
        rare = kind > 0.93
        pool = [offer for offer in offers if (offer.kind in RARE) is rare]
    while True:
        found = list(chance.choice(pool or list(offers)).at_bounds())
        if found and isinstance(found[0], Foul):
            found = [one for one in found if isinstance(one, Foul) and one.kind is None] or found
        if found:
            return chance.choice(found)
        pool = list(offers)


def _says_what_fell(offer: Offer) -> bool:
    return bool({"n", "lots", "scratch"} & {name for name, _ in offer.fields})


def walk_of(setup: Setup, seed: int, most: int) -> Walk:
    chance = random.Random(seed)
    match = opened(setup).match
    walk: list[Entry] = []
    while len(walk) < most and match.stage is not Stage.OVER:
        walk.append(next_entry(chance, match))
        match = match.after(walk[-1])
    return setup, walk


def walks(most: int = 50) -> st.SearchStrategy[Walk]:
    """A set-up and legal entries; the length is what a failure shrinks."""
    return st.builds(walk_of, setups(), st.integers(0, 2**32), st.integers(0, most))
