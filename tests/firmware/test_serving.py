"""At a broker until told to stop."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from drivers.ports import Session
from firmware.mqtt import serving
from firmware.mqtt.serving import serve_until


class Nowhere:
    """A broker that is called again and again and never there."""

    async def serve(self, use: Callable[[Session], Awaitable[None]]) -> None:
        del use
        await asyncio.Event().wait()


class _Nobody:
    """A session that nobody listens to."""


class There:
    """A broker that is there."""

    async def serve(self, use: Callable[[Session], Awaitable[None]]) -> None:
        await use(_Nobody())  # type: ignore[arg-type] # nothing is said by way of it


def test_nobody_is_waited_for_where_nobody_hears_a_goodbye(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "GOODBYE_S", 3600)

    async def scene() -> None:
        async def use(_: Session) -> None:
            raise AssertionError("there is no session")

        stopping = asyncio.Event()
        served = asyncio.create_task(serve_until(stopping, Nowhere(), use))
        await asyncio.sleep(0.05)
        stopping.set()
        async with asyncio.timeout(10):
            await served

    asyncio.run(scene())


@pytest.mark.parametrize("within", [True, False])
def test_who_is_connected_says_goodbye_and_is_not_waited_for_in_vain(
    monkeypatch: pytest.MonkeyPatch, within: bool
) -> None:
    monkeypatch.setattr(serving, "GOODBYE_S", 3600 if within else 0.05)
    said: list[str] = []

    async def scene() -> None:
        stopping = asyncio.Event()

        async def use(_: Session) -> None:
            await stopping.wait()
            await asyncio.sleep(0.2 if within else 3600)
            said.append("goodbye")

        served = asyncio.create_task(serve_until(stopping, There(), use))
        await asyncio.sleep(0.05)
        stopping.set()
        async with asyncio.timeout(10):
            await served

    asyncio.run(scene())
    assert said == (["goodbye"] if within else [])


def test_what_goes_wrong_in_use_is_told() -> None:
    async def scene() -> None:
        async def use(_: Session) -> None:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await serve_until(asyncio.Event(), There(), use)

    asyncio.run(scene())
