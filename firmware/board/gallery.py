"""Views of real matches, one for each thing that a board must be able to say.

Tests hold a picture of each, `tacada pictures` draws them for people. Matches are played from
sheets, so what is shown is what the rules say.
"""

from msgspec.structs import replace

from firmware.board.screens import REFUSED_MS
from firmware.snapshot import (
    Coming,
    Hall,
    HallMessage,
    Number,
    Question,
    Tell,
    Told,
    Typed,
    View,
)
from rules.clock import ClockState, Countdown
from rules.ledger import Ledger
from rules.replay import replay
from rules.rulebooks import notation_of
from rules.rulebooks.shelf import rulebook_of
from rules.scoreline import Said, Scoreline, scoreline
from rules.sheet import read_sheets
from rules.sides import Pair, Side

NAMES: Pair[tuple[str, ...]] = (("Dick Jaspers",), ("João Conceição",))
PLAYERS: Pair[tuple[str, ...]] = (("Ronnie Doran",), ("Rui Chinita",))
PAIRS: Pair[tuple[str, ...]] = (("Ronnie Doran", "Ana Reis"), ("Rui Chinita", "Bo Lim"))


def ledger_of(
    tokens: str,
    rulebook: str = "3c",
    format_: str = "",
    first: str = "A",
    at: str = "",
    *,
    names: Pair[tuple[str, ...]] | None = None,
) -> Ledger:
    """The log of a match, played from a sheet in which every entry must be accepted."""
    header = f"id: test\nrulebook: {rulebook}\n"
    if names is not None:
        header += "".join(f"{side}: {' / '.join(names[side.place])}\n" for side in Side)
    header += f"format: {format_}\n" if format_ else ""
    header += f"first: {first}\n" if first else ""
    header += f"at: {at}\n" if at else ""
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


def asked(view: View) -> View:
    """The same, with the last entries asked for."""
    return replace(view, told=Told(Tell.REFUSED, "nothing_to_confirm", since_ms=-REFUSED_MS))


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
    play, equaliser, held = view_of(_PLAY), view_of(_EQUALISER), view_of(_HELD)
    return {
        "idle": View(),
        "idle_fault": View(faults=("MQTT", "KEY plus1")),
        **_three_cushions(play, equaliser),
        **_choices(),
        **_ends(held),
        **_answers(play, held),
        **_snooker(),
        **_pool(),
        **_carom(play),
        **_clocks(play, equaliser),
        **_hall(play),
    }


def _three_cushions(play: View, equaliser: View) -> dict[str, View]:
    """Play and the equalising inning, and the marks that any game can have."""
    return {
        "play": play,
        "play_other_side": view_of("=4 =7 =5"),
        "play_low": view_of("=4"),
        "play_hundreds": view_of("=84 =120 =60 =4 +12", "3c", "target=200/200"),
        "play_handicap": view_of("=4 =7 =5", "3c", "target=50/28"),
        "play_to_go": view_of("=20 =27", "3c", "target=40/30 limit=30"),
        "play_fault": replace(play, faults=("MQTT",)),
        "play_unsaved": unsaved(play),
        "play_heard": replace(play, heard_ms=0),
        "play_sets": view_of(_SETS, "s15"),
        "equaliser": equaliser,
        "equaliser_unsaved": unsaved(equaliser),
    }


def _choices() -> dict[str, View]:
    """What the match waits for, with the keys that answer."""
    return {
        "first": replace(view_of("", first=""), keys=(("+1", "FIRST(A)"), ("+5", "FIRST(B)"))),
        "first_lag": view_of("LAG(A)", first=""),
        "choice_frozen": replace(
            view_of(_PLAY + " FROZEN"),
            keys=(("+1", "PICK(play)"), ("+5", "PICK(respot_touching)")),
        ),
        "choice_placing": view_of(_PLAY + " CONDUCT"),
        "drawn_set": replace(
            view_of("+3 OK +3 OK", "3c", "target=3/3 sets=2"),
            keys=(("+1", "AWARD(A)"), ("+5", "AWARD(B)")),
        ),
    }


