"""How late the loop is, as the hall is told."""

import asyncio
import time

import pytest

from firmware.mqtt.health import Health
from firmware.mqtt.messages import Presence, Status


def test_what_keeps_everything_waiting_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask 119: a frozen program is seen in its figures, and a quiet one too."""
    monkeypatch.setattr("firmware.mqtt.health.LAG_EVERY_S", 0.01)
    monkeypatch.setattr("firmware.mqtt.health.LAG_OVER", 5)
    lags: asyncio.Queue[int] = asyncio.Queue()

    def report(status: Status, presence: Presence) -> None:
        lags.put_nowait(status.lag_ms)

    async def run() -> None:
        measuring = asyncio.create_task(Health("0.1.0", 1, report).measure())
        await asyncio.sleep(0.02)
        time.sleep(0.5)  # noqa: ASYNC251 # what must be seen
        async with asyncio.timeout(10):
            while await lags.get() < 480:
                pass
            while await lags.get() >= 480:
                pass
        measuring.cancel()

    asyncio.run(run())
