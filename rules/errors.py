"""What the rules refuse.

RulesError
├── NotAllowed (ValueError)      an entry that can be read but does not fit the position
│   └── SpliceRefused            an edit of old records that does not hold together
├── BadNotation (ValueError)     text that is no sheet, token or position
└── BadSetup (ValueError)        a match that cannot be set up so
"""

import re
from enum import StrEnum


class Code(StrEnum):
    """Why an entry was refused. Displays say it in their own language."""

    NOT_HERE = "not_here"
    """The game or the moment has no such entry."""
    OK_PENDING = "ok_pending"
    """Something has ended and waits for OK."""
    NOTHING_TO_CONFIRM = "nothing_to_confirm"
    MATCH_OVER = "match_over"
    CHOICE_PENDING = "choice_pending"
    """A choice is open and comes first."""
    NO_CHOICE_PENDING = "no_choice_pending"
    NOT_AN_OPTION = "not_an_option"
    FIRST_PENDING = "first_pending"
    """It is not yet known who plays first."""
    OVER_TARGET = "over_target"
    """More points than the target, or the goal of the equalising inning, leaves."""
    BAD_COUNT = "bad_count"
    """A number that cannot be."""
    NO_CLOCK = "no_clock"
    NO_TIMEOUT_LEFT = "no_timeout_left"
    NOT_IN_EQUALISER = "not_in_equaliser"
    BAD_POSITION = "bad_position"
    BELOW_RUN = "below_run"
    """Less than a run that was made in this set: that inning is to be corrected, not the score."""
    NO_LEGAL_POT = "no_legal_pot"
    """That ball is not on: if it fell, it was a foul."""
    TOO_MANY_REDS = "too_many_reds"
    """More reds than are on the table."""
    NAME_COLOUR = "name_colour"
    """The value of the foul hangs on the colour that was named."""
    NO_FREE_BALL = "no_free_ball"
    FREE_IS_ON = "free_is_on"
    """The ball on cannot be the free ball."""
    TABLE_UNKNOWN = "table_unknown"
    """Only points are known; ADJUST says what lies on the table."""
    VISIT_BEGUN = "visit_begun"
    """Points of this visit were entered already: no total can follow."""
    STRIKER_ONLY = "striker_only"
    """Only whoever is at the table may do that."""
    NO_PUSH_OUT = "no_push_out"
    """A push-out may be called only on the first shot after a legal break."""
    NO_CALLS = "no_calls"
    """Nothing is called in this game, so nothing can be wrongly called."""
    NO_SAFETY_CALL = "no_safety_call"
    """This game has no called safety."""
    TOO_MANY_BALLS = "too_many_balls"
    """More balls than are on the table."""
    MONEY_BALL_NOT_NAMED = "money_ball_not_named"
    """All balls fell, so the money ball must be among them."""
    GROUP_NEEDED = "group_needed"
    """The table is open: the group of the called ball must be said."""
    WRONG_GROUP = "wrong_group"
    """The called ball is not of the player's group."""
    NOT_AT_TARGET = "not_at_target"
    """A visit entered as won that does not reach the target."""
    NO_RERACK = "no_rerack"
    """The balls have not just been racked again."""
    NOT_BETWEEN_RACKS = "not_between_racks"
    """A pause only before the break shot."""
    LESS_THAN_HALF = "less_than_half"
    """An interval only once half of the set has been played."""
    NO_EXTENSION_LEFT = "no_extension_left"
    ASK_REFEREE = "ask_referee"
    """The rules leave this to the referee, and he must say how."""
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"
    NO_SUCH_RECORD = "no_such_record"
    NO_SUCH_INNING = "no_such_inning"
    EDIT_BREAKS_RECORD = "edit_breaks_record"
    """A later record would no longer be legal."""
    EDIT_WOULD_END = "edit_would_end"
    """The edit would end what had not ended."""
    EDIT_SHIFTS_TURN = "edit_shifts_turn"
    """A later record would fall to the other side."""


class RulesError(Exception):
    """The base of every error of the rules."""


class NotAllowed(RulesError, ValueError):
    """An entry that does not fit; nothing has changed.

    `entry` is what was refused, `detail` may hold a number or name that helps to say why.
    """

    def __init__(self, code: Code, entry: object, detail: str = "") -> None:
        super().__init__(f"{code}: {entry!r}" + (f" ({detail})" if detail else ""))
        self.code = code
        self.entry = entry
        self.detail = detail


class SpliceRefused(NotAllowed):
    """An edit of old records that does not hold together; `record` is the number at fault."""

    def __init__(self, code: Code, entry: object, record: int, detail: str = "") -> None:
        super().__init__(code, entry, detail or f"record {record}")
        self.record = record


_LONG = re.compile(r"(\S{120})\S{40,}")


def shortened(message: str) -> str:
    """A message that quotes what was given, each very long word of it cut to its beginning."""
    return _LONG.sub(r"\1…", message)


class BadNotation(RulesError, ValueError):
    """Text that cannot be read; the message names the place and the mend."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(message))


class BadSetup(RulesError, ValueError):
    """A match that cannot be set up so; the message names the setting."""
