"""Fields of the clocks. Seconds are counted from the deadlines, so all boards change together."""

from firmware.board.fields.seen import Forms, Pages, Seen, Text, texts
from rules.clock import Call, Countdown, What
from rules.record import WhichClock


def _shown(clock: Countdown | None) -> bool:
    """A clock that runs, or was stopped on its way, stands on the board."""
    if clock is None:
        return False
    return clock.running or (clock.left_ms or 0) < clock.length_ms


def shot_shown(seen: Seen) -> bool:
    """Whether the shot clock is to be seen."""
    return _shown(seen.clock.shot)


def match_shown(seen: Seen) -> bool:
    """Whether match time is to be seen."""
    return _shown(seen.clock.match)


def any_shown(seen: Seen) -> bool:
    """Whether a clock is to be seen."""
    return shot_shown(seen) or match_shown(seen)


def calls(seen: Seen) -> tuple[Call, ...]:
    """What the clocks say now."""
    return seen.clock.calls(seen.match_ms)


def warns(seen: Seen) -> bool:
    """Whether the shot clock is near its end, or there."""
    return any(call.which is WhichClock.SHOT for call in calls(seen))


def _rests(clock: Countdown | None) -> Pages:
    """A clock that was stopped says so, in turn with its number: it is no slow one."""
    return () if clock is None or clock.running else (("‖",),)


def _bare_shot(seen: Seen) -> Pages:
    seconds = seen.clock.seconds(seen.match_ms)[0]
    if seconds is None or not shot_shown(seen):
        return ()
    return ((str(seconds), "++"), *_rests(seen.clock.shot))


def _shot(seen: Seen) -> Pages:
    """The shot clock, with a sign before it from its warning on."""
    pages = _bare_shot(seen)
    return ((f"!{pages[0][0]}", *pages[0]), *pages[1:]) if pages and warns(seen) else pages


def time_forms(seconds: int) -> Forms:
    """Minutes and seconds; without the seconds where there is no room for them."""
    minutes, rest = divmod(seconds, 60)
    short = (f"{minutes}'",) if minutes else (f'{rest}"', str(rest))
    return (f"{minutes}:{rest:02}", *short)


def _match(seen: Seen) -> Pages:
    seconds = seen.clock.seconds(seen.match_ms)[1]
    if seconds is None or not match_shown(seen):
        return ()
    return (time_forms(seconds), *_rests(seen.clock.match))


def _either(seen: Seen) -> Pages:
    """The shot clock; match time where that is the only one."""
    return _shot(seen) if shot_shown(seen) else _match(seen)


def _brief(seen: Seen) -> Pages:
    """The shot clock, or match time in minutes until its last one, in two digits; its layout has
    the warning beside it."""
    if shot_shown(seen):
        return _bare_shot(seen)
    seconds = seen.clock.seconds(seen.match_ms)[1]
    if seconds is None or not match_shown(seen):
        return ()
    return ((str(seconds if seconds < 60 else seconds // 60), "++"), *_rests(seen.clock.match))


def minutes_shown(seen: Seen) -> bool:
    """Whether a brief clock counts minutes, not seconds."""
    seconds = seen.clock.seconds(seen.match_ms)[1]
    return not shot_shown(seen) and match_shown(seen) and (seconds or 0) >= 60


def next_tick_ms(seen: Seen) -> int | None:
    """The moment of the monotonic clock at which a number of a clock changes next."""
    now = seen.match_ms
    moments = [
        clock.until_ms - (left - 1) // 1000 * 1000
        for clock in (seen.clock.shot, seen.clock.match)
        if clock is not None
        and clock.until_ms is not None
        and clock.running
        and (left := clock.left(now)) > 0
    ]
    moments += [due for due in (seen.clock.next_deadline(now),) if due is not None]
    later = [moment for moment in moments if moment > now]
    return min(later) + seen.view.zero_ms if later else None


TEXTS: dict[str, Text] = {
    "shot_clock": Text(_shot, texts("!88", "‖")),
    "match_clock": Text(_match, texts("88'")),
    "clock": Text(_either, texts("!88", "88'"), ("shot_clock", "match_clock")),
    "clock_brief": Text(_brief, texts("88", "‖"), ("shot_clock", "match_clock", "clock")),
}

SHAPES = {
    "clock_warns": warns,
    "clock_minutes": minutes_shown,
}


def time_is_up(seen: Seen) -> Pages:
    """What a clock calls at its end, in words."""
    return tuple(
        seen.say(f"clock.{call.which}_up") for call in calls(seen) if call.what is What.TIME
    )
