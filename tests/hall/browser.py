"""Pages of a hall in a real Chromium, fed by a real broker."""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from playwright.async_api import Browser, async_playwright

from drivers.broker import HALL_QUEUE_LENGTH, BrokerConfig
from firmware.web.hall import hall_web
from firmware.web.server import Site
from tests.ports import free_port

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser that asks nobody for anything by itself."""
    program = shutil.which("chromium")
    assert program, "chromium is missing: sudo apt install chromium"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=list(QUIET))
        try:
            yield browser
        finally:
            await browser.close()


@contextlib.asynccontextmanager
async def pages(
    broker_port: int,
    *,
    port: int | None = None,
    themes: Path | None = None,
    halls: tuple[str, ...] = ("clube",),
) -> AsyncIterator[str]:
    """The pages of halls for as long as the context lasts; gives their address."""
    port = port or free_port()
    where = BrokerConfig(
        "127.0.0.1", f"web-{port}", port=broker_port, queue_length=HALL_QUEUE_LENGTH
    )
    web = hall_web(where, "pages", halls, Site(themes=themes))
    stopping = asyncio.Event()
    serving = asyncio.create_task(web.run("127.0.0.1", port, stopping))
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            break
        await asyncio.sleep(0.02)
        assert not serving.done(), serving.exception()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        stopping.set()
        await serving


def sizes() -> Iterator[tuple[str, int, int]]:
    """The screens that people look at."""
    yield "tv", 1920, 1080
    yield "phone", 390, 844
