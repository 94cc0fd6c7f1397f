"""The club list: who plays here, by name, short and spoken name, and handicap.

What a set-up needs of it:

- `journal.club.players()` are all players, in the order of a list; `Player.forms` is the name from
  long to short, as a question on the board takes it.
- `shares(rulebook, a, b)` is what the handicaps of two players make of a match: fields of the
  set-up's format (`target=40/25`) and of its position (`racks=2/0`, `handicap=21/0`).
- `journal.club.enlist(name)` gives the number that the set-up's record names, new for a new name.

A name is one player: two of one name must be told apart in it. Records hold numbers alone, so that
nothing here ever touches one.
"""
