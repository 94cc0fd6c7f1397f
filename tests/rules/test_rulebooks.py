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
    "3c": "e3eaee97fd0b31c3",
    "ug": "f5a805df89290999",
    "uk": "1e688b5a29a94884",
    "u18": "fd8bbfdf65b27bb2",
    "s15": "ef2823a56fa9e0d8",
    "s15f": "ac2be4e8642bbf69",
    "cbbs": "63a01caa51c9173d",
    "fpb": "3f0bd5f53247b0ac",
    "wpbsa": "be89c17ed5a4f137",
    "6red": "20ebafa6d6851210",
    "fpb9": "d1a6435237416997",
    "wpa9": "270479d7fa93d899",
    "wpa10": "825cc2d8f4c8425d",
    "fpb8": "2a46eeffc7f65bbb",
    "wpa8": "a375abbdb52b89fd",
    "fpb141": "2bb6181a18f0937c",
    "wpa141": "5323cbd87bd83f7a",
    "bb": "d2801bed56fee364",
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
