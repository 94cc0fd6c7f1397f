"""The club list in the journal's file: names beside the records, which know numbers alone."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

import msgspec

from drivers.phrases import Phrase
from firmware.club.player import (
    Handicap,
    Listed,
    Player,
    cleaned,
    folded,
    is_anonymous,
    read_handicap,
)
from firmware.errors import ClubError
from firmware.toml_reader import there_are

Transaction = Callable[[], AbstractContextManager[None]]


class Club:
    """The players of one journal; `Journal.club` makes it.

    A number is a player, or another number of one who was written down twice: then it is his
    double. A player whose name was taken out is `#` and his number wherever he is named.
    """

    def __init__(self, db: sqlite3.Connection, transaction: Transaction) -> None:
        self._db, self._transaction = db, transaction

    def names(self) -> dict[int, str]:
        """The name of every number that has one, doubles too."""
        return dict(
            self._db.execute(
                "SELECT number, name FROM players UNION ALL"
                " SELECT doubles.number, coalesce(name, '#' || same_as) FROM doubles"
                " LEFT JOIN players ON players.number = same_as ORDER BY 1"
            )
        )

    def doubles(self) -> dict[int, int]:
        """The player that each double is."""
        return dict(self._db.execute("SELECT number, same_as FROM doubles"))

    def players(self) -> tuple[Player, ...]:
        """All players in the order of their names; A and B, who are nobody, left out."""
        found = self._db.execute(
            "SELECT number, name, coalesce(short, ''), coalesce(spoken, ''),"
            " coalesce(handicaps, '{}') FROM players LEFT JOIN club USING (number)"
        )
        players = [
            Player(number, name, short, spoken, _handicaps(text))
            for number, name, short, spoken, text in found
            if not is_anonymous(name)
        ]
        return tuple(sorted(players, key=lambda player: (folded(player.name), player.number)))

    def player(self, who: str) -> Player:
        """The player of a name, or of `#` and a number, where he has a name.

        Raises:
            ClubError: there is none; names that are alike are told.
        """
        players = self.players()
        number = self._number(who)
        for player in players:
            if player.number == number:
                return player
        raise ClubError(_nobody(who, (player.name for player in players)))

    def number(self, who: str) -> int:
        """The number of a name, or of `#` and a number: that of the player, also of his double.

        Raises:
            ClubError: there is no such name or number.
        """
        number = self._number(who)
        if number is None:
            raise ClubError(_nobody(who, self.names().values()))
        return number

    def enlist(self, name: str) -> int:
        """The number of a player, a new one where nobody has that name."""
        number = self._named(name)
        if number is not None:
            return number
        with self._transaction():
            return self._added(name)

    def written_down(self, number: int, name: str) -> None:
        """Name a number that was given without the journal; a name that is there is its player."""
        other = self._named(name)
        with self._transaction():
            if other is None or other == number:
                self._name(number, name)
            else:
                self._double(number, other)

    def take_in(self, listed: Iterable[Listed]) -> tuple[int, int]:
        """Write down what a list says of players, all or nothing: how many are new, how many not.

        Who is in the club and not on the list stays as he is.
        """
        known = {folded(player.name): player for player in self.players()}
        added = changed = 0
        with self._transaction():
            for one in listed:
                before = known.get(folded(one.name))
                number = self._added(one.name) if before is None else before.number
                after = one.over(before or Player(number, one.name))
                if after != before:
                    self._name(number, after.name)
                    self._save(after)
                    added, changed = added + (before is None), changed + (before is not None)
        return added, changed

    def rename(self, who: str, name: str) -> int:
        """Give a player another name, everywhere; his number.

        The short form and what is spoken were those of the old name, and go with it.

        Raises:
            ClubError: there is no such player, or somebody has that name already.
        """
        number, name = self.number(who), cleaned(name)
        other = self._named(name)
        if other not in (None, number):
            raise ClubError(
                Phrase(
                    "is_player",
                    "{name} is player #{n}; merge the two, or tell them apart by name",
                    name=name,
                    n=other,
                )
            )
        with self._transaction():
            self._name(number, name)
            self._db.execute("UPDATE club SET short = '', spoken = '' WHERE number = ?", (number,))
        return number

    def merge(self, double: str, into: str) -> tuple[int, int]:
        """Two names are one player: the second one; both numbers.

        What is known of the double is kept where nothing is known of the other.

        Raises:
            ClubError: there is no such player, or they are one already.
        """
        number, same_as = self.number(double), self.number(into)
        if number == same_as:
            raise ClubError(
                Phrase(
                    "one_already",
                    "{one} and {other} are one player already, #{n}",
                    one=double,
                    other=into,
                    n=number,
                )
            )
        with self._transaction():
            self._db.execute(
                "INSERT INTO club SELECT ?, short, spoken, handicaps FROM club"
                " WHERE number = ? ON CONFLICT DO NOTHING",
                (same_as, number),
            )
            self._double(number, same_as)
        return number, same_as

    def part(self, number: int, name: str) -> None:
        """A double is a player of his own after all.

        Raises:
            ClubError: the number is nobody's double, or somebody has that name.
        """
        name = cleaned(name)
        other = self._named(name)
        if number not in self.doubles():
            raise ClubError(Phrase("no_double", "#{n} is nobody's double", n=number))
        if other is not None:
            raise ClubError(
                Phrase(
                    "other_player",
                    "{name} is player #{n}; give the other a name of his own",
                    name=name,
                    n=other,
                )
            )
        with self._transaction():
            self._db.execute("DELETE FROM doubles WHERE number = ?", (number,))
            self._name(number, name)

    def remove(self, who: str) -> int:
        """Take a player's names and handicaps out; his number, which his matches keep.

        Raises:
            ClubError: there is no such player.
        """
        number = self.number(who)
        with self._transaction():
            self._forget(number)
            # Without a name: it says that the number was somebody's.
            self._save(Player(number, ""))
        return number

    def wipe(self) -> bool:
        """See that a name that was taken out is not left in the log beside the file; whether so.

        What is deleted is written over in the file itself. A reader at work keeps the log.
        """
        (busy, *_) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def _number(self, who: str) -> int | None:
        if is_anonymous(who):
            return None
        if who.startswith("#") and who[1:].isdecimal():
            number = self.doubles().get(int(who[1:]), int(who[1:]))
            return number if number in self.names() else None
        return self._named(who)

    def _named(self, name: str) -> int | None:
        """The first number of a name, whatever its case."""
        wanted = folded(name)
        found = self._db.execute("SELECT number, name FROM players ORDER BY number")
        return next((number for number, one in found if folded(one) == wanted), None)

    def _added(self, name: str) -> int:
        """Under a number that nobody has had: also a double and who was removed keep theirs."""
        (last,) = self._db.execute(
            "SELECT coalesce(max(number), 0) FROM (SELECT number FROM players"
            " UNION ALL SELECT number FROM doubles UNION ALL SELECT number FROM club)"
        ).fetchone()
        self._name(last + 1, name)
        return int(last) + 1

    def _save(self, player: Player) -> None:
        handicaps = {name: str(handicap) for name, handicap in sorted(player.handicaps.items())}
        self._db.execute(
            "INSERT OR REPLACE INTO club VALUES (?, ?, ?, ?)",
            (
                player.number,
                player.short,
                player.spoken,
                msgspec.json.encode(handicaps).decode(),
            ),
        )

    def _name(self, number: int, name: str) -> None:
        self._db.execute(
            "INSERT INTO players VALUES (?, ?)"
            " ON CONFLICT (number) DO UPDATE SET name = excluded.name",
            (number, name),
        )

    def _double(self, number: int, same_as: int) -> None:
        """A number, and all its doubles, are another player from now on."""
        self._db.execute("UPDATE doubles SET same_as = ? WHERE same_as = ?", (same_as, number))
        self._db.execute("INSERT OR REPLACE INTO doubles VALUES (?, ?)", (number, same_as))
        self._forget(number)

    def _forget(self, number: int) -> None:
        for table in ("players", "club"):
            self._db.execute(f"DELETE FROM {table} WHERE number = ?", (number,))


def _handicaps(text: str) -> dict[str, Handicap]:
    texts = msgspec.json.decode(text, type=dict[str, str])
    return {name: read_handicap(handicap) for name, handicap in texts.items()}


def _nobody(who: str, names: Iterable[str]) -> str:
    alike = [name for name in names if folded(who) in folded(name)][:5]
    hint = there_are(alike) if alike else ""
    return Phrase("no_such_player", "there is no player {who}{hint}", who=who, hint=hint)
