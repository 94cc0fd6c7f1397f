"""What all tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mosquitto import Mosquitto
from tests.rules.waiting import summary


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A real broker on a loopback port of its own."""
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many score sheets wait for an engine: they are not tested, and not forgotten."""
    terminalreporter.write_line(summary())
