"""The clocks of a table on a real broker: who joins late shows the same second."""

from typing import Any

import msgspec

from rules.carom.words import NOTATION
from rules.clock import ClockState
from tests.firmware.hall import Listener, listening
from tests.firmware.publisher_rig import Hall, on_air
from tests.firmware.rig import new_play
from tests.mosquitto import Mosquitto


def shot_message(seq: int, **shot: int | bool) -> dict[str, Any]:
    """What `clock` says of a shot clock of 40 s with its warning at 30 s."""
    clock = {"shot": {"length_ms": 40_000, "warn_ms": 10_000, **shot}}
    return {"match": "m1", "seq": seq, "clock": clock}


def shown_s(listener: Listener) -> tuple[int | None, int | None]:
    """What somebody shows who has heard only this: the deadline, and match time from a beat."""
    clock = msgspec.convert(listener.of("clock")[-1]["clock"], ClockState)
    return clock.seconds(listener.of("beat")[-1]["t_ms"])


def test_who_joins_late_shows_the_same_second_within_one(mosquitto: Mosquitto) -> None:
    """Asks 71 and 72: from the retained deadline and the next beat, not from its own start."""

    async def test(hall: Hall, listener: Listener) -> None:
        hall.enter("START")
        running = shot_message(1, running=True, until_ms=41_000)
        await listener.until(lambda heard: running in heard.of("clock"))
        hall.clock.ns = 13_250 * 1_000_000
        await listener.until(lambda heard: any(b["t_ms"] == 13_250 for b in heard.of("beat")))
        async with listening(mosquitto) as late:
            await late.until(lambda heard: bool(heard.of("beat")), within_s=1)
            assert late.of("clock") == [running]
            assert shown_s(late) == shown_s(listener) == (28, None)

    on_air(mosquitto, test)


def test_a_paused_clock_is_retained_with_what_is_left(mosquitto: Mosquitto) -> None:
    """Ask 72: opened during a break, a display shows the time left, not 0:00."""

    async def test(hall: Hall, listener: Listener) -> None:
        hall.enter("START", "PAUSE")
        paused = shot_message(2, running=False, left_ms=39_000)
        await listener.until(lambda heard: paused in heard.of("clock"))
        async with listening(mosquitto) as late:
            await late.until(lambda heard: bool(heard.of("clock")))
            assert late.of("clock") == [paused]
            assert late.of("state")[-1]["clock"] == paused["clock"]

    on_air(mosquitto, test)


def test_a_beat_comes_every_second_whether_a_clock_runs_or_not(mosquitto: Mosquitto) -> None:
    """A display that comes back waits for one, and shows the right second of a clock by it."""

    async def test(hall: Hall, listener: Listener) -> None:
        for seq, act in enumerate(("START", "PAUSE"), 1):
            hall.enter(act)
            await listener.until(
                lambda heard: bool(heard.of("beat")) and heard.of("beat")[-1]["seq"] == seq  # noqa: B023
            )
            for _ in range(3):
                count = len(listener.of("beat"))
                await listener.until(lambda heard: len(heard.of("beat")) > count, within_s=1)  # noqa: B023

    on_air(mosquitto, test)


def test_the_clock_is_sent_when_it_changes_and_on_every_connect(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("beat")))
        for act in ("+1", "START", "CONDUCT(B)"):
            hall.enter(act)
            seq = hall.play.ledger.seq
            await listener.until(lambda heard: seq in (b["seq"] for b in heard.of("beat")))  # noqa: B023
        assert [message["seq"] for message in listener.of("clock")] == [0, 2, 3]
        mosquitto.stop()
        mosquitto.start()
        async with listening(mosquitto) as back:
            await back.until(lambda heard: bool(heard.of("beat")))
            assert [name for name, _ in back.heard][1:4] == ["state", "clock", "beat"]
            assert back.of("clock")[0]["clock"] == listener.of("clock")[-1]["clock"]

    on_air(mosquitto, test)


def test_a_match_without_clocks_takes_the_last_ones_away(mosquitto: Mosquitto) -> None:
    async def test(hall: Hall, listener: Listener) -> None:
        await listener.until(lambda heard: bool(heard.of("clock")))
        hall.play = new_play("3c")
        hall.publisher.opened("m1", NOTATION, 0, line=hall.play.line())
        await listener.until(lambda heard: heard.of("clock")[-1] == {"match": "m1", "seq": 0})
        assert "clock" not in listener.of("state")[-1]

    on_air(mosquitto, test)
