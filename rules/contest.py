"""What an event agrees on whatever the game: all of so many played, or one player alone.

No federation's text has these, so that they are no rulebook's: they stand in a match's format
beside the rulebook's own parameters.
"""

from msgspec import Struct
from msgspec.structs import replace

from rules.errors import BadNotation, BadSetup
from rules.position import with_fields
from rules.record import Fields
from rules.rulebook import EVENT, Level
from rules.tally import ENDLESS

MOST = 99
"""So many frames, racks or sets can be agreed on."""


class Contest(Struct, frozen=True):
    """How a match is decided.

    `played` frames, racks or sets are played, all of them, and whoever has won more wins; level is
    a draw; 0 where a race decides, as the rulebook has it. `alone`: A practises by himself. Nobody
    answers, who breaks is A, and nothing ends but frames.
    """

    played: int = 0
    alone: bool = False

    def levels(self, levels: tuple[Level, ...]) -> tuple[Level, ...]:
        """What is counted, by the game's own levels."""
        if self.alone:
            return (replace(levels[0], to_win=(ENDLESS, ENDLESS)),)
        if self.played:
            return (replace(levels[0], to_win=(self.played, self.played), played=self.played),)
        return levels


def contest_of(format_: Fields) -> Contest:
    """What of a format is the event's.

    Raises:
        BadSetup: a value that cannot be.
    """
    try:
        contest = with_fields(Contest(), [pair for pair in format_ if pair[0] in EVENT])
    except BadNotation as error:
        raise BadSetup(f"format: {error}") from None
    if not 0 <= contest.played <= MOST:
        raise BadSetup(f"format: played is 0 to {MOST}")
    if contest.played and contest.alone:
        raise BadSetup("format: played is for two; alone nothing is decided")
    return contest
