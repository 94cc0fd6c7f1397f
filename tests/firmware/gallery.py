"""Views of real matches, one for each thing that a board must be able to say."""

from msgspec.structs import replace

from firmware.snapshot import Tell, Told, Typed, View
from rules.ledger import Ledger
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import Scoreline, scoreline
from rules.sheet import read_sheets
from rules.sides import Pair

NAMES: Pair[tuple[str, ...]] = (("Dick Jaspers",), ("João Conceição",))


def ledger_of(tokens: str, rulebook: str = "3c", format_: str = "", first: str = "A") -> Ledger:
    """The log of a match, played from a sheet in which every entry must be accepted."""
    header = f"id: test\nrulebook: {rulebook}\n"
    header += f"format: {format_}\n" if format_ else ""
    header += f"first: {first}\n" if first else ""
    (sheet,) = read_sheets(f"{header}{tokens}\n", notation_of)
    played = replay(sheet, rulebook_of)
    assert not played.notes, played.notes
    return played.ledger


def line_of(
    tokens: str,
    rulebook: str = "3c",
    format_: str = "",
    first: str = "A",
    names: Pair[tuple[str, ...]] = NAMES,
) -> Scoreline:
    """The scoreline of a match played from a sheet."""
    return scoreline(ledger_of(tokens, rulebook, format_, first), names)


def view_of(tokens: str = "", rulebook: str = "3c", format_: str = "", first: str = "A") -> View:
    """What a board sees of such a match."""
    return View(line=line_of(tokens, rulebook, format_, first))


def told(view: View, tell: Tell, code: str, text: str = "") -> View:
    """The same, with an answer to a press at moment 0."""
    return replace(view, told=Told(tell, code, text, 0))


def unsaved(view: View) -> View:
    """The same, not yet on disk."""
    assert view.line is not None
    return replace(view, line=replace(view.line, saved=False))


_PLAY = "=4 =7 =5 =3 +1 +1 +1"
_SETS = "=10 =4 +5 OK =3 =12 =12 OK =2 =3 +1"
_EQUALISER = "=30 =22 =18 =25 +2 OK +1"
_HELD = "=30 =22 =18 =25 +2"
_SHOOTOUT = "=37 =36 =0 =0 +3 OK +4 OK"


def gallery() -> dict[str, View]:
    """Every screen and mark by name."""
    play = view_of(_PLAY)
    equaliser = view_of(_EQUALISER)
    held = view_of(_HELD)
    sets = {"rulebook": "s15"}
    return {
        "idle": View(),
        "idle_fault": View(faults=("MQTT", "KEY plus1")),
        "first": replace(view_of("", first=""), keys=(("+1", "FIRST(A)"), ("+5", "FIRST(B)"))),
        "first_lag": view_of("LAG(A)", first=""),
        "play": play,
        "play_other_side": view_of("=4 =7 =5"),
        "play_low": view_of("=4"),
        "play_hundreds": view_of("=84 =120 =60 =4 +12", "3c", "target=200/200"),
        "play_handicap": view_of("=4 =7 =5", "3c", "target=50/28"),
        "play_to_go": view_of("=20 =27", "3c", "target=40/30 limit=30"),
        "play_fault": replace(play, faults=("MQTT",)),
        "play_unsaved": unsaved(play),
        "play_heard": replace(play, heard_ms=0),
        "play_sets": view_of(_SETS, **sets),
        "equaliser": equaliser,
        "equaliser_unsaved": unsaved(equaliser),
        "choice_frozen": replace(
            view_of(_PLAY + " FROZEN"),
            keys=(("+1", "PICK(play)"), ("+5", "PICK(respot_touching)")),
        ),
        "choice_placing": view_of(_PLAY + " CONDUCT"),
        "held_equaliser": held,
        "held_unsaved": unsaved(held),
        "held_next_set": view_of("=10 =4 +5", **sets),
        "held_match": view_of(_EQUALISER + " =2"),
        "held_draw": view_of("+3 OK +3", "3c", "target=3/3"),
        "held_decision": view_of("+3 OK +3", "3c", "target=3/3 sets=2"),
        "drawn_set": replace(
            view_of("+3 OK +3 OK", "3c", "target=3/3 sets=2"),
            keys=(("+1", "AWARD(A)"), ("+5", "AWARD(B)")),
        ),
        "held_shootout": view_of("=37 =36 =0 =0 +3 OK +4", "u18"),
        "shootout": view_of(_SHOOTOUT, "u18"),
        "shootout_half": view_of(_SHOOTOUT + " SHOOT(2)", "u18"),
        "shootout_won": view_of(_SHOOTOUT + " SHOOT(2) SHOOT(3)", "u18"),
        "over": view_of(_EQUALISER + " =2 OK"),
        "over_draw": view_of("+3 OK +3 OK", "3c", "target=3/3"),
        "over_both_out": view_of("=4 DQ(A,B) OK"),
        "refused_max": told(view_of("=49 =2"), Tell.REFUSED, "over_target", "1"),
        "refused_ok": told(held, Tell.REFUSED, "ok_pending", "target"),
        "refused_unsaved": unsaved(told(play, Tell.REFUSED, "nothing_to_confirm")),
        "ignored": told(play, Tell.IGNORED, "too_soon", "plus1"),
        "undone": told(play, Tell.UNDONE, "undone", "+1"),
        "edited": told(play, Tell.EDITED, "edited"),
        "typed": replace(
            play,
            typed=Typed("run", "RUN", ("1", "2"), "12", "=12", score=(24, 10), until_ms=10_000),
        ),
        "choices": replace(play, line=_with_choices(play)),
    }


def _with_choices(view: View) -> Scoreline:
    """A choice among more than two, as other games have."""
    assert view.line is not None
    line = line_of(_PLAY + " FROZEN")
    assert line.option is not None
    return replace(line, option=replace(line.option, choices=("play", "place", "respot_all")))
