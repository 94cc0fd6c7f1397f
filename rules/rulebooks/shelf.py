"""All rulebooks that can be played, found by their id."""

from rules.errors import BadSetup
from rules.rulebook import Rulebook
from rules.rulebooks import cbbs, dbu, dutch_clubs, fibis, fpb, umb, wpa, wpbsa

RULEBOOKS: dict[str, Rulebook] = {
    book.id: book
    for book in (
        cbbs.STRAIGHT_RAIL,
        cbbs.BALKLINE_47_2,
        cbbs.BALKLINE_47_1,
        cbbs.BALKLINE_71_2,
        cbbs.ONE_CUSHION,
        cbbs.THREE_CUSHION,
        umb.GROUP,
        umb.KNOCK_OUT,
        umb.KNOCK_OUT_2019,
        umb.SETS,
        umb.SETS_FIRST_INNING,
        dutch_clubs.HANDICAP,
        dbu.FIVE_PINS,
        fibis.NINE_PINS,
        cbbs.SNOOKER,
        fpb.SNOOKER,
        wpbsa.SNOOKER,
        wpbsa.SIX_REDS,
        fpb.NINE_BALL,
        wpa.NINE_BALL,
        wpa.TEN_BALL,
        fpb.EIGHT_BALL,
        wpa.EIGHT_BALL,
        fpb.STRAIGHT_POOL,
        wpa.STRAIGHT_POOL,
        wpa.BLACKBALL,
    )
}


def rulebook_of(id_: str) -> Rulebook:
    """The rulebook with this id.

    Raises:
        BadSetup: there is none.
    """
    book = RULEBOOKS.get(id_)
    if book is None:
        raise BadSetup(f"rulebook: {id_} cannot be played; there are {', '.join(RULEBOOKS)}")
    return book
