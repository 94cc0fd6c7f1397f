"""Rulebooks: every fact has its source, and a change of facts is noticed."""

import pytest

from rules.errors import BadSetup
from rules.position import field_names
from rules.rulebook import Rulebook
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of

# A match in play goes on under the facts it began with. Whoever changes facts changes this
# table in the same commit, and tells it in the changelog.
DIGESTS = {
    "sr": "68276fc63fc7dbb0",
    "472": "314025fda9b8bcc0",
    "471": "685136348c92a021",
    "712": "b7f4c17a4bb509d9",
    "1c": "55bfcdd72f4ffc52",
    "3c": "36c2dbfa0cec6d58",
    "ug": "1f1bbb048d605b95",
    "uk": "38a7e090b7bfea9a",
    "u18": "d82eb2dcd5165ee7",
    "s15": "790c384d1e3014e6",
    "s15f": "77a1f11d5c4b3121",
    "nl": "4ff03b31a61c8b75",
    "p5": "c778c4d453791f18",
    "p9": "81f01b311f26f964",
    "cbbs": "13f28ebae9099172",
    "fpb": "78b3f1de25c024d2",
    "wpbsa": "071d2c0187122673",
    "6red": "d84d4bfc94650b64",
    "fpb9": "5fa924d188be29d4",
    "wpa9": "a1df6f41008432e5",
    "wpa10": "149b8b9ee6aee1e1",
    "fpb8": "397139ad2415e3b6",
    "wpa8": "e5ba325c9c189cc5",
    "fpb141": "9be619f93390dc3c",
    "wpa141": "2b391be6d90b4f28",
    "bb": "58e743efc32230d0",
}

books = pytest.mark.parametrize("book", RULEBOOKS.values(), ids=lambda book: book.id)


@books
def test_every_fact_has_its_source(book: Rulebook) -> None:
    assert set(book.cites) == set(field_names(type(book.terms)))
    assert all(book.cites.values())
    assert book.name
    assert book.edition


@books
def test_a_rulebook_speaks_its_games_notation(book: Rulebook) -> None:
    assert notation_of(book.id) == book.game.notation


def test_a_change_of_facts_is_noticed() -> None:
    found = {id_: book.digest() for id_, book in RULEBOOKS.items()}
    assert found == DIGESTS, (
        "the facts of a rulebook have changed; if that is meant, put these digests into the "
        "table DIGESTS of this file, and tell the change in the changelog:\n"
        + "\n".join(f'    "{id_}": "{digest}",' for id_, digest in found.items())
    )


def test_no_two_rulebooks_say_the_same() -> None:
    assert len({book.digest() for book in RULEBOOKS.values()}) == len(RULEBOOKS)
    assert len({book.name for book in RULEBOOKS.values()}) == len(RULEBOOKS)


def test_a_rulebook_stands_under_its_own_id() -> None:
    for id_, book in RULEBOOKS.items():
        assert book.id == id_
        assert rulebook_of(id_) is book


def test_what_stands_on_no_shelf_is_named() -> None:
    with pytest.raises(BadSetup, match="nowhere cannot be played"):
        rulebook_of("nowhere")


def test_a_digest_is_of_the_facts_not_of_their_sources() -> None:
    book = RULEBOOKS["3c"]
    twin = Rulebook(book.id, book.name, book.edition, book.game, book.terms, {})
    other = Rulebook(book.id, book.name, book.edition, book.game, RULEBOOKS["uk"].terms, {})
    assert twin.digest() == book.digest()
    assert other.digest() != book.digest()


@pytest.mark.parametrize(
    ("rulebook", "format_", "unsaid"),
    [
        ("ug", (), {"clock_opts"}),
        ("uk", (("to", "0/0"),), {"clock_opts"}),
        ("uk", (("clock_opts", "off"),), set()),
        ("uk", (("clock", "0"),), set()),
        ("u18", (), set()),  # played without a shot clock
        ("u18", (("clock", "40"),), {"clock_opts"}),
        ("fpb8", (), {"eight_break_foul"}),
        ("fpb8", (("eight_break_foul", "loss"),), set()),
        ("fpb141", (), {"after_third"}),
        ("fpb141", (("after_third", "pass_turn"),), set()),
        ("wpa8", (), set()),
        ("3c", (("clock", "40"),), set()),  # CBBS says nothing of it: the event's own rule
    ],
)
def test_a_guess_is_never_silent(
    rulebook: str, format_: tuple[tuple[str, str], ...], unsaid: set[str]
) -> None:
    """Of what a match can begin without it is told what was not set, and why that is a guess."""
    told = RULEBOOKS[rulebook].unsaid(format_)
    assert set(told) == unsaid
    assert all(why.startswith("unverified: ") for why in told.values())


def test_what_is_unverified_the_event_must_set() -> None:
    """No federation's figure is guessed: a match does not begin without the event's word."""
    for book in RULEBOOKS.values():
        assert all(book.cites[name].startswith("unverified") for name in book.unverified)
    with pytest.raises(BadSetup, match=r"the event must set .* p9: target .* foul_pts .* ball_own"):
        RULEBOOKS["p9"].agreed(())
    with pytest.raises(BadSetup, match=r"in p9: ball_other \(unverified: six by one source"):
        RULEBOOKS["p9"].agreed((("target", "50/50"), ("foul_pts", "2"), ("ball_own", "6")))
