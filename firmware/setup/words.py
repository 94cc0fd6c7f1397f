"""The words of the questions, one file a language; each from the long form to the short."""

from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from firmware.spoken import words_in

FOLDER = Path(__file__).parent / "languages"

Forms: TypeAlias = tuple[str, ...]


class SetupWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Every word; a file that lacks one, or has another, is not accepted."""

    again: Forms
    new: Forms
    leave: Forms
    family: Forms
    rulebook: Forms
    points_a: Forms
    points_b: Forms
    foul_points: Forms
    red_by_own: Forms
    red_by_other: Forms
    late: Forms
    late_as_is: Forms
    late_start: Forms
    frames: Forms
    racks_a: Forms
    racks_b: Forms
    player_a: Forms
    player_b: Forms
    pairs: Forms
    partner_a: Forms
    partner_b: Forms
    first: Forms
    lag: Forms
    handicap: Forms
    every_ball: Forms
    turns_only: Forms
    given_a: Forms
    given_b: Forms
    shape: Forms
    race_to: Forms
    best_of: Forms
    all_played: Forms
    alone: Forms
    club_handicap: Forms
    level: Forms
    take_up: Forms
    has_a: Forms
    has_b: Forms
    innings_a: Forms
    innings_b: Forms
    won_a: Forms
    won_b: Forms
    menu: Forms
    mend_score: Forms
    mend_inning: Forms
    mend_empty: Forms
    mend_names: Forms
    mend_sides: Forms
    mend_goal: Forms
    mend_first: Forms
    countdown: Forms
    language: Forms
    abandon: Forms
    which_side: Forms
    which_inning: Forms
    its_points: Forms
    becomes: Forms
    yes: Forms
    no: Forms
    warm_up: Forms
    interval: Forms
    timeout: Forms
    lateness: Forms
    minutes: Forms
    clocks: Forms
    shot_seconds: Forms
    time_minutes: Forms
    late_from: Forms
    late_seconds: Forms
    match_time: Forms
    time_start: Forms
    time_stop: Forms
    time_on: Forms
    clock: Forms
    year: Forms
    month: Forms
    day: Forms
    hour: Forms
    minute: Forms
    clock_set: Forms
    clock_not_set: Forms
    why: Forms
    why_keyed: Forms
    why_missed: Forms
    why_off: Forms
    why_referee: Forms
    last_entries: Forms
    carom: Forms
    snooker: Forms
    pool: Forms
    straight_rail: Forms
    one_cushion: Forms
    three_cushions: Forms
    five_pins: Forms
    nine_pins: Forms
    group: Forms
    knock_out: Forms
    sets: Forms
    six_reds: Forms

    def named(self, rulebook: str) -> Forms:
        """A rulebook by name: what is played, and by whose rules."""
        word, whose = _NAMES.get(rulebook, ("", rulebook.upper()))
        forms: Forms = getattr(self, word, (word,)) if word else ()
        whole = tuple(f"{form} {whose}".strip() for form in forms)
        return (*whole, rulebook.upper()) if rulebook.upper() not in whole else whole


_NAMES = {
    "sr": ("straight_rail", "CBBS"),
    "472": ("47/2", "CBBS"),
    "471": ("47/1", "CBBS"),
    "712": ("71/2", "CBBS"),
    "1c": ("one_cushion", "CBBS"),
    "3c": ("three_cushions", "CBBS"),
    "ug": ("group", "UMB"),
    "uk": ("knock_out", "UMB"),
    "u18": ("knock_out", "UMB 2018"),
    "s15": ("sets", "UMB"),
    "s15f": ("sets", "UMB 1"),
    "nl": ("three_cushions", "KNBB"),
    "p5": ("five_pins", ""),
    "p9": ("nine_pins", ""),
    "cbbs": ("snooker", "CBBS"),
    "fpb": ("snooker", "FPB"),
    "wpbsa": ("snooker", "WPBSA"),
    "6red": ("six_reds", ""),
    "fpb9": ("9-ball", "FPB"),
    "wpa9": ("9-ball", "WPA"),
    "wpa10": ("10-ball", "WPA"),
    "fpb8": ("8-ball", "FPB"),
    "wpa8": ("8-ball", "WPA"),
    "fpb141": ("14.1", "FPB"),
    "wpa141": ("14.1", "WPA"),
    "bb": ("blackball", "WPA"),
}
"""What a rulebook plays, a word above or one that all languages share, and whose rules they are."""


@lru_cache(maxsize=8)
def load_setup_words(code: str) -> SetupWords:
    """The words of a language.

    Raises:
        ConfigError: there are none.
    """
    return words_in(FOLDER, code, SetupWords)
