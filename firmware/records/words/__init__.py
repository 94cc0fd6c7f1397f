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
    match: str
    matches: str
    won: str
    lost: str
    general_average: str
    best_average: str
    day: str
    game: str
    fouls_cost: str
    reracks: str
    audit: str
    audit_right: str
    visits: str
    break_and_run: str
    edited: str
    doubtful: str
    by_hand: str
    hundreds: str
    strokes: str
    pots: str
    safeties: str
    first_visit: str
    per_shot: str
    per_visit: str
    head_to_head: str
    season: str
    month: str
    of_the_last: str
    backup_done: str

    def grouped_by(self, name: str) -> str:
        """What statistics are put together by."""
        other = {"opponent": self.head_to_head, "discipline": self.game}
        word: str = other.get(name) or getattr(self, name)
        return word

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
