"""What the tests of drivers share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mosquitto import Mosquitto


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()
