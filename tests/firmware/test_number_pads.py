"""The number pad of every panel that comes with the firmware: what is printed is what is meant."""

import asyncio
import sys

import pytest

from drivers.fakes import Listener
from drivers.keycodes import NUMBER_PAD, code_number
from drivers.keypad import KeypadLines
from drivers.panel import Keys
from firmware.config.config import KeypadConfig, keypad_of
from firmware.keys.keybook import PANELS, shipped_or_own
from firmware.keys.panel_layout import key_modes
from tests.drivers.fake_evdev import Bus

PANEL_NAMES = sorted(path.stem for path in PANELS.glob("*.toml"))
each_panel = pytest.mark.parametrize("panel", PANEL_NAMES)


@each_panel
def test_every_key_has_a_key_of_the_pad_and_no_two_have_the_same(panel: str) -> None:
    keys = shipped_or_own(panel).keys
    codes = [key.code for key in keys.values() if key.chord is None]
    assert set(codes) <= set(NUMBER_PAD)
    assert len(set(codes)) == len(codes)


@each_panel
def test_in_a_number_a_digit_is_the_digit_that_is_printed(panel: str) -> None:
    layout = shipped_or_own(panel)
    for name, dialog in layout.dialogs.items():
        printed = [layout.keys[key].code for key in dialog.digits]
        assert printed == [*"1234567890"][: len(printed)], name


@each_panel
def test_each_key_of_the_pad_is_heard_as_its_own(
    panel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the kernel's codes to the press that the table judges."""
    config = KeypadConfig("numpad", "usb:04d9:1203", panel)
    layout = keypad_of(config)
    codes = {name: code_number(key.code) for name, key in layout.keys.items() if key.code}
    bus, listener = Bus(), Listener()
    monkeypatch.setitem(sys.modules, "evdev", bus)

    async def run() -> None:
        pad = bus.plug()
        lines = KeypadLines(config.device, codes, lambda *_: None)
        keys = Keys("numpad", key_modes(layout), (lines,), listener, where=str)
        listening = asyncio.create_task(lines.run())
        await asyncio.sleep(0.05)
        for code in codes.values():
            pad.key(code, 1)
            await asyncio.sleep(0.02)
            pad.key(code, 0)
            await asyncio.sleep(0.04)
        await asyncio.sleep(0.05)
        keys.close()
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)

    asyncio.run(run())
    assert [press.key for press in listener.presses] == list(codes)