def _ends(held: View) -> dict[str, View]:
    """What has ended and is held, shoot-outs, and matches that are over."""
    return {
        "held_equaliser": held,
        "held_unsaved": unsaved(held),
        "held_next_set": view_of("=10 =4 +5", "s15"),
        "held_match": view_of(_EQUALISER + " =2"),
        "held_draw": view_of("+3 OK +3", "3c", "target=3/3"),
        "held_decision": view_of("+3 OK +3", "3c", "target=3/3 sets=2"),
        "held_shootout": view_of("=37 =36 =0 =0 +3 OK +4", "u18"),
        "shootout": view_of(_SHOOTOUT, "u18"),
        "shootout_half": view_of(_SHOOTOUT + " SHOOT(2)", "u18"),
        "shootout_won": view_of(_SHOOTOUT + " SHOOT(2) SHOOT(3)", "u18"),
        "next_set": view_of("=10 =4 +5 OK", "s15"),
        "over": view_of(_EQUALISER + " =2 OK"),
        "over_draw": view_of("+3 OK +3 OK", "3c", "target=3/3"),
        "over_both_out": view_of("=4 DQ(A,B) OK"),
    }


def _answers(play: View, held: View) -> dict[str, View]:
    """What a press is told, and what is half typed."""
    typed = Typed("run", "typed.run", ("1", "2"), "12", "=12", score=(24, 10), until_ms=10_000)
    return {
        "refused_max": told(view_of("=49 =2"), Tell.REFUSED, "over_target", "1"),
        "refused_ok": told(held, Tell.REFUSED, "ok_pending", "target"),
        "refused_unsaved": unsaved(told(play, Tell.REFUSED, "nothing_to_confirm")),
        "ignored": told(play, Tell.IGNORED, "too_soon", "plus1"),
        "undone": told(play, Tell.UNDONE, "undone", "+1"),
        "edited": told(play, Tell.EDITED, "edited"),
        "typed": replace(play, typed=typed),
    }


def _snooker() -> dict[str, View]:
    """Snooker and sinuca, played by the engine."""
    book = {"rulebook": "cbbs", "format_": "target=3"}

    def view(
        tokens: str,
        at: str = "",
        rulebook: str = "cbbs",
        names: Pair[tuple[str, ...]] = PLAYERS,
    ) -> View:
        ledger = ledger_of(tokens, rulebook, "target=3", "A", at, names=names)
        return View(line=scoreline(ledger, names))

    def typed(*said: str, number: str = "", reminder: str = "") -> View:
        dialog, keys, entry, score = said
        a, b = map(int, score.split("-"))
        shown = Typed(
            dialog,
            f"typed.{dialog}",
            tuple(f"key.{key}" for key in keys.split()),
            number,
            entry,
            (a, b),
            reminder=reminder,
        )
        return replace(view("=16", "score=8/0"), typed=shown)

    frame = "[ADJUST(score=63/35,breaks=-/103) AWARD(A)]"
    return {
        "snooker": view("R K R K R"),
        "snooker_reds": view("R K"),
        "snooker_pairs": view("R K / / R", names=PAIRS),
        "snooker_pairs_draw": view("K", "score=40/47 reds=0 colours=K turn=A", names=PAIRS),
        "snooker_warned": view("FOUL(miss,full) PICK(replay) FOUL(miss) PICK(replay)"),
        "snooker_handicap": view("R K /", "handicap=21/0"),
        "snooker_touching": view("R K TOUCHING"),
        "snooker_stalemate": view("/ / STALEMATE(warn)"),
        "snooker_visits": view("=16 =24"),
        "snooker_visits_foul": view("=16 FOUL(v=5)"),
        "snooker_visit_typed": typed("total", "yellow brown", "=24", "24-24", number="24"),
        "snooker_frame_typed": typed("frame", "yellow green", frame, "63-35", number="35"),
        "snooker_early_typed": typed(
            "concede", "menu yellow red", "CONCEDE(A)", "24-0", reminder="early_concession"
        ),
        "snooker_early": view("R K / CONCEDE(B)", "", "wpbsa"),
        "snooker_frames": view_of("CONCEDE(A) OK R K / R P", **book),
        "snooker_hundreds": view("R K", "score=104/112 reds=2 turn=A"),
        "snooker_in_order": view("Y G", "score=45/52 reds=0 colours=YGNUPK turn=A"),
        "snooker_needs": view("/", "score=12/70 reds=1 turn=B"),
        "snooker_options": view("FOUL(hit=K,miss,free)"),
        "snooker_free_ball": view("FOUL(hit=K,free) PICK(free)"),
        "snooker_respotted": view("K FIRST(B)", "score=40/47 reds=0 colours=K turn=A"),
        "snooker_draw": view("K", "score=40/47 reds=0 colours=K turn=A"),
        "snooker_held": view("R K CONCEDE(B)"),
        "snooker_next": view_of("R K CONCEDE(A) OK", **book),
        "snooker_last": asked(view("R U / FOUL(hit=K,white)")),
        "snooker_undone": told(view("R U"), Tell.UNDONE, "undone", "FOUL(hit=K,white,miss)"),
        "snooker_over": view_of("CONCEDE(B,match) OK", **book),
    }


