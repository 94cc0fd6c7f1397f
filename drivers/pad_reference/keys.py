"""How this pad is wired, and what its keys are called. Change it to suit; the table's layout
names the keys. `tacada pad --keys LAYOUT` prints KEYS for a layout, with the mode of each key."""

NAME = "pad1"
"""As in the table's configuration: at most 12 of a-z, 0-9, - and _."""

UART = {"id": 1, "baudrate": 115200, "tx": 8, "rx": 9}
"""The radio module or cable. A receiver and all its pads have the same baud rate."""

PRESS, ADD, HOLD = "press", "add", "hold"
"""When a key acts: at once; at once and again when held; when let go, or when held."""

KEYS = {
    "plus1": (2, PRESS),
    "plus5": (3, PRESS),
    "end": (4, PRESS),
    "foul": (5, HOLD),
    "ok": (6, HOLD),
    "undo": (7, HOLD),
}
"""Pin number and mode of each key; every key closes its pin to ground."""

LONG = ("ok",)
"""Keys that mean something more when they are held for three seconds: OK asks about the match."""


def battery() -> int:
    """What is left, in percent; -1 where nothing measures it."""
    return -1


def show(mark: str, text: str) -> None:
    """Show what the table says: `A` entered, `W` more keys needed, `R` refused, `?` not known.

    Here it goes to the serial console; a pad with a display writes it there, one with a lamp and a
    buzzer tells the marks apart by them.
    """
    print(mark, text)
