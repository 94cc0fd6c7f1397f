"""What was entered, in words: acts of the notation as a referee would say them.

Journals, sheets and messages hold the notation; a board, a page, a pad or a printed sheet says it
in its language, made only where it is shown. A text has forms from long to short, of which the
shortest leaves details out and says so with `…`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from firmware.entries.fields import (
    BALLS,
    BLACKBALL,
    Asked,
    FieldWords,
    Forms,
    long_enough,
    pair_text,
)
from firmware.i18n import Language
from rules.errors import BadNotation
from rules.notation import Token, read_token
from rules.rulebooks import family_of
from rules.sides import Side

_HEADS = {
    "/": "entry.visit_over",
    "+R": "entry.more_red",
    "TIMEUP": "clock.match_up",
    "BREAKER": "typed.breaker",
    "AWARD": "typed.award",
    "CONCEDE": "typed.concede",
    "DQ": "typed.dq",
    "VOID": "typed.void",
    "STALEMATE": "typed.stalemate",
    "TIMEOUT": "typed.timeout",
    "INTERVAL": "typed.interval",
    "SHOOT": "play.shootout",
    "CONDUCT": "typed.conduct",
    "ADJUST": "typed.table",
    "FELL": "typed.fell",
    "ZONE": "typed.zone",
    "FB": "play.free_ball",
    "FOUL": "typed.foul",
    "CLAIM": "typed.claim",
    "TOUCHING": "play.touching",
    "LEFT": "typed.left",
    "WRONG": "typed.wrong",
    "SOFT": "typed.soft",
    "PUSH": "typed.push",
    "EIGHT": "typed.eight",
    "DELIBERATE": "typed.deliberate",
    "CASE": "typed.case",
    "VISIT": "typed.total",
    "SETUP": "entry.new",
    **{
        head: f"entry.{head.lower()}"
        for head in (
            *("BLACK", "CLOCK", "EXT", "FIRST", "FROZEN", "LAG", "PAUSE", "POT", "REDO"),
            *("RESUME", "SAFE", "SHORT", "START", "UNDO"),
        )
    },
}
"""The text of each word of the notation that needs no more than its arguments after it."""

_WORDS = {
    "8ball": "typed.eight",
    "8off": "entry.eight_off",
    "M": "typed.money",
    "foul": "typed.foul",
    "off_table": "entry.off",
    "red": "entry.red_pin",
    "safe": "entry.safe",
    "white": "entry.scratch",
    "win": "typed.award",
}
"""Arguments that are called otherwise than in `entry`."""

_OWN_WORDS = {
    ("TOUCHING", "off"): "entry.clear",
    ("VOID", "keep"): "entry.keep_score",
    ("PAUSE", "restart"): "entry.outage",
    ("START", "match"): "page.match_time",
    ("PAUSE", "match"): "page.match_time",
    ("RESUME", "match"): "page.match_time",
    ("FOUL", "other"): "entry.other_foul",
    ("VISIT", "miss"): "entry.visit_over",
}
"""Arguments that mean something else after one word."""

_BALL_DID = {
    "nom": "entry.named",
    "pot": "entry.ball_potted",
    "off": "entry.ball_off",
    "touch": "entry.ball_touched",
    "hide": "entry.hidden",
}
"""What a ball has to do with a foul, beside having been hit."""

_COUNTS_BALLS = ("FOUL", "WRONG", "SOFT", "PUSH")
"""Words whose number is that of balls which fell."""

_GROUPS = {"S": ("entry.solid", "ball.solids"), "T": ("entry.striped", "ball.stripes")}
_BLACKBALL_GROUPS = {"S": ("ball.red", "ball.reds"), "T": ("ball.yellow", "ball.yellows")}
"""Groups of balls by their letters on sheets: one of them, and several."""


class _Said(NamedTuple):
    """A token in words: its head, what must stay with it, and details; empty ones have no words."""

    head: Forms
    kept: tuple[Forms, ...] = ()
    details: tuple[Forms, ...] = ()

    def form(self, at: int, colon: str, *, details: bool) -> str:
        """One form: the longest (0) or the shortest (-1); `colon` stands before details."""
        text = " ".join(part for forms in (self.head, *self.kept) if (part := forms[at]))
        known = [one[at] for one in self.details if one]
        if not known:
            return text
        return f"{text}{colon}{', '.join(known)}" if details else f"{text.rstrip('.')}…"


class EntryWords:
    """The words of one language for what is entered in one game."""

    def __init__(self, language: Language, rulebook: str = "", asked: Asked | None = None) -> None:
        self._language, self._rulebook = language, rulebook
        self.fields = FieldWords(language, asked)
        self._colon = " : " if language.code == "fr" else ": "
        self._said: dict[str, Forms] = {}

    def say(self, text: str) -> str:
        """An act in notation, in its longest form; what is no notation stands as it is."""
        return self.forms(text)[0]

    def forms(self, text: str) -> Forms:
        """An act in notation, in words from long to short."""
        if text not in self._said:
            if len(self._said) >= _REMEMBERED:
                self._said.clear()
            self._said[text] = self._forms(text)
        return self._said[text]

    def _forms(self, text: str) -> Forms:
        tokens = text.replace("[", " ").replace("]", " ").split()
        try:
            read = [read_token(token) for token in tokens]
            if read and read[0].head == "SPLICE":
                said = self._splice(read[0], read[1:])
            elif [token.head for token in read] == ["ADJUST", "AWARD"]:
                said = [self._whole_frame(*read)]
            else:
                said = [self._token(token) for token in read]
        except (BadNotation, LookupError, ValueError):
            return (text,)
        if not said:
            return (text,)
        ways = ((0, True), (-1, True), (-1, False))
        forms = [
            " + ".join(one.form(at, self._colon, details=all_) for one in said) for at, all_ in ways
        ]
        if len(tokens) > 1:
            first = said[0]
            short = _Said(first.head, first.kept[:1]) if len(said) == 1 else first
            forms.append(f"{short.form(-1, self._colon, details=False).rstrip('.…')}…")
        return tuple(dict.fromkeys(forms))

    def _splice(self, token: Token, rest: Iterable[Token]) -> list[_Said]:
        """Other records in the place of old ones: what stands there now, or how many went.

        Their numbers are those of the line in force, which nobody reads anywhere.
        """
        first, last = (int(arg) for arg in token.args[:2])
        put_in = [self._token(one) for one in rest]
        if not put_in:
            return [_Said(self._language.forms("entry.removed"), ((f"×{last - first + 1}",),))]
        colon = self._colon
        details = tuple(
            (one.form(0, colon, details=True), one.form(-1, colon, details=False)) for one in put_in
        )
        edited = "entry.inserted" if last < first else "told.edited"
        return [_Said(self._language.forms(edited), (), details)]

    def _whole_frame(self, adjusted: Token, award: Token) -> _Said:
        """A frame that is entered by its totals: its score and winner, and the breaks noted."""
        fields = dict(arg.partition("=")[::2] for arg in adjusted.args)
        score = pair_text(fields.pop("score", ""))
        won = tuple(f"{form} {award.args[0]}" for form in self._words("typed.award"))
        details = (self.fields.position(name, value) for name, value in fields.items())
        return _Said(self._words("typed.frame"), ((score,), won), tuple(details))

    def _token(self, token: Token) -> _Said:
        own = _OWN.get(token.head)
        if own is not None:
            return own(self, token)
        kept: list[Forms] = [(str(token.number),)] if token.number is not None else []
        details: list[Forms] = []
        for arg in token.args:
            if arg.startswith("{"):
                continue  # a place of a panel's file, filled as it is pressed
            forms = self._kept(token.head, arg)
            (details if forms is None else kept).append(forms or self._detail(token.head, arg))
        return _Said(self._words(_HEADS[token.head]), tuple(kept), tuple(details))

    def _words(self, key: str, **values: object) -> Forms:
        return long_enough(self._language.forms(key, **values))

    def _kept(self, head: str, arg: str) -> Forms | None:
        """An argument without which an entry says nothing: whose, how many, which ball."""
        name, _, value = arg.rpartition("=")
        if name == "by":
            return (self._language.say("entry.by", side=value), value)
        if name in ("v", "pins"):
            return (value,)
        if name == "hit":
            return self.fields.ball(value)
        if name:
            return None
        if arg in tuple(Side) or (head == "FB" and arg in BALLS):
            return (arg,) if arg in tuple(Side) else self.fields.ball(arg)
        if arg.isdecimal() and head not in _COUNTS_BALLS:
            # One ball is what potting one means.
            return ("",) if head == "POT" and arg == "1" else (arg,)
        return None

    def _detail(self, head: str, arg: str) -> Forms:
        name, equals, value = arg.partition("=")
        if not equals:
            return self._flag(head, arg)
        if head == "ADJUST":
            return self.fields.position(name, value)
        if name in _BALL_DID:
            ball = self.fields.ball(value)[0]
            return self._words(_BALL_DID[name], ball=ball)
        if name == "reds" and head == "FOUL":
            return tuple(f"{form} {value}" for form in self._words("entry.reds"))
        if name == "ball":
            return self._words(f"entry.{value}")
        if name == "claim":
            return (f"{self._language.say('entry.claimed')} {self._group(value, 2)}",)
        if name in ("with", "only"):
            return self._with(name, value)
        return tuple(f"{form} {value}" for form in self._words(f"entry.{name}"))

    def _flag(self, head: str, arg: str) -> Forms:
        key = self._key(head, arg)
        if key:
            return self._words(key)
        if arg.isdecimal():
            return tuple(f"{form} {arg}" for form in self._words("entry.pot"))
        if arg[0] in _GROUPS and arg[1:].isdecimal():
            return (f"{arg[1:]} {self._group(arg[0], int(arg[1:]))}",)
        if head == "VISIT" and arg[0] in "kd":
            key = "typed.rack" if arg[0] == "k" else "entry.cleared"
            return tuple(f"{form} {arg[1:]}" for form in self._words(key))
        return (arg.replace("_", " "),)

    def _key(self, head: str, arg: str) -> str:
        """The text of an argument, none for a number or what somebody wrote himself."""
        if arg == "out_of_turn" and self._family() == "pool":
            return "entry.turn_wrong"
        own = _OWN_WORDS.get((head, arg)) or _WORDS.get(arg)
        tables = ("cause", "entry") if head == "AWARD" else ("entry", "cause")
        known = (key for key in (f"{table}.{arg}" for table in tables) if key in self._language)
        return own or next(known, "")

    def argument(self, arg: str) -> str:
        """An argument, or a word in small letters, by itself, as a key of a dialog writes it.

        Raises:
            KeyError: no language has a word for it.
        """
        return self._language.say(self._key("", arg) or f"typed.{arg}")

    def _with(self, name: str, value: str) -> Forms:
        """What fell with a free ball, or in its place."""
        if value[0] == "R" and value[1:]:
            balls = self._language.forms("play.reds", n=value[1:])
        else:
            balls = self.fields.ball(value[0])
        if name == "only":
            return tuple(self._language.say("entry.only", ball=ball) for ball in balls)
        return tuple(f"+ {ball}" for ball in balls)

    def _group(self, letter: str, n: int) -> str:
        groups = _BLACKBALL_GROUPS if self._rulebook == BLACKBALL else _GROUPS
        one, several = groups[letter]
        return self._language.say(one if n == 1 else several)

    def _family(self) -> str:
        try:
            return family_of(self._rulebook)
        except BadNotation:
            return ""

    def _ok(self, token: Token) -> _Said:
        del token
        return _Said(("OK",))

    def _ball(self, token: Token) -> _Said:
        """A pot of snooker: the ball, and what it is worth."""
        if token.head == "P" and token.number is not None:
            return self._stroke(token)
        n = token.number or 1
        worth = (tuple(BALLS).index(token.head) + 1) * n
        ball = self.fields.ball(token.head)
        if n > 1:
            ball = self._language.forms("play.reds", n=n)
        return _Said(ball, ((f"+{worth}",),))

    def _stroke(self, token: Token) -> _Said:
        """Points of one stroke, and where they go; with zones where the balls lie."""
        return _Said((f"+{token.number}",), (), tuple(self._detail_of(token)))

    def _detail_of(self, token: Token) -> Iterator[Forms]:
        for arg in token.args:
            _, equals, value = arg.partition("=")
            given = self._words("entry.given")
            yield tuple(f"{value} {form}" for form in given) if equals else self._flag("P", arg)

    def _total(self, token: Token) -> _Said:
        """A whole inning or visit by its points, and what it left of a snooker table."""
        word = "typed.total" if self._family() == "snooker" or token.args else "typed.run"
        details = []
        for arg in token.args:
            name, _, value = arg.partition("=")
            if name == "reds":
                details.append(self._language.forms("play.reds", n=value))
            elif name == "low":
                pairs = zip(self._words("entry.low"), self.fields.ball(value), strict=False)
                details.append(tuple(" ".join(pair) for pair in pairs))
            else:
                details.append(self._flag("=", arg))
        head = self._words(word)[-1:]
        return _Said(head, ((str(token.number),),), tuple(details))

    def _pick(self, token: Token) -> _Said:
        (choice,) = token.args
        if choice in tuple(Side):
            return _Said(self._words("typed.choice"), ((choice,),))
        return _Said(self._language.word_for("pick", choice))

    def _lag(self, token: Token) -> _Said:
        """Who won it; or why nobody did, or who pocketed a ball."""
        if token.args and token.args[0] in tuple(Side):
            return _Said(self._words("entry.lag"), ((token.args[0],),))
        short = self._words("entry.lag")[-1:]
        if token.args == ("repeat",):
            return _Said(short, (), (self._words("entry.repeat"),))
        whose = " ".join(token.args[1:])
        return _Said(short, (), tuple((f"{f} {whose}",) for f in self._words("entry.scratch")[:1]))

    def _visit(self, token: Token) -> _Said:
        left, *rest = token.args
        kept = tuple(f"{form} {left}" for form in self._words("typed.left"))
        details = tuple(self._flag("VISIT", arg) for arg in rest)
        return _Said(self._words("typed.total")[-1:], (), (kept, *details))

    def _setup(self, token: Token) -> _Said:
        """Which match this is: the game, and what was agreed; its players stand beside it."""
        details: list[Forms] = []
        for arg in token.args:
            name, _, value = arg.partition("=")
            group, _, field = name.partition(".")
            if name == "rulebook":
                details.append(self.fields.game(value))
            elif name == "first":
                details.append((f"{self._language.say('entry.first')} {value}",))
            elif group == "format":
                details += [(one,) for one in self.fields.format(((field, value),))]
            elif group == "at":
                details.append(self.fields.position(field, value))
        return _Said(self._words("entry.new"), (), tuple(details))


def entered_by(language: Language, source: str) -> str:
    """Who entered a record: the device in words, and its own number of the act."""
    device, mark, number = source.partition("#")
    return f"{language.word_for('part', device)[0] if mark else device} {mark}{number}".strip()


_OWN: dict[str, Callable[[EntryWords, Token], _Said]] = {
    "OK": EntryWords._ok,
    "PICK": EntryWords._pick,
    "LAG": EntryWords._lag,
    "VISIT": EntryWords._visit,
    "SETUP": EntryWords._setup,
    "+": EntryWords._stroke,
    "=": EntryWords._total,
    **dict.fromkeys(BALLS, EntryWords._ball),
}
"""Words of the notation that are said in a way of their own."""

_REMEMBERED = 512
"""So many texts are kept: more than a log has, of a length that no day makes longer."""


@lru_cache(maxsize=32)
def entry_words(language: Language, rulebook: str = "") -> EntryWords:
    """The words of a language for a game, without those of set-ups."""
    return EntryWords(language, rulebook)
