"""The header as it is drawn, and what the doctor finds on it."""

import asyncio
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

from drivers.errors import DeviceMissing
from drivers.wiring import HEADER, place_of
from firmware.cli import main
from firmware.cli.wiring import as_svg, uses_of
from firmware.cli.wiring import as_text as header_text
from firmware.config.config import (
    Config,
    KeypadConfig,
    LampConfig,
    PadConfig,
    PanelConfig,
    SignalsConfig,
)
from firmware.config.file import load_config
from firmware.doctor.doctor import CHECKS, as_text, console_on, examined
from firmware.doctor.findings import Examined, State, Wording, in_words
from firmware.keys.keybook import PANELS
from tests.drivers.cable import Cable
from tests.drivers.fake_evdev import Bus
from tests.firmware.test_doctor_machine import ENGLISH

CONFIG = Config(
    schema=1,
    panel=PanelConfig(pins={"undo": "J8:40"}),
    signals=SignalsConfig(buzzer=LampConfig(12), refused=LampConfig(13, active_high=False)),
)


def test_the_header_is_that_of_a_pi() -> None:
    assert len(HEADER) == 40
    pins = [pin for pin in HEADER if isinstance(pin, int)]
    assert sorted(pins) == list(range(28))
    assert (HEADER.count("ground"), HEADER.count("5 V"), HEADER.count("3.3 V")) == (8, 2, 2)
    # Some that anybody knows: raspberrypi.com, "GPIO and the 40-pin header".
    known = {2: 3, 14: 8, 17: 11, 27: 13, 10: 19, 8: 24, 25: 22, 26: 37, 21: 40}
    assert {pin: HEADER.index(pin) + 1 for pin in known} == known


def test_the_header_as_text_names_every_pin_that_is_used() -> None:
    lines = header_text(uses_of(CONFIG, ENGLISH), ENGLISH).splitlines()
    assert len(lines) == 20
    assert "key +1  GPIO17  11 12  GPIO18" in lines[5]
    assert lines[9].split() == ["board", "DIN", "GPIO10", "19", "20", "ground"]
    assert lines[15].endswith("32  GPIO12  buzzer")
    assert "lamp refused, lit when low  GPIO13  33 34  ground" in lines[16]
    assert lines[19].endswith("40  GPIO21  key ANULAR")


def test_a_keypad_s_rows_and_columns_name_their_keys() -> None:
    panel = PanelConfig(layout="carom-4", rows=(5, 6), columns=(13, 19))
    uses = uses_of(Config(schema=1, panel=panel), ENGLISH)
    assert (uses[5], uses[6]) == ("row +1 FIM", "row OK ANULAR")
    assert (uses[13], uses[19]) == ("column +1 OK", "column FIM ANULAR")