def _pool() -> dict[str, View]:
    """Pool, played by the engines."""

    def view(tokens: str, rulebook: str = "fpb9", format_: str = "race=9/9", at: str = "") -> View:
        return View(line=scoreline(ledger_of(tokens, rulebook, format_, "A", at), PLAYERS))

    rack = view("AWARD(A) OK AWARD(B) OK POT(2) POT(1)")
    eights = "opening=off solids=5 stripes=2 groups=S/T"
    straight = {"rulebook": "fpb141", "format_": "target=100/100"}
    running = view("POT(3) POT(4)", at="score=57/49 left=12 opening=off turn=A", **straight)
    timed = view("POT(2) / EXT(B)", "wpa9", "race=9/9 clock=35 ext_per_rack=2")
    assert rack.line is not None
    assert timed.line is not None
    assert running.line is not None
    figures = replace(running.line.figures, audit=1)
    return {
        "pool": rack,
        "pool_break": view(""),
        "pool_push_out": view("POT(1)"),
        "pool_two_fouls": view("/", at="fouls=0/2 left=6 opening=off turn=A"),
        "pool_in_hand": view("/ FOUL"),
        "pool_options": view("SHORT", "fpb8", "race=5/5"),
        "pool_groups": view("POT(S1)", "wpa8", "race=5/5", eights),
        "pool_pot_asked": view("/ / FOUL /", "fpb9", "race=9/9 detail=1"),
        "pool_third_foul": view("FOUL", format_="race=9/9 detail=1", at="fouls=2/0 opening=off"),
        "pool_stalemate": view("STALEMATE(warn) / /", at="left=3 opening=off turn=A"),
        "pool_stalemate_due": view("STALEMATE(warn) 6x( / )", at="left=3 opening=off turn=A"),
        "pool_last": asked(view("POT(2) / FOUL(no_rail)")),
        "pool_held": view("AWARD(A)"),
        "pool_next": view("POT(1,M) OK"),
        "pool_shot_clock": replace(rack, line=replace(rack.line, clock=_shot(30_000))),
        "pool_extension": replace(timed, line=replace(timed.line, clock=_shot(30_000))),
        "straight": running,
        "straight_racked": view("POT(1)", at="score=57/49 left=2 opening=off turn=A", **straight),
        "straight_in_the_way": view(
            "POT(1) CASE(ob)", at="score=57/49 left=2 opening=off turn=A", **straight
        ),
        "straight_opening": view("SHORT", "wpa141", "target=100/100"),
        "straight_low": view("FOUL", at="score=-14/97 left=12 opening=off turn=A", **straight),
        "straight_audit": View(line=replace(running.line, figures=figures)),
        "blackball": view("POT(S1)", "bb", "race=5/5", eights),
        "blackball_free_shot": view("/ FOUL", "bb", "race=5/5"),
    }


