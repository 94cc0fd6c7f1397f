"""What all tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mosquitto import Mosquitto


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A real broker on a loopback port of its own."""
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()
