"""Questions about the clocks of a match: what they are set to, and its time; pure, no clock."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from firmware.setup.questions import Amount
from firmware.setup.words import Forms, SetupWords
from rules.clock import Countdown
from rules.record import ClockAct, ClockPause, ClockResume, ClockStart, WhichClock

T = TypeVar("T")

CLOCKS = ("clock", "minutes", "late_from", "late_clock")
"""The parameters that are asked for."""

_MOST, _STEP = 599, 5
"""Seconds or minutes, and by how many they go."""


def ask_clocks(
    words: SetupWords,
    now: Mapping[str, int],
    then: Callable[[Amount[T]], None],
    done: Callable[[dict[str, str]], T | None],
) -> None:
    """Ask for shot clock and match time, 0 for none; with both, when the clock grows shorter.

    `now` is what each parameter is, `then` asks a question, `done` is given the answers.
    """
    titles = {
        "clock": words.shot_seconds,
        "minutes": words.time_minutes,
        "late_from": words.late_from,
        "late_clock": words.late_seconds,
    }
    told: dict[str, str] = {}

    def ask(nth: int) -> None:
        name = CLOCKS[nth]

        def taken(n: int) -> T | None:
            told[name] = str(n)
            without = name == "minutes" and "0" in told.values()
            never = name == "late_from" and n == 0
            if without or never or name == CLOCKS[-1]:
                return done(dict.fromkeys(CLOCKS, "0") | told)
            ask(nth + 1)
            return None

        then(Amount(titles[name], taken, now[name], least=0, most=_MOST, by=_STEP))

    ask(0)


def time_acts(words: SetupWords, time: Countdown) -> list[tuple[Forms, ClockAct]]:
    """What can be done with match time, by the words for it."""
    of_match = WhichClock.MATCH
    if time.running or time.resumes:
        return [(words.time_stop, ClockPause(of_match))]
    start = (words.time_start, ClockStart(of_match))
    begun = time.left_ms != time.length_ms
    return [(words.time_on, ClockResume(of_match)), start] if begun else [start]
