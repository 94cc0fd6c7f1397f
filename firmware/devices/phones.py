"""A phone that is a pad: let in by a code that only who stands at the table can read.

Behind the code it is a handheld pad like any other: its presses go through `Pads`, act once, and
are answered. One phone at a time; the next one that reads a code takes its place.
"""

import asyncio
import hmac
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from drivers.gestures import KeyMode
from drivers.pad_protocol import Hello, KeyFrame
from drivers.ports import Answer
from firmware.clock import Clock
from firmware.commands import KeyPress, PadKey, PadReply, PairPhone
from firmware.devices.pads import Pads
from firmware.i18n import Language
from firmware.keycard.words import load_card_words
from firmware.keys.keymap import Keymap
from firmware.keys.panel_words import HELD_SIGN
from firmware.snapshot import View

PHONE = "phone"
"""The name of a phone as a pad, and the device of its records."""

CODE_S = 60
"""How long a code can be used."""

CODES = 10_000
"""Of so many codes one is right: four digits."""

TRIES = 3
"""Wrong codes after which the right one is void too."""

SHOW_EVERY_S = 5
"""A board shows a new code no more often than this."""

LONGEST_S = 1800
"""Each code at which somebody guessed wrongly doubles the wait for the next, up to this.

So a stranger has under 200 guesses a day at 10,000 codes. A right code ends the wait.
"""

ANSWER_S = 1.8
"""What is not answered by then is told as not accepted."""

OLD = 64
"""So many phones that were let in before are told that another one has taken their place."""

WRONG, VOID, SLOW, FULL, UNANSWERED = "wrong", "void", "slow", "full", "unanswered"

_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
_S = 1_000_000_000


class PhoneSettings(Struct, frozen=True):
    """A phone as `Pads` knows it."""

    name: str = PHONE
    role: str = "scorer"
    serial: str = PHONE


class _Code(Struct):
    text: str
    until_ns: int
    wrong: int = 0


class Phones:
    """Lets a phone in, and passes on what it presses.

    `chance` gives a whole number below the one it is asked with, which nobody can foresee. `show`
    is told which code to show on the board. `keymap` are the keys now, `view` is what the board
    shows.
    """

    def __init__(
        self,
        pads: Pads,
        keymap: Callable[[], Keymap],
        clock: Clock,
        *,
        chance: Callable[[int], int],
        show: Callable[[str], None],
        view: Callable[[], View],
        language: Callable[[], Language],
    ) -> None:
        self._pads, self._keymap, self._clock = pads, keymap, clock
        self._chance, self._show, self._view = chance, show, view
        self._language = language
        self._code: _Code | None = None
        self._shown_ns: int | None = None
        self._every_s = SHOW_EVERY_S
        self._token, self._session = "", ""
        self._old: deque[str] = deque(maxlen=OLD)
        self._waiting: dict[str, asyncio.Future[tuple[Answer, str]]] = {}
        self._texts: dict[str, str] = {}

    def pair(self, asked: PairPhone) -> PadReply:
        """Show a code, or let a phone in that knows it."""
        now_ns = self._clock.now_ns()
        if not asked.code:
            return self._new_code(asked.id, now_ns)
        code = self._code
        if code is None or now_ns >= code.until_ns or code.wrong >= TRIES:
            self._code = None
            return PadReply(asked.id, error=VOID)
        if not hmac.compare_digest(asked.code.encode(), code.text.encode()):
            code.wrong += 1
            if code.wrong == 1:
                self._every_s = min(2 * self._every_s, LONGEST_S)
            return PadReply(asked.id, error=WRONG)
        self._code, self._every_s = None, SHOW_EVERY_S
        return self._let_in(asked.id)

    async def press(self, asked: KeyPress) -> PadReply:
        """Pass on a press, and say what became of it."""
        if not self._token or not hmac.compare_digest(asked.token.encode(), self._token.encode()):
            known = any(
                hmac.compare_digest(asked.token.encode(), old.encode()) for old in self._old
            )
            return PadReply(asked.id, error=FULL if known else VOID)
        frame = KeyFrame(
            PHONE,
            self._session,
            asked.number,
            asked.key,
            asked.held or asked.long,
            asked.age_ms,
            None,
            asked.long,
        )
        waiting = self._waiting.get(frame.id)
        if waiting is None:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting[frame.id] = waiting
        self._pads.framed(self, frame, self._clock.now_ns())
        try:
            async with asyncio.timeout(ANSWER_S):
                answer, text = await asyncio.shield(waiting)
        except TimeoutError:
            return PadReply(asked.id, error=UNANSWERED)
        finally:
            self._waiting.pop(frame.id, None)
        text = self._texts.pop(frame.id, text)
        keys = self._keys()  # with another game they are others
        return PadReply(asked.id, answer=answer, text=text, keys=keys, means=self._means())

    def said(self, press_id: str, text: str) -> None:
        """What the board says of a press, with all its letters."""
        if press_id in self._waiting:
            self._texts[press_id] = text

    def send(self, line: bytes) -> None:
        """What `Pads` says to a pad: answers go to whoever waits for them."""
        kind, _, rest = line.decode("ascii").strip().partition(" ")
        words = rest.split(" ")
        if kind in tuple(Answer) and len(words) >= 3:
            waiting = self._waiting.get(words[1])
            if waiting is not None and not waiting.done():
                waiting.set_result((Answer(kind), " ".join(words[2:-1])))

    def _new_code(self, id_: str, now_ns: int) -> PadReply:
        if self._shown_ns is not None and now_ns - self._shown_ns < self._every_s * _S:
            return PadReply(id_, error=SLOW)
        self._shown_ns = now_ns
        text = f"{self._chance(CODES):04}"
        self._code = _Code(text, now_ns + CODE_S * _S)
        self._show(text)
        return PadReply(id_)

    def _let_in(self, id_: str) -> PadReply:
        if self._token:
            self._old.append(self._token)
        self._token = "".join(_LETTERS[self._chance(len(_LETTERS))] for _ in range(32))
        self._session = "".join(_LETTERS[self._chance(len(_LETTERS))] for _ in range(4))
        self._pads.framed(self, Hello(PHONE, self._session, 0, None), self._clock.now_ns())
        self._show("")
        return PadReply(id_, token=self._token, keys=self._keys(), means=self._means())

    def _keys(self) -> tuple[PadKey, ...]:
        keymap = self._keymap()
        wiring, layout, language = keymap.wiring(), keymap.layout, self._language()
        return tuple(
            PadKey(
                name,
                language.label(key.label),
                wiring[name].mode is not KeyMode.PRESS,
                name in keymap.ok_keys,
            )
            for name, key in layout.keys.items()
        )

    def _means(self) -> tuple[tuple[str, str], ...]:
        """What the keys now do beside what they always do, in words: pressed, and then held."""
        words = load_card_words(self._language())
        means: dict[str, list[str]] = {}
        for name, text in self._view().keys:
            label = words.label(name)
            held = HELD_SIGN if label.startswith(HELD_SIGN) else ""
            said = f"{held} {words.meaning(text)}".strip()
            means.setdefault(label.removeprefix(HELD_SIGN), []).append(said)
        return tuple((label, " · ".join(said)) for label, said in means.items())
