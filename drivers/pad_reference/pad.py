"""The reference pad: what a handheld pad says and when (docs/pad-protocol.md, its state machine).

Plain enough for MicroPython, and the same file runs under Python: `tacada pad` uses it. It reads
no clock and no wire: presses, bytes and the time come in, bytes and a text to show go out. Times
are milliseconds that never go back.
"""

RESEND_MS = 150
"""How long to wait for an answer before asking again."""

ASK_MS = 1000
"""How often to ask on after `LATE_MS`: such a press does not act any more."""

LATE_MS = 1500
"""After this the pad says that there is no answer."""

HELLO_MS = 5000
"""How often the pad says that it is there."""

SILENT_MS = 12000
"""After so long without a word from the table there is no link."""

QUEUE = 6
"""Presses that may wait for the answer to the one before."""

NO_ANSWER = "no answer"
NO_LINK = "no link"
NOT_SENT = "not sent"


def crc(data: bytes) -> str:
    """CRC-16, polynomial 1021, start FFFF: `123456789` has 29B1."""
    value = 0xFFFF
    for byte in data:
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1) ^ 0x1021 if value & 0x8000 else value << 1
            value &= 0xFFFF
    return "%04X" % value  # noqa: UP031 # small interpreters format this way at least cost


class Pad:
    """One pad.

    Args:
        name: its name in the table's configuration.
        session: four letters or digits, others each time the pad is switched on.
    """

    def __init__(self, name: str, session: str) -> None:
        self.name = name
        self.session = session
        self.battery = -1
        """In percent; -1 if nobody knows."""
        self.text = NO_LINK
        """What the display shows."""
        self.mark = "-"
        """`A` entered, `W` more keys needed, `R` refused, `?` not known, `-` no press."""
        self._number = 0
        # Each press that waits: number, key, gesture, when it was made.
        self._waiting: list[tuple[int, str, str, int]] = []
        self._unsure = 0
        """Presses since the last answer that got none: `?2` before the next text."""
        self._due_ms = 0
        self._hello_ms = 0
        self._asked = False
        self._heard_ms = 0
        self._line = b""

    def press(self, key: str, held: bool, now_ms: int) -> None:
        """A key was pressed, or is held."""
        self._made(key, "hold" if held else "press", now_ms)

    def long(self, key: str, now_ms: int) -> None:
        """A key has been held for three seconds: no entry is meant."""
        self._made(key, "long", now_ms)

    def _made(self, key: str, gesture: str, now_ms: int) -> None:
        self._watch(now_ms)
        if len(self._waiting) >= QUEUE:
            self._say("?", NOT_SENT)
            return
        self._number += 1
        self._waiting.append((self._number, key, gesture, now_ms))
        if len(self._waiting) == 1:
            self._due_ms = now_ms
        self._watch(now_ms)

    def due(self, now_ms: int) -> bytes:
        """What is to be sent now; nothing if there is nothing."""
        self._watch(now_ms)
        if now_ms >= self._hello_ms and (self._asked or not self._waiting):
            self._asked = False
            self._due_ms = now_ms
            self._hello_ms = now_ms + HELLO_MS
            done = self._waiting[0][0] - 1 if self._waiting else self._number
            return self._frame(f"H {self.name} {self.session}.{done}")
        if self._waiting and now_ms >= self._due_ms:
            number, key, gesture, pressed_ms = self._waiting[0]
            age_ms = now_ms - pressed_ms
            self._due_ms = now_ms + (RESEND_MS if age_ms <= LATE_MS else ASK_MS)
            self._hello_ms = now_ms + HELLO_MS
            return self._frame(
                f"K {self.name} {self.session}.{number} {key} {gesture} {min(age_ms, 999999)}"
            )
        return b""

    def _frame(self, text: str) -> bytes:
        battery = str(self.battery) if self.battery >= 0 else "-"
        body = (text + " " + battery).encode()
        # An empty line first: what a disturbance left half said is not part of ours.
        return b"\n" + body + b" " + crc(body).encode() + b"\n"

    def _watch(self, now_ms: int) -> None:
        """Say what time alone makes true: no answer, no link, a press that was never sent."""
        while len(self._waiting) > 1 and now_ms - self._waiting[0][3] > LATE_MS:
            # Others wait behind it. What became of it nobody knows, and the next answer says so.
            self._waiting = self._waiting[1:]
            self._unsure += 1
            self._due_ms = now_ms
        if self._waiting and now_ms - self._waiting[0][3] > LATE_MS:
            if self.mark != "?":
                self._say("?", NO_ANSWER)
        elif not self._waiting and now_ms - self._heard_ms > SILENT_MS and self.text != NO_LINK:
            self._say("-", NO_LINK)

    def received(self, data: bytes, now_ms: int) -> None:
        """Bytes came from the table."""
        self._line += data
        while b"\n" in self._line:
            place = self._line.index(b"\n")
            line, self._line = self._line[:place], self._line[place + 1 :]
            self._read(line.strip(), now_ms)
        if len(self._line) > 160:
            self._line = b""

    def _read(self, line: bytes, now_ms: int) -> None:
        """A line from the table; what is not for this pad, or damaged, is none."""
        words = line.split(b" ")
        check = words[-1]
        body = line[: len(line) - len(check) - 1]
        if len(words) < 3 or crc(body).encode() != check or words[1] != self.name.encode():
            return
        self._heard_ms = now_ms
        mark = words[0].decode()
        if mark == "Q":
            self._asked, self._hello_ms = True, now_ms
        elif mark == "T" and not self._waiting:
            text = b" ".join(words[2:-1]).decode()
            if text != self.text or self.mark != "A":
                self._say("-", text)
        elif mark in ("A", "W", "R") and len(words) > 4 and words[2].decode() == self._asking():
            self._waiting = self._waiting[1:]
            self._due_ms = now_ms
            unsure = f"?{self._unsure} " if self._unsure else ""
            self._unsure = 0
            self._say(mark, unsure + b" ".join(words[3:-1]).decode())

    def _asking(self) -> str:
        """The press that waits for its answer; nothing if none does."""
        return f"{self.session}.{self._waiting[0][0]}" if self._waiting else ""

    def _say(self, mark: str, text: str) -> None:
        self.mark, self.text = mark, text
