"""Everything with keys at a table, and the lamps and buzzer that answer them.

Only a panel that worked and is lost ends a match; a pad, phone, keypad or lamp never does.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import chain, count, repeat

from drivers.errors import DeviceLost
from drivers.gestures import Timing
from drivers.keycodes import code_number
from drivers.keypad import KeypadLines
from drivers.lamps import Lamps
from drivers.pad import PadReceiver
from drivers.panel import Keys, Panel, PinFactory
from drivers.ports import Answer, Press
from firmware.clock import Clock
from firmware.config.config import Config, KeypadConfig, keypad_of, lamps_of, panel_of
from firmware.devices.gate import Gate
from firmware.devices.pad_host import ReceiversHeard, TableOfPads, last_scorer
from firmware.devices.pad_words import PadWords
from firmware.devices.pads import WATCH_PADS_S, Pads, PadSettings
from firmware.devices.phones import CODE_S, PHONE, Phones, PhoneSettings
from firmware.devices.signals import Signals
from firmware.i18n import Language
from firmware.keys.keybook import KeyBook, shipped_or_own
from firmware.keys.keymap import Keymap
from firmware.keys.panel_layout import key_modes
from firmware.mqtt.messages import PadStatus
from firmware.snapshot import View
from firmware.supervise import RETRIES_S, Faults, supervised
from firmware.table.table import Table
from rules.scoreline import Scoreline

_log = logging.getLogger(__name__)

PANEL_FAULT, KEYPAD_FAULT, LAMPS_FAULT = "PANEL", "KEYPAD", "LAMPS"


class Devices:
    """The devices of one table, as its configuration names them.

    `pins` opens the pins of the machine, `timing` is the panel's. `language` is the board's.
    `faults` is told which of them do not work, `on_pads` how the pads do; `on_off` turns off.

    Raises:
        ConfigError: a layout cannot be used.
    """

    def __init__(
        self,
        config: Config,
        *,
        pins: Callable[[], PinFactory] | None,
        timing: Timing | None,
        clock: Clock,
        language: Callable[[], Language],
        faults: Faults,
        on_pads: Callable[[tuple[PadStatus, ...]], None],
        on_off: Callable[[], None],
    ) -> None:
        self._config, self._pins, self._timing = config, pins, timing
        self._clock, self._language = clock, language
        self._faults, self._on_pads, self._on_off = faults, on_pads, on_off
        book, panel = config.match.rulebook, config.panel
        self.keys = KeyBook(panel_of(panel), panel.layout, book, panel.games)
        """The panel's."""
        layouts = {pad.name: pad.layout for pad in config.pads}
        if config.phone.enabled:
            layouts[PHONE] = config.phone.layout or config.panel.layout
        self._pad_keys = {
            name: KeyBook(shipped_or_own(layout), layout, book, panel.games)
            for name, layout in layouts.items()
        }
        self._keypad_keys = {
            keypad.name: KeyBook(keypad_of(keypad), keypad.layout, book, panel.games)
            for keypad in config.keypads
        }
        self._keys_changed: list[asyncio.Event] = []
        self._factory: PinFactory | None = None
        self._table: Table | None = None
        self._gate: Gate | None = None
        self._pads: Pads | None = None
        self._words: PadWords | None = None
        self.phones: Phones | None = None
        self._signals, self._lamps = Signals(), list[Lamps]()
        self._line: Scoreline | None = None

    @property
    def others(self) -> Mapping[str, KeyBook]:
        """The keys of pads, phone and keypads."""
        return self._pad_keys | self._keypad_keys

    def open(self, table: Table) -> None:
        """Make what answers pads and phones; to be called before `run`."""
        self._table = table
        self._gate = Gate(
            table,
            self._clock,
            lock=self._of_panel(self._config.panel.lock),
            off=self._of_panel(self._config.panel.off),
            on_off=self._on_off,
            answer=self.answered,
        )
        known: list[PadSettings] = [*self._config.pads]
        if self._config.phone.enabled:
            known.append(PhoneSettings())
        if not known:
            return
        self._words = PadWords(self._language, lambda: table.view)
        self._pads = Pads(
            [(pad, self._keymap(self._pad_keys[pad.name])) for pad in known],
            self._gate,
            host=TableOfPads(table, self._faults.fault),
            words=self._words,
            clock=self._clock,
            on_status=self._on_pads,
            scorer=last_scorer(known, table.play.by),
        )
        if self._config.phone.enabled:
            self.phones = Phones(
                self._pads,
                lambda: self._keymap(self._pad_keys[PHONE]),
                self._clock,
                chance=secrets.randbelow,
                show=self._show_code,
                view=lambda: table.view,
                language=self._language,
            )

    async def run(self) -> None:
        """Be at work until cancelled.

        Raises:
            DriverError: the panel was there and is lost.
        """
        assert self._gate is not None
        async with asyncio.TaskGroup() as group:
            if self._pins is not None:
                group.create_task(self._panel(self._gate), name="panel")
                if lamps_of(self._config.signals):
                    group.create_task(self._lit(), name="lamps")
            if self._pads is not None:
                group.create_task(self._received(self._pads), name="pads")
            for keypad in self._config.keypads:
                group.create_task(self._keypad(keypad, self._gate), name=keypad.name)

    def answered(self, press: Press, answer: Answer) -> None:
        """The table is done with a press."""
        if self._pads is not None and self._words is not None:
            text = self._words.answered(answer)
            if self.phones is not None and press.device == PHONE:
                self.phones.said(press.id, text)
            self._pads.answered(press, answer, text)

    def viewed(self, view: View) -> None:
        """The board shows something else."""
        if self._pads is not None and view.line is not self._line:
            self._line = view.line
            self._pads.scored()
        playing = self._signals.seen(view, self._clock.now_ns() // 1_000_000)
        for lamps in self._lamps:
            lamps.play(playing)

    def other_keys(self) -> None:
        """Another game is played: when a key acts may be another matter too."""
        for changed in self._keys_changed:
            changed.set()
        if self._gate is not None:
            panel = self._config.panel
            self._gate.use(self._of_panel(panel.lock), self._of_panel(panel.off))
        if self._pads is not None:
            self._pads.use({name: self._keymap(keys) for name, keys in self._pad_keys.items()})

    def _keymap(self, keys: KeyBook) -> Keymap:
        """The keys in the game that is played."""
        assert self._table is not None
        return keys.keymap(self._table.play.ledger.match.setup.rulebook)

    def _of_panel(self, key: str) -> str:
        """The name that a key of the configured panel has in the game that is played."""
        own = list(panel_of(self._config.panel).keys)
        return list(self._keymap(self.keys).layout.keys)[own.index(key)] if key in own else ""

    def _opened_pins(self) -> PinFactory:
        """The pins of the machine, opened once for panel and lamps.

        Raises:
            DeviceMissing: there are none.
        """
        assert self._pins is not None
        if self._factory is None:
            self._factory = self._pins()
        return self._factory

    def _change(self) -> asyncio.Event:
        """Set whenever another game gives keys other meanings."""
        changed = asyncio.Event()
        self._keys_changed.append(changed)
        return changed

    async def _panel(self, gate: Gate) -> None:
        changed, numbers = self._change(), count(1)

        def opened() -> Panel:
            return Panel(
                "panel",
                self._keymap(self.keys).wiring(),
                gate,
                factory=self._opened_pins(),
                timing=self._timing,
                spi=self._config.board.enabled,
                numbers=numbers,
            )

        async def used(panel: Panel) -> None:
            with closing(panel):
                await changed.wait()

        while True:
            changed.clear()
            await supervised(PANEL_FAULT, opened, used, self._faults)

    async def _lit(self) -> None:
        outputs = lamps_of(self._config.signals)

        def opened() -> Lamps:
            lamps = Lamps(outputs, self._opened_pins())
            self._faults.fault(LAMPS_FAULT, present=False)
            return lamps

        for wait_s in chain(RETRIES_S, repeat(RETRIES_S[-1])):
            try:
                await supervised(LAMPS_FAULT, opened, self._lighting, self._faults)
            except DeviceLost as error:
                _log.warning("%s", error)
                self._faults.fault(LAMPS_FAULT, present=True)
                await asyncio.sleep(wait_s)

    async def _lighting(self, lamps: Lamps) -> None:
        with closing(lamps):
            self._lamps.append(lamps)
            try:
                await lamps.lost()
            finally:
                self._lamps.clear()

    async def _keypad(self, config: KeypadConfig, gate: Gate) -> None:
        """A USB keypad, whether it is plugged in or not."""

        def linked(_: str, reason: str) -> None:
            self._faults.fault(KEYPAD_FAULT, present=bool(reason))

        changed, numbers = self._change(), count(1)
        while True:
            changed.clear()
            layout = self._keymap(self._keypad_keys[config.name]).layout
            codes = {
                name: code_number(key.code)
                for name, key in layout.keys.items()
                if key.code is not None
            }
            lines = KeypadLines(config.device, codes, linked)
            keys = Keys(
                config.name,
                key_modes(layout),
                (lines,),
                gate,
                where=lambda key: f"key {key}",
                timing=self._timing,
                numbers=numbers,
            )
            with closing(keys):
                async with asyncio.TaskGroup() as group:
                    listening = group.create_task(lines.run())
                    await changed.wait()
                    listening.cancel()

    async def _received(self, pads: Pads) -> None:
        """Listen on every receiver, and see which pads have fallen silent."""
        listener = ReceiversHeard(pads, self._faults.fault)
        async with asyncio.TaskGroup() as group:
            for serial, baud in {pad.serial: pad.baud for pad in self._config.pads}.items():
                receiver = PadReceiver(serial, listener, baud=baud)
                group.create_task(receiver.run(), name=f"receiver {serial}")
            while True:
                await asyncio.sleep(WATCH_PADS_S)
                pads.watch()

    def _show_code(self, code: str) -> None:
        """Put the code on the board that lets a phone in, or with none take it away."""
        assert self._table is not None
        # The shortest form stands still, and four digits are all that somebody looks for.
        text = self._language().forms("board.code", code=code)[-1] if code else ""
        self._table.say(text, for_ms=CODE_S * 1000)
