"""What can go wrong in the firmware.

FirmwareError
├── ClubError (ValueError)       the club list has no such player, or no place for that name
├── ConfigError (ValueError)     a file that a person wrote cannot be used
├── JournalError (OSError)       the journal cannot be opened, read or written
└── RecordRefused (ValueError)   a record that does not fit behind those in the journal
"""

from collections.abc import Iterable

from drivers.phrases import Phrase
from rules.errors import shortened


class FirmwareError(Exception):
    """The base of every error of the firmware."""


class ClubError(FirmwareError, ValueError):
    """The club list has no such player, or no place for a name; nothing was changed."""


class ConfigError(FirmwareError, ValueError):
    """A file that a person wrote cannot be used; `problems` are all that were found.

    Each names the file, the table and the key, and what to do where that is known.
    """

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(
            problem.with_each(shortened) if isinstance(problem, Phrase) else shortened(problem)
            for problem in problems
        )
        super().__init__("\n".join(self.problems))


class JournalError(FirmwareError, OSError):
    """The journal cannot be opened, read or written; the message names the file and the mend."""


class RecordRefused(FirmwareError, ValueError):
    """A record that does not fit behind those in the journal; nothing was written."""


class LayoutError(ConfigError):
    """A board's layout that does not hold together, or whose texts do not fit."""