def _carom(play: View) -> dict[str, View]:
    """Carom beside three cushions, played by the engines."""
    assert play.line is not None
    line, figures = play.line, play.line.figures
    due = replace(line, figures=replace(figures, break_due=True))
    return {
        "carom_last_runs": view_of("=3 =4 =2 =5 =6 =1 =12 =0", "sr"),
        "carom_to_go": view_of("=200 =100 +95", "sr", "target=300/300"),
        "carom_inside": view_of("+1 +1(in)", "472"),
        "carom_answer_inside": view_of("+3 OK +1 +1(in)", "472", "target=3/3"),
        "carom_must_exit": view_of("+1(in) +1(stay)", "472"),
        "carom_on_spots": view_of("+1 FROZEN PICK(respot_all)", "472"),
        "carom_break_due": View(line=due),
        "carom_pins": view_of("P4 P2 P8", "p5"),
    }


def _shot(left_ms: int, *, running: bool = True) -> ClockState:
    until = left_ms if running else None
    rest = None if running else left_ms
    return ClockState(Countdown(40_000, running, until, rest, warn_ms=10_000))


def _clocks(play: View, equaliser: View) -> dict[str, View]:
    """Clocks at match time 0; deadlines say what is left."""
    assert play.line is not None
    assert equaliser.line is not None
    held = view_of("=10 =4 +5", "s15")
    assert held.line is not None
    time = Countdown(2_700_000, running=True, until_ms=1_532_000)

    def view(line: Scoreline, clock: ClockState) -> View:
        return View(line=replace(line, clock=clock))

    both = replace(_shot(33_000), match=time)
    shot = view(play.line, _shot(33_000))
    assert shot.line is not None
    called = (Said("TIMEOUT", Side.A),)
    return {
        "clock": shot,
        "clock_warning": view(play.line, _shot(8_000)),
        "clock_time_up": view(play.line, _shot(0)),
        "clock_stopped": view(play.line, _shot(21_000, running=False)),
        "clock_match": view(play.line, ClockState(match=time)),
        "clock_both": view(play.line, both),
        "clock_equaliser": view(equaliser.line, _shot(33_000)),
        "clock_refused": told(shot, Tell.REFUSED, "bad_count"),
        "clock_undone": told(shot, Tell.UNDONE, "undone", "+1"),
        "clock_typed": replace(
            shot, typed=Typed("run", "typed.run", ("1", "2"), "12", "=12", score=(24, 10))
        ),
        "clock_held": view(held.line, ClockState(match=time)),
        "clock_next": view(line_of("=10 =4 +5 OK", "s15"), ClockState(match=time)),
        "timeout": view(replace(play.line, last=called), ClockState()),
        "interval": view(
            replace(held.line, ending=None, phase="playing", last=(Said("INTERVAL(B)", None),)),
            ClockState(),
        ),
    }


def _hall(play: View) -> dict[str, View]:
    """What is shown while nobody plays, and what comes from elsewhere."""
    hall = Hall(
        club="Clube Amadora",
        last=("Jaspers 40 - 38 Conceição", "40-38"),
        coming=Coming((("Eddy Merckx",), ("Daniel Sánchez",)), "21:30"),
        hour_zero_ms=73_800_000,
    )
    assert play.line is not None
    words = HallMessage("Mesa 4: final às 21:00", 0, 60_000)
    return {
        "idle_club": View(hall=hall),
        "idle_soon": View(hall=replace(hall, hour_zero_ms=76_680_000)),
        "waiting": replace(view_of("", first=""), heard_ms=-(10**6), hall=replace(hall, last=())),
        "message": replace(play, message=words),
        "message_idle": View(message=words, hall=hall),
        "last": asked(play),
        "stale": replace(play, stale_since_ms=-75_000),
        "stale_offline": replace(
            play,
            stale_since_ms=-75_000,
            message=HallMessage("mesa 3 · desligada ou sem rede", 0, 60_000),
        ),
        "question": replace(
            play,
            ask=Question(("Modalidade?",), (("3 tabelas",), ("livre",), ("snooker",), ("9",))),
        ),
        "question_chosen": View(
            ask=Question(("Modalidade?",), (("3 tabelas",), ("livre",), ("snooker",)), 1)
        ),
        "number": replace(play, ask=Number(("distância", "dist."), "4", 1, 200)),
    }
