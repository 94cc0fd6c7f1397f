"""What all tests share."""

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.mosquitto import Mosquitto
from tests.rules.waiting import summary

os.environ.pop("LC_ALL", None)
os.environ["LC_MESSAGES"] = "en_GB.UTF-8"
"""Commands that no table tells its language speak English to us."""

REAL_TIME = ("drivers", "e2e", "hall")
"""The folders whose tests press keys in time, or run programs, browsers and brokers."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of several workers one does all that runs in real time, one test after the other."""
    for item in items:
        folder = item.path.relative_to(Path(__file__).parent).parts[0]
        if folder in REAL_TIME:
            item.add_marker(pytest.mark.xdist_group("real time"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Collect no garbage while a failure is told.

    Python 3.11 cannot parse while it parses: where a collection meets something that warns, its
    traceback is parsed amidst that of the failure, and the whole run ends with a SystemError.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


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
