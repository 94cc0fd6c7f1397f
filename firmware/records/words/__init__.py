"""The words of printed sheets and statistics, one file a language."""

from pathlib import Path

from msgspec import Struct

from firmware.spoken import words_in

FOLDER = Path(__file__).parent


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """Every word; a file that lacks one, or has another, is not accepted."""

    title: str
    players: str
    player: str
    date: str
    rulebook: str
    format: str
    score: str
    result: str
    winner: str
    draw: str
    unfinished: str
    points: str
    innings: str
    inning: str
    total: str
    average: str
    high_run: str
    conduct: str
    frames: str
    frame: str
    sets: str
    set: str
    racks: str
    rack: str
    opener: str
    breaks: str
    best: str
    fouls: str
    incidents: str
    corrections: str
    record: str
    time: str
    side: str
    entry: str
    entered_by: str
    referee: str
    page: str
    matches: str
    won: str
    lost: str
    general_average: str
    best_average: str
    day: str
    backup_done: str

    def level(self, name: str) -> str:
        """What the match counts: frames, racks, sets."""
        word: str = getattr(self, name, name)
        return word


def load_words(code: str) -> Words:
    """The words of a language.

    Raises:
        ConfigError: there are none.
    """
    return words_in(FOLDER, code, Words)