def test_the_drawing_holds_what_the_text_holds() -> None:
    drawing = ET.fromstring(as_svg(uses_of(CONFIG, ENGLISH), "hall/1 <carom-6>", ENGLISH))
    texts = [element.text or "" for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    for pin, use in uses_of(CONFIG, ENGLISH).items():
        assert any(use in text and f"GPIO{pin}" in text for text in texts), use
    assert {str(place) for place in range(1, 41)} <= set(texts)


def test_no_label_of_a_keypad_reaches_over_the_drawing() -> None:
    """Rows and columns of sixteen keys have the longest labels; 9.6 is a wide capital of 12."""
    config = msgspec.convert(
        {
            "schema": 1,
            "match": {"rulebook": "cbbs"},
            "panel": {
                "layout": "snooker-16",
                "rows": [5, 6, 13, 19],
                "columns": [12, 16, 20, 21],
            },
        },
        Config,
    )
    drawing = ET.fromstring(as_svg(uses_of(config, ENGLISH), "hall/1", ENGLISH))
    for text in drawing.iter("{http://www.w3.org/2000/svg}text"):
        x, room = float(text.attrib["x"]), 9.6 * len(text.text or "")
        match text.attrib["text-anchor"]:
            case "start":
                assert x + room <= float(drawing.attrib["width"]), text.text
            case "end":
                assert x - room >= 0, text.text


class BadPin(MockFactory().pin_class):  # type: ignore[misc] # gpiozero has no types
    """A pin that something outside holds, whatever its pull."""

    HELD = {17: False, 22: True}  # noqa: RUF012 # never changes

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        number = int(self.info.name.removeprefix("GPIO"))
        held = self.HELD.get(number)
        if held is not None:
            (self.drive_high if held else self.drive_low)()


def findings(on: Examined, *checks: str) -> dict[str, Wording]:
    async def run() -> dict[str, Wording]:
        found = [in_words(one, ENGLISH) async for _, one in examined(on, checks or tuple(CHECKS))]
        return {one.what: one for one in found}

    return asyncio.run(run())


def test_the_doctor_tells_closed_and_held_lines_from_free_ones() -> None:
    factory = MockFactory(pin_class=BadPin)
    found = findings(Examined(CONFIG, lambda: factory, watch_s=0.01), "pins")
    closed = found[f"key +1, {place_of(17)}"]
    assert (closed.state, closed.says) == (
        State.FAULT,
        "low, pulled from outside, no edge in 0 s",
    )
    assert "its wire touches ground" in closed.mend
    held = found[f"key FIM, {place_of(22)}"]
    assert (held.state, held.says) == (State.OK, "high, pulled from outside, no edge in 0 s")
    free = found[f"key OK, {place_of(24)}"]
    assert (free.state, free.says) == (State.OK, "high, pulled up inside, no edge in 0 s")
    assert len(found) == 6


def test_the_doctor_sees_the_last_edge_and_a_floating_wire() -> None:
    factory = MockFactory()

    async def run() -> list[Wording]:
        on = Examined(CONFIG, lambda: factory, watch_s=0.3)

        async def move() -> None:
            await asyncio.sleep(0.05)
            for _ in range(10):
                factory.pin(27).drive_low()
                factory.pin(27).drive_high()
            factory.pin(24).drive_low()
            factory.pin(24).drive_high()

        moving = asyncio.create_task(move())
        found = [in_words(one, ENGLISH) async for _, one in examined(on, ["pins"])]
        await moving
        return found

    found = {one.what: one for one in asyncio.run(run())}
    floating = found[f"key +5, {place_of(27)}"]
    assert floating.state is State.FAULT
    assert "20 edges, the last 0." in floating.says
    assert "picks up noise" in floating.mend
    pressed = found[f"key OK, {place_of(24)}"]
    assert pressed.state is State.OK
    assert "2 edges, the last 0." in pressed.says


def test_a_resistor_that_was_promised_and_is_not_there_is_missed(tmp_path: Path) -> None:
    text = (PANELS / "carom-4.toml").read_text("utf-8")
    layout = tmp_path / "panel.toml"
    layout.write_text(text.replace("pin = 17,", 'pin = 17, pull = "outside",'), "utf-8")
    file = tmp_path / "table.toml"
    file.write_text(f"schema = 1\n[panel]\nlayout = '{layout}'\n", "utf-8")
    factory = MockFactory()
    found = findings(Examined(load_config(file), lambda: factory, watch_s=0.01), "pins")
    assert any("no resistor outside holds it" in one.mend for one in found.values())


def test_pins_that_cannot_be_had_are_a_fault_and_the_other_checks_go_on() -> None:
    def none() -> None:
        raise DeviceMissing("no /dev/gpiochip*: this machine has no pins; is it a Raspberry Pi?")

    config = Config(schema=1, pads=(PadConfig(name="pad1", serial="usb:ffff:ffff"),))
    found = findings(Examined(config, none))
    assert found["pins"].state is State.FAULT
    assert found["pins"].mend == "this machine has no pins; is it a Raspberry Pi?"
    assert found["receiver usb:ffff:ffff"].state is State.FAULT
    assert as_text("pins", found["pins"], ENGLISH).splitlines() == [
        "FAULT  pins: pins: no /dev/gpiochip*",
        "       mend: this machine has no pins; is it a Raspberry Pi?",
    ]


def test_lamps_receivers_and_keypads_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = Bus()
    bus.plug()
    monkeypatch.setitem(sys.modules, "evdev", bus)
    cable = Cable(tmp_path / "port").plug()
    config = Config(
        schema=1,
        pads=(PadConfig(name="pad1", serial=str(cable.path)),),
        keypads=(KeypadConfig("k", "usb:04d9:1203"), KeypadConfig("l", "usb:04d9:1204")),
        signals=CONFIG.signals,
    )
    factory = MockFactory()
    on = Examined(config, lambda: factory, watch_s=0.01)
    found = findings(on, "lamps", "receivers", "keypads")
    faults = [what for what, one in found.items() if one.state is State.FAULT]
    assert faults == ["keypad l"]
    assert {"keypad k", f"receiver {cable.path}", f"buzzer, {place_of(12)}"} <= set(found)
    cable.unplug()


def test_a_port_with_the_system_s_console_on_it_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cmdline").write_text("console=ttyAMA0,115200 console=tty1 root=/dev/x\n")
    assert console_on("/dev/ttyAMA0", tmp_path)
    assert not console_on("/dev/ttyUSB0", tmp_path)
    assert not console_on("/dev/ttyAMA0", tmp_path / "none")


def test_the_commands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, drawing = tmp_path / "table.toml", tmp_path / "header.svg"
    file.write_text("schema = 1\nlanguage = 'en'\n", "utf-8")
    assert main(["wiring", "--config", str(file)]) == 0
    assert "key +1  GPIO17  11 12  GPIO18" in capsys.readouterr().out
    assert main(["wiring", "--config", str(file), "--svg", str(drawing)]) == 0
    assert "tacada hall/1: carom-6" in drawing.read_text("utf-8")
    assert main(["wiring", "--config", str(file), "--svg", str(tmp_path)]) == 1
    assert main(["doctor", "--config", str(file), "lungs"]) == 1
    assert "there is no check lungs; there are pins, lamps" in capsys.readouterr().err
    assert main(["doctor", "--config", str(file), "receivers", "keypads"]) == 0
    assert capsys.readouterr().out == "all in order\n"
