"""Two tables with one name, and who is there: what a hall must know of its own devices."""

import asyncio
from pathlib import Path

import aiomqtt
import msgspec

from firmware.mqtt.messages import Status, Topics
from tests.hall.room import WholeTable, display, table, wall
from tests.mosquitto import Mosquitto


def test_two_tables_with_one_name_are_told_on_both_and_on_every_display(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    """Ask 93. A broker lets one of them stay; each comes back in turn and sees the other's sign."""
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()

    async def run() -> None:
        async with display(mosquitto.port) as shown, table(one, mosquitto.port) as first:
            await shown.right(first)
            async with table(other, mosquitto.port) as second:

                def told() -> bool:
                    now = shown.now("1")
                    faults = [
                        whole.app.table.view.faults if whole.app.table is not None else ()
                        for whole in (first, second)
                    ]
                    return now is not None and now.clash and all("NAME" in one for one in faults)

                await shown.until(told, within_s=20)
                now = shown.now("1")
                assert now is not None
                assert not now.live

    asyncio.run(run())


def test_a_table_that_starts_again_is_no_other_table(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def run() -> None:
        async with display(mosquitto.port) as shown:
            for _ in range(2):
                async with table(tmp_path, mosquitto.port) as whole:
                    await shown.right(whole)
                    await asyncio.sleep(0.5)
                    assert whole.app.table is not None
                    assert "NAME" not in whole.app.table.view.faults
                    now = shown.now("1")
                    assert now is not None
                    assert not now.clash

    asyncio.run(run())


def test_a_table_says_who_is_there_and_displays_that_they_are(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    async def run() -> None:
        async with (
            display(mosquitto.port, halls=("clube", "displays")) as shown,
            table(tmp_path, mosquitto.port) as whole,
        ):
            await shown.right(whole)

            def known() -> bool:
                now, tv = shown.now("1"), shown.now("tv", "displays")
                return bool(now and now.presence and tv and tv.presence)

            await shown.until(known)
            now, tv = shown.now("1"), shown.now("tv", "displays")
            assert now is not None
            assert now.presence is not None
            assert tv is not None
            assert tv.presence is not None
            devices = {one.name: one.connected for one in now.presence.devices}
            assert devices["journal"]
            assert devices["board"]
            assert not devices["phone"]
            assert tv.presence.connected
            assert not tv.shows, "a display is no table"
            assert whole.app.table is not None
            whole.app.fault("BOARD", present=True)

            def away() -> bool:
                now = shown.now("1")
                assert now is not None
                assert now.presence is not None
                return not {one.name: one.connected for one in now.presence.devices}["board"]

            await shown.until(away)

    asyncio.run(run())


def test_a_display_that_is_cut_off_is_told_as_away(mosquitto: Mosquitto) -> None:
    async def run() -> None:
        async with display(mosquitto.port, halls=("displays",)) as shown:
            async with display(mosquitto.port, "wall"):
                await shown.until(
                    lambda: (
                        (one := shown.now("wall", "displays")) is not None
                        and one.presence is not None
                        and one.presence.connected
                    )
                )
            await shown.until(
                lambda: (
                    (one := shown.now("wall", "displays")) is not None
                    and one.presence is not None
                    and not one.presence.connected
                )
            )

    asyncio.run(run())


def test_displays_keep_their_names_when_a_broker_has_forgotten_them(mosquitto: Mosquitto) -> None:
    """Ask 102: who a display is stands with the display, and it says so again by itself."""

    async def run() -> None:
        async with wall(mosquitto.port, "wall"), display(mosquitto.port, "tv"):
            await asyncio.sleep(0.5)
            mosquitto.stop()
            await asyncio.sleep(1)
            mosquitto.start()
            async with display(mosquitto.port, "late", halls=("displays",)) as late:

                def there() -> set[str]:
                    known = late.room.tables(0)
                    return {one.table for one in known if one.presence and one.presence.connected}

                await late.until(lambda: there() == {"wall", "tv", "late"}, within_s=4)

    asyncio.run(run())


def test_a_status_of_rubbish_is_no_other_table(mosquitto: Mosquitto, tmp_path: Path) -> None:
    async def run() -> None:
        async with table(tmp_path, mosquitto.port) as whole, display(mosquitto.port) as shown:
            await shown.right(whole)
            await asyncio.sleep(0.5)
            async with aiomqtt.Client("127.0.0.1", port=mosquitto.port) as client:
                topic = Topics("clube", "1").status
                for payload in (b"", b"{", b'{"boot": "x"}'):
                    await client.publish(topic, payload, qos=1)
                assert whole.app.table is not None
                await asyncio.sleep(0.3)
                assert "NAME" not in whole.app.table.view.faults
                other = msgspec.json.encode(Status("0", 1, "", ""))
                await client.publish(topic, other, qos=1)
                await shown.until(lambda: "NAME" in faults(whole))

    def faults(whole: WholeTable) -> tuple[str, ...]:
        return whole.app.table.view.faults if whole.app.table is not None else ()

    asyncio.run(run())
