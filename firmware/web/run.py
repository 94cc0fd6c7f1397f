"""`tacada web`: follow the tables of a hall, and serve its pages."""

import asyncio
import logging
import signal

from aiohttp import web

from drivers.phrases import Phrase
from drivers.ports import Broker, Message
from firmware.clock import Clock
from firmware.errors import FirmwareError
from firmware.hall.follow import Follow
from firmware.hall.follower import Room
from firmware.mqtt.messages import Presence, Topics
from firmware.terminal.words import TerminalWords
from firmware.web.door import Door
from firmware.web.pages import VERSION
from firmware.web.server import Pages, Site
from firmware.web.silent import LOOK_S, files_raised

_log = logging.getLogger(__name__)

KEPT_S = 20.0
"""So long a connection is kept for the next request; a page that is open has its stream."""


class HallWeb:
    """Pages and the connection that feeds them.

    `broker` hears the halls; `topics` are those by which the pages say that they are there.
    """

    def __init__(self, broker: Broker, topics: Topics, clock: Clock, site: Site) -> None:
        self.room = Room()
        self._door = Door(self._publish)
        self.pages = Pages(self.room, clock, site, door=self._door)
        self.follow = Follow(
            broker,
            self.room,
            clock,
            topics=topics,
            presence=presence(),
            on_news=self.pages.hub.news,
            on_other=self._door.heard,
        )

    async def _publish(self, message: Message) -> None:
        await self.follow.publish(message)

    async def run(self, host: str, port: int, stopping: asyncio.Event) -> None:
        """Serve until told to stop; pages are there before the broker is.

        Raises:
            FirmwareError: the address cannot be served.
        """
        runner = web.AppRunner(
            self.pages.app(),
            access_log=None,
            handle_signals=False,
            shutdown_timeout=2,
            keepalive_timeout=KEPT_S,
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            await runner.cleanup()
            at = f"{host}:{port}"
            why = Phrase("not_served", "cannot serve on {at}: {why}", at=at, why=error.strerror)
            raise FirmwareError(why) from None
        files_raised()
        closing = asyncio.create_task(self._closing_silent(runner))
        following = asyncio.create_task(self.follow.run())
        try:
            stopped = asyncio.create_task(stopping.wait())
            await asyncio.wait([following, stopped], return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            self.follow.stop()
            await following
        finally:
            following.cancel()
            closing.cancel()
            await asyncio.gather(following, closing, return_exceptions=True)
            await runner.cleanup()

    async def _closing_silent(self, runner: web.AppRunner) -> None:
        """Keep room for those who ask."""
        while runner.server is not None:
            self.pages.silent.look(runner.server.connections)
            await asyncio.sleep(LOOK_S)


def presence() -> Presence:
    """What the pages say of themselves."""
    return Presence("web", VERSION, connected=True)


async def serve(hall: HallWeb, host: str, port: int, words: TerminalWords) -> None:
    """Serve until SIGTERM or Ctrl-C."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    _log.info("%s", words.say("web.serving", address=f"http://{host}:{port}/"))
    await hall.run(host, port, stopping)
