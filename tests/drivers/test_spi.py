"""The wire to the chips as it is opened on a Pi."""

import sys
import types

import pytest

from drivers.errors import DeviceMissing, WiringError
from drivers.matrix import open_spi


def a_spidev(error: Exception | None) -> types.ModuleType:
    """The part of spidev that luma uses; opening raises `error`."""
    module = types.ModuleType("spidev")

    class SpiDev:
        max_speed_hz = 0
        opened: tuple[int, int] | None = None

        def open(self, port: int, device: int) -> None:
            if error:
                raise error
            self.opened = (port, device)

        def writebytes(self, data: list[int]) -> None:
            self.written = bytes(data)

        def close(self) -> None:
            self.opened = None

    module.__dict__["SpiDev"] = SpiDev
    return module


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "no"), r"no /dev/spidev1\.0: switch on SPI .*raspi-config"),
        (PermissionError(13, "no"), r"permission for /dev/spidev1\.0: .*usermod -aG spi"),
        (OSError(5, "input/output"), r"/dev/spidev1\.0 cannot be opened: .*input/output"),
    ],
)
def test_a_wire_that_cannot_be_opened_is_named_with_its_mend(
    monkeypatch: pytest.MonkeyPatch, error: OSError, words: str
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", a_spidev(error))
    with pytest.raises(DeviceMissing, match=words):
        open_spi(port=1)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DeviceMissing, match="sudo apt install python3-spidev"):
        open_spi()


def test_the_speed_is_set_and_an_odd_one_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", a_spidev(None))
    interface = open_spi(device=1, speed_hz=2_000_000)
    wire = interface._spi  # type: ignore[attr-defined] # luma's
    assert (wire.opened, wire.max_speed_hz) == ((0, 1), 2_000_000)
    interface.data([1, 2])
    assert wire.written == b"\x01\x02"
    with pytest.raises(WiringError, match="10000000"):
        open_spi(speed_hz=10_000_000)
