"""Lamps and buzzer on mock pins."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from drivers.errors import DeviceLost, DeviceMissing
from drivers.lamps import BUZZER, Lamps
from drivers.wiring import Output

OUTPUTS = {"heard": Output(17), "refused": Output(27, active_high=False), BUZZER: Output(22)}


@dataclass
class Playing:
    lamps: dict[str, int | None] = field(default_factory=dict)
    beeps: tuple[int, ...] = ()


def with_lamps(test: Callable[[Lamps, Callable[[], list[int]]], Awaitable[None]]) -> None:
    async def run() -> None:
        factory = MockFactory()
        lamps = Lamps(OUTPUTS, factory)
        pins = [factory.pin(number) for number in (17, 27, 22)]
        assert lit(pins) == [0, 1, 0], "dark and silent at first"
        await test(lamps, lambda: lit(pins))
        lamps.close()

    asyncio.run(run())


def lit(pins: list[object]) -> list[int]:
    return [int(pin.state) for pin in pins]  # type: ignore[attr-defined] # gpiozero has no types


def test_a_lamp_is_lit_until_it_is_told_otherwise_or_its_time_is_up() -> None:
    async def test(lamps: Lamps, levels: Callable[[], list[int]]) -> None:
        lamps.play(Playing({"heard": None, "refused": 20}))
        assert levels() == [1, 0, 0]
        await asyncio.sleep(0.06)
        assert levels() == [1, 1, 0]
        lamps.play(Playing())
        assert levels() == [0, 1, 0]

    with_lamps(test)


def test_the_buzzer_plays_its_pattern_to_the_end_and_others_do_not_stop_it() -> None:
    async def test(lamps: Lamps, levels: Callable[[], list[int]]) -> None:
        lamps.play(Playing(beeps=(30, 30, 30)))
        seen: list[int] = []
        for _ in range(60):
            lamps.play(Playing({"heard": None}))
            if levels()[2] not in seen[-1:]:
                seen.append(levels()[2])
            await asyncio.sleep(0.003)
        assert seen == [1, 0, 1, 0]

    with_lamps(test)


def test_a_new_beep_takes_the_place_of_one_that_plays() -> None:
    async def test(lamps: Lamps, levels: Callable[[], list[int]]) -> None:
        lamps.play(Playing(beeps=(10_000,)))
        lamps.play(Playing(beeps=(10,)))
        await asyncio.sleep(0.05)
        assert levels() == [0, 1, 0]

    with_lamps(test)


def test_at_the_end_all_is_dark() -> None:
    async def run() -> None:
        factory = MockFactory()
        lamps = Lamps(OUTPUTS, factory)
        lamps.play(Playing({"heard": None, "refused": None}, beeps=(50, 50, 50)))
        lamps.close()
        await asyncio.sleep(0.1)
        Lamps(OUTPUTS, factory).close()

    asyncio.run(run())


def test_a_pin_that_is_taken_is_named() -> None:
    async def run() -> None:
        factory = MockFactory()
        other = Lamps({"heard": Output(27)}, factory)
        with pytest.raises(DeviceMissing, match=r"GPIO27 \(refused\)"):
            Lamps(OUTPUTS, factory)
        other.close()
        Lamps(OUTPUTS, factory).close()

    asyncio.run(run())


def test_a_pin_that_failed_can_be_claimed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while somebody keeps the error, as a log does: gpiozero keeps half a device with it."""

    def fails(*_: object) -> None:
        raise RuntimeError("the chip is gone")

    async def run() -> None:
        factory = MockFactory()
        with monkeypatch.context() as patch:
            patch.setattr(MockPin, "_set_state", fails)
            with pytest.raises(DeviceMissing, match="the chip is gone") as kept:
                Lamps(OUTPUTS, factory)
        Lamps(OUTPUTS, factory).close()
        assert str(kept.value)

    asyncio.run(run())


def test_a_pin_that_fails_is_told_to_who_waits_and_not_to_who_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the chip is gone")

    async def test(lamps: Lamps, levels: Callable[[], list[int]]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(MockPin, "_set_state", fails)
            lamps.play(Playing({"heard": 20}, beeps=(30,)))
            with pytest.raises(DeviceLost, match="the chip is gone"):
                await lamps.lost()
        lamps.play(Playing({"heard": None}))
        assert levels() == [0, 1, 0], "nothing more is played"

    with_lamps(test)


def test_a_pin_that_fails_in_the_middle_of_a_beep_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("the chip is gone")

    async def test(lamps: Lamps, levels: Callable[[], list[int]]) -> None:
        lamps.play(Playing(beeps=(10,)))
        with monkeypatch.context() as patch:
            patch.setattr(MockPin, "_set_state", fails)
            with pytest.raises(DeviceLost, match="the chip is gone"):
                await lamps.lost()

    with_lamps(test)
