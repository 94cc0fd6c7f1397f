"""Finding the header's chip with a stand-in for lgpio, which needs real pins."""

import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.errors import DeviceMissing
from drivers.pins import pi_pins


class LgpioError(Exception):
    pass


def a_lgpio(labels: dict[int, str]) -> types.ModuleType:
    """The part of lgpio that is used; chips without a label do not open."""
    module = types.ModuleType("lgpio")

    def gpiochip_open(chip: int) -> int:
        if not labels.get(chip):
            raise LgpioError("can not open gpiochip")
        return 100 + chip

    constants = "BOTH_EDGES RISING_EDGE FALLING_EDGE SET_PULL_NONE SET_PULL_UP SET_PULL_DOWN"
    for value, name in enumerate(constants.split()):
        setattr(module, name, value)
    module.__dict__["error"] = LgpioError
    module.__dict__["gpiochip_open"] = gpiochip_open
    module.__dict__["gpiochip_close"] = lambda handle: 0
    module.__dict__["gpio_get_chip_info"] = lambda handle: [0, 54, "x", labels[handle - 100]]
    return module


@pytest.fixture
def dev(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setenv("LG_WD", str(tmp_path))
    for chip in (0, 4, 10):
        (tmp_path / f"gpiochip{chip}").touch()
    yield tmp_path
    sys.modules.pop("gpiozero.pins.lgpio", None)


@pytest.mark.parametrize(
    ("labels", "chip"),
    [
        ({0: "pinctrl-rp1", 4: "pinctrl-rp1-old", 10: "gpio-brcmstb"}, 0),
        ({0: "gpio-brcmstb", 4: "pinctrl-rp1", 10: "gpio-brcmstb"}, 4),
        ({0: "pinctrl-bcm2711", 4: "raspberrypi-exp-gpio", 10: "x"}, 0),
        ({0: "pinctrl-bcm2835", 4: "", 10: ""}, 0),
    ],
)
def test_the_header_is_found_by_its_label(
    dev: Path, monkeypatch: pytest.MonkeyPatch, labels: dict[int, str], chip: int
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", a_lgpio(labels))
    assert pi_pins(dev=dev).chip == chip


def test_a_chip_can_be_given(dev: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", a_lgpio({10: "of another maker"}))
    assert pi_pins(chip=10, dev=dev).chip == 10
    with pytest.raises(DeviceMissing, match=r"gpiochip3 .* there are gpiochip0"):
        pi_pins(chip=3, dev=dev)


def test_what_is_missing_is_named_with_its_mend(
    dev: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(DeviceMissing, match="sudo apt install python3-lgpio"):
        pi_pins(dev=dev)
    monkeypatch.setitem(sys.modules, "lgpio", a_lgpio({4: "raspberrypi-exp-gpio"}))
    with pytest.raises(DeviceMissing, match=r"gpiochip0, .*usermod -aG gpio"):
        pi_pins(dev=dev)
    monkeypatch.setitem(sys.modules, "lgpio", a_lgpio({0: "a", 4: "b", 10: "c"}))
    with pytest.raises(DeviceMissing, match="among a, b, c"):
        pi_pins(dev=dev)
    with pytest.raises(DeviceMissing, match="is it a Raspberry Pi"):
        pi_pins(dev=tmp_path / "nothing")


LGPIO_SOURCE = """
import os
os.chdir(os.environ["LG_WD"])
open(".lgd-nfy0", "w").close()
"""
"""What the real lgpio does on import."""


@pytest.mark.parametrize("runtime", ["own", "also", "none"])
def test_its_pipe_is_made_where_one_may_write_and_the_process_stays(
    dev: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runtime: str
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "lib/lgpio.py").write_text(LGPIO_SOURCE)
    monkeypatch.syspath_prepend(tmp_path / "lib")
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.delenv("LG_WD")
    if runtime == "own":
        monkeypatch.setenv("LG_WD", str(tmp_path / "run"))
    elif runtime == "also":
        monkeypatch.setenv("RUNTIME_DIRECTORY", f"{tmp_path / 'run'}:/somewhere")
    else:
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        monkeypatch.setattr("tempfile.tempdir", None)
        monkeypatch.setenv("RUNTIME_DIRECTORY", "")
    before = Path.cwd()
    with pytest.raises(AttributeError):
        pi_pins(dev=dev)
    sys.modules.pop("lgpio")
    assert Path.cwd() == before
    made = Path(os.environ["LG_WD"])
    assert (made / ".lgd-nfy0").exists()
    assert made == tmp_path / "run" if runtime != "none" else made.parent == tmp_path


def test_a_pipe_that_cannot_be_made_is_told(
    dev: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lgpio.py").write_text(LGPIO_SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    monkeypatch.setenv("LG_WD", str(tmp_path / "nowhere"))
    with pytest.raises(DeviceMissing, match=r"LG_WD=.*nowhere"):
        pi_pins(dev=dev)
