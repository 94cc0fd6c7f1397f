"""What handheld pads are told to show: the words of the board, in a line of their own."""

from collections.abc import Callable

from drivers.pad_protocol import LONGEST_TEXT
from drivers.ports import Answer
from firmware.entries.words import entry_words
from firmware.i18n import Language
from firmware.snapshot import Number, Question, Tell, Told, Typed, View
from rules.scoreline import Scoreline
from rules.sides import Side


class PadWords:
    """The words of one table; `language` is that of its board, `view` what that shows now."""

    def __init__(self, language: Callable[[], Language], view: Callable[[], View]) -> None:
        self._spoken, self._view = language, view

    @property
    def _language(self) -> Language:
        return self._spoken()

    def say(self, code: str, pad: str = "") -> str:
        """Why a press was not acted upon, or what another pad does."""
        if f"handheld.{code}" in self._language:
            return self._language.say(f"handheld.{code}", pad=pad)
        return self._language.word_for("ignored", code)[0]

    def score(self) -> str:
        """How the match stands: the score, who is at the table, the run; or what OK will do."""
        line = self._view().line
        if line is None:
            return self._language.say("board.idle")
        words = [_score(line), *self._now(line)]
        if not line.saved:
            words.append(self._language.forms("board.unsaved")[-1])
        return " ".join(words)

    def answered(self, answer: Answer) -> str:
        """What became of the press that was just judged."""
        view = self._view()
        if answer is Answer.REFUSED and view.told is not None:
            return self._reason(view.told)
        if answer is Answer.WAITING and view.typed is not None:
            return self._typed(view.typed)
        if view.ask is not None:
            return _asked(view.ask)
        return self._undone(view) or self.score()

    def _now(self, line: Scoreline) -> list[str]:
        ending = line.ending
        if ending is not None:
            who = _names(line, ending.side)
            by_level = f"{ending.then}_{next(iter(line.tally), '')}"
            code = by_level if f"then.{by_level}" in self._language else ending.then
            return [self._language.word_for("then", code, **who)[-1]]
        if line.turn is None:
            return []
        return [line.turn, f"+{line.run}"] if line.run else [line.turn]

    def _undone(self, view: View) -> str:
        """The score, and what UNDO has just taken back, in as many words as there is room for."""
        told, line = view.told, view.line
        if told is None or line is None or told.code != "undone":
            return ""
        undone = self._language.forms("told.undone")[-1]
        acts = entry_words(self._language, line.rulebook).forms(told.text)
        said = [f"{self.score()} {undone} {act}" for act in acts]
        return next((text for text in said if len(text) <= LONGEST_TEXT), said[-1])

    def _typed(self, typed: Typed) -> str:
        """What is keyed so far, and the score that it would make."""
        said = typed.number or " ".join(map(self._language.label, typed.keys))
        return said if typed.score is None else f"{said} > {typed.score[0]}-{typed.score[1]}"

    def _reason(self, told: Told) -> str:
        """A refusal in words, as the board has them."""
        language = self._language
        if told.tell is not Tell.REFUSED:
            return self.say(told.code)
        key = f"refused.{told.code}"
        if key not in language:
            return language.say("refused.other", text=told.code.replace("_", " "))
        return language.say(key, n=told.text if told.text.isdecimal() else "")


def _score(line: Scoreline) -> str:
    """Points where a frame has any, else frames or sets."""
    pair = line.score or next(iter(line.tally.values()), (0, 0))
    return f"{pair[0]}-{pair[1]}"


def _asked(ask: Question | Number) -> str:
    """A question and the answer that OK takes, in as many words as a pad has room for."""
    if isinstance(ask, Number):
        choice: tuple[str, ...] = (ask.digits,)
    else:
        choice = ask.choices[ask.chosen or 0]
    said = [f"{title} {one}" for title in ask.title for one in choice]
    return next((text for text in said if len(text) <= LONGEST_TEXT), said[-1])


def _names(line: Scoreline, side: Side | None) -> dict[str, str]:
    if side is None:
        return {"name": "", "side": ""}
    return {"name": " ".join(line.names[side.place]), "side": side}
