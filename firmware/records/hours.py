"""The hour of a match or a record, as lists and sheets write it."""

from datetime import UTC, datetime


def hour(at_ms: int) -> str:
    """Wall time as ISO 8601, UTC."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")


def day_and_hour(at_ms: int) -> str:
    """Wall time as a person reads it, UTC: a sheet is the same wherever it is printed."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")
