"""Date and time as they are set at the panel, where no network and no clock chip knows them."""

from calendar import monthrange
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from firmware.setup.questions import Amount
from firmware.setup.words import SetupWords

FIRST_YEAR, LAST_YEAR = 2024, 2099


class Hour(Struct, frozen=True):
    """A minute of a day, in the time of the place."""

    year: int
    month: int
    day: int
    hour: int
    minute: int

    def text(self) -> str:
        """As `date` reads it."""
        return f"{self.year}-{self.month:02}-{self.day:02} {self.hour:02}:{self.minute:02}"


def ask_hour(words: SetupWords, now: Hour, then: Callable[[Amount[Hour]], None]) -> None:
    """Ask for year, month, day, hour and minute; `then` is given each question in turn."""

    def year() -> Amount[Hour]:
        at = min(max(now.year, FIRST_YEAR), LAST_YEAR)

        def taken(n: int) -> None:
            then(month(replace(now, year=n)))

        return Amount(words.year, taken, at, FIRST_YEAR, LAST_YEAR)

    def month(to: Hour) -> Amount[Hour]:
        return Amount(words.month, lambda n: then(day(replace(to, month=n))), to.month, 1, 12)

    def day(to: Hour) -> Amount[Hour]:
        last = monthrange(to.year, to.month)[1]
        at = min(to.day, last)
        return Amount(words.day, lambda n: then(hour(replace(to, day=n))), at, 1, last)

    def hour(to: Hour) -> Amount[Hour]:
        return Amount(words.hour, lambda n: then(minute(replace(to, hour=n))), to.hour, 0, 23)

    def minute(to: Hour) -> Amount[Hour]:
        return Amount(words.minute, lambda n: replace(to, minute=n), to.minute, 0, 59)

    then(year())
