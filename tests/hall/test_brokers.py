"""Tables and displays on real brokers that die, forget, hang, and come back."""

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from firmware.clock import SystemClock
from firmware.config.config import BrokerSettings
from tests.e2e.process import table_process
from tests.firmware.hall import listening
from tests.hall.room import Display, WholeTable, display, table, wall
from tests.hall.wire import wire
from tests.mosquitto import Mosquitto

WITHIN_S = 2.0
"""What everybody may take to be right after a return."""

SLACK_S = 1.5
"""What a machine that runs other tests too may add."""


async def played(whole: WholeTable, seconds: float, *, every_s: float = 0.1) -> None:
    """Play on for so long."""
    playing = asyncio.create_task(whole.play(every_s=every_s))
    await asyncio.sleep(seconds)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    await asyncio.sleep(0.2)  # what was on its way to the disk is there
    assert whole.app.table is not None
    whole.truth.append((time.monotonic(), whole.app.table.play.ledger.seq))


@pytest.mark.parametrize("persistence", [False, True])
@pytest.mark.parametrize("killed", [False, True])
def test_a_broker_that_is_started_again(tmp_path: Path, persistence: bool, killed: bool) -> None:
    """Ask 111: with a memory of its own, even an old one, or without, all is right at once."""
    store = f"persistence {str(persistence).lower()}\npersistence_location {tmp_path}/\n"
    broker = Mosquitto(tmp_path / "m", f"allow_anonymous true\n{store}")

    async def run() -> None:
        async with table(tmp_path, broker.port) as whole, display(broker.port) as shown:
            await played(whole, 0.5)
            await shown.right(whole)
            (broker.stop if killed else broker.end)()
            await played(whole, 1.5)
            broker.start()
            took_s = await shown.right(whole)
            assert took_s < WITHIN_S + SLACK_S
            shown.never_wrong(whole)
            async with display(broker.port, "late") as late:
                assert await late.right(whole) < WITHIN_S + SLACK_S

    broker.start()
    try:
        asyncio.run(run())
    finally:
        broker.stop()


def test_a_network_that_is_cut_for_half_a_second_five_and_sixty(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Ask 108: right within two seconds of its return, never wrong meanwhile, and no history."""

    async def cut(what: str, seconds: float) -> None:
        name = f"{what}-{seconds}".replace(".", "-")
        async with wire(mosquitto.port) as between:
            ports = (between.port, mosquitto.port)
            table_port, display_port = ports if what == "table" else ports[::-1]
            async with (
                table(tmp_path, table_port, name) as whole,
                display(display_port, name) as shown,
                wall(display_port, f"wall-{name}", only=(name,)) as board,
            ):
                await played(whole, 1)
                await shown.right(whole)
                await board.right(whole)
                await between.cut()
                await played(whole, seconds, every_s=max(0.1, seconds / 60))
                now = shown.now(name)
                assert now is not None
                assert now.live == (seconds < 9 and what == "display")
                heard, drawn = len(shown.showed), len(board.showed)
                await between.lay()
                for took_s in await asyncio.gather(
                    shown.until(lambda: _score_of(shown, name) == whole.seq), board.right(whole)
                ):
                    assert took_s < WITHIN_S + SLACK_S, f"right {took_s:.1f} s after {seconds} s"
                await shown.right(whole)
                states = {
                    one.line.seq
                    for _, key, one in shown.showed[heard:]
                    if key[1] == name and one.line is not None
                }
                assert len(states) <= 3, "the latest state, and no history"
                assert len(board.states(drawn)) <= 3, "on the LED board neither"
                shown.never_wrong(whole)
                board.never_wrong(whole)

    async def run() -> None:
        cuts = [cut(what, s) for what in ("table", "display") for s in (0.5, 5, 60)]
        await asyncio.gather(*cuts)

    asyncio.run(run())


def _score_of(shown: Display, name: str) -> int | None:
    now = shown.now(name)
    return now.line.seq if now is not None and now.line is not None else None


def test_a_network_that_swallows_everything_is_noticed_and_costs_the_table_nothing(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Asks 100, 106 and 107: nobody is told that it is gone; the match goes on as before."""

    async def run() -> None:
        async with (
            wire(mosquitto.port) as between,
            table(tmp_path, between.port) as whole,
            display(mosquitto.port) as shown,
        ):
            await played(whole, 1)
            await shown.right(whole)
            between.swallow()
            began = time.monotonic()
            await played(whole, 2)
            assert whole.seq > 20, "the match has gone on meanwhile"

            def stale() -> bool:
                now = shown.now("1")
                return now is not None and not now.live

            await shown.until(stale, within_s=11)
            assert time.monotonic() - began < 10.5
            await played(whole, 0.3)
            await between.lay()
            assert await shown.right(whole, within_s=10) < WITHIN_S + SLACK_S
            shown.never_wrong(whole)

    asyncio.run(run())


def test_a_broker_that_hangs_and_goes_on(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path, mosquitto.port) as whole, display(mosquitto.port) as shown:
            await shown.right(whole)
            mosquitto.freeze()
            await played(whole, 3)
            mosquitto.thaw()
            assert await shown.right(whole) < WITHIN_S + SLACK_S
            shown.never_wrong(whole)

    asyncio.run(run())


def test_a_table_that_is_killed_again_and_again_is_offline_each_time(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Asks 109 and 110: the last will is there after every return too; late subscribers see it."""

    async def run() -> None:
        async with display(mosquitto.port, halls=("test",)) as shown:
            for seq in (1, 2):
                async with table_process(tmp_path / "journal.db", mosquitto.port) as process:
                    await process.answer("started")
                    await process.press(["plus1"])

                    def right(seq: int = seq) -> bool:
                        now = shown.now("1", "test")
                        return bool(now and now.live and now.line and now.line.seq == seq)

                    await shown.until(right)
                    await process.kill()

                    def offline() -> bool:
                        now = shown.now("1", "test")
                        return bool(now and now.offline and not now.live)

                    assert await shown.until(offline) < WITHIN_S
                    async with listening(mosquitto) as late:
                        await late.until(lambda heard: heard.of("availability") == ["offline"])

    asyncio.run(run())


def test_a_network_that_comes_late(mosquitto: Mosquitto, tmp_path: Path) -> None:
    """Ask 103: a table that starts without one is played, and joins by itself."""

    async def run() -> None:
        async with wire(mosquitto.port) as between:
            await between.cut()
            async with table(tmp_path, between.port) as whole, display(mosquitto.port) as shown:
                await played(whole, 2)
                await between.lay()
                assert await shown.right(whole) < WITHIN_S + SLACK_S

    asyncio.run(run())


def test_no_name_service_and_a_clock_that_stands_at_1970(
    mosquitto: Mosquitto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ask 103: nobody knows the broker's name, and the machine not the hour; then both come."""
    look_up, hour = socket.getaddrinfo, SystemClock.wall_ms
    known = False

    def looked_up(host: str, *args: Any, **kwargs: Any) -> Any:
        if host != "broker.club.lan":
            return look_up(host, *args, **kwargs)
        if not known:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return look_up("127.0.0.1", *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    monkeypatch.setattr(SystemClock, "wall_ms", lambda clock: hour(clock) if known else 0)

    async def run() -> None:
        nonlocal known
        nowhere = BrokerSettings(host="broker.club.lan", port=mosquitto.port)
        began = time.monotonic()
        async with table(tmp_path, nowhere) as whole, display(mosquitto.port) as shown:
            await played(whole, 2)
            assert time.monotonic() - began < 20
            assert whole.seq > 10
            assert shown.now("1") is None
            known = True
            assert await shown.right(whole) < WITHIN_S + SLACK_S
            await played(whole, 1)
            await shown.right(whole)
            shown.never_wrong(whole)

    asyncio.run(run())


def test_eight_tables_under_load_and_nothing_of_one_on_another(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Ask 93, and no entry lost: every table's whole log reaches who listens, once, in order."""

    async def run() -> None:
        async with display(mosquitto.port) as shown, listening(mosquitto) as listener:
            tables = [table(tmp_path, mosquitto.port, str(n)) for n in range(1, 9)]
            wholes = [await one.__aenter__() for one in tables]
            await asyncio.gather(*(played(whole, 6, every_s=0.05) for whole in wholes))
            for whole in wholes:
                await shown.right(whole)
                shown.never_wrong(whole)
            total = sum(whole.seq + 1 for whole in wholes)
            await listener.until(lambda heard: len(heard.of("entry")) >= total)
            assert len(listener.of("entry")) == total
            for one in tables:
                await one.__aexit__(None, None, None)

    asyncio.run(run())


def test_halls_by_way_of_a_league_s_broker(tmp_path: Path) -> None:
    """Two bridged brokers, one board that follows both halls; cut, and healed."""
    league = Mosquitto(tmp_path / "league")
    league.start()

    async def run() -> None:
        async with wire(league.port) as between:
            bridge = (
                f"connection league\naddress 127.0.0.1:{between.port}\n"
                "bridge_protocol_version mqttv311\nrestart_timeout 1\nkeepalive_interval 5\n"
                "topic # out 1 tacada/north/ tacada/north/\nnotifications false\n"
                "try_private true\n"
            )
            near = Mosquitto(tmp_path / "near", f"allow_anonymous true\n{bridge}")
            near.start()
            try:
                async with (
                    table(tmp_path, near.port, "1", "north") as north,
                    table(tmp_path, league.port, "1", "south") as south,
                    display(league.port, "league", ("north", "south")) as board,
                    display(near.port, "room", ("north",)) as at_home,
                ):
                    await asyncio.gather(played(north, 1), played(south, 1))
                    for whole in (north, south):
                        await board.right(whole)
                    await between.cut()
                    await asyncio.gather(played(north, 10), played(south, 10))
                    await at_home.right(north)
                    await board.right(south)
                    away = board.now("1", "north")
                    assert away is not None
                    assert not away.live, "the league does not claim what it cannot know"
                    await between.lay()
                    await board.right(north, within_s=15)
                    for whole in (north, south):
                        board.never_wrong(whole)
            finally:
                near.stop()

    try:
        asyncio.run(run())
    finally:
        league.stop()
