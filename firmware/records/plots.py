"""Averages over time as a picture, PNG or SVG by the file's name."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from firmware.errors import JournalError
from firmware.records.statistics import Appearance, moving
from firmware.records.words import Words


def plot_averages(
    lines: Sequence[Appearance], name: str, words: Words, out: Path, last: int
) -> None:
    """Each match's average as a dot; as lines the general average, and that of the last few.

    Within two days, as of one tournament, the matches stand side by side and not by the hour.
    Told apart by shape and not by colour: prints are black and white.

    Raises:
        JournalError: no match has an average.
    """
    # A second to load, and of no use to a table.
    from matplotlib.dates import date2num  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    after = list(moving(lines, last))
    counted = [line for line, _ in after]
    if not any(line.innings for line in counted):
        raise JournalError(f"{name}: no match with innings to draw an average of")
    hours = [datetime.fromtimestamp(line.started_ms / 1000, UTC) for line in counted]
    by_day = hours[-1] - hours[0] > timedelta(days=2)
    places: list[float] = list(range(1, len(hours) + 1))
    if by_day:
        places = [float(day) for day in date2num(hours)]  # type: ignore[no-untyped-call]
    each = [(line.points or 0) / (line.innings or 1) for line in counted]
    general, points, innings = [], 0, 0
    for line in counted:
        points, innings = points + (line.points or 0), innings + (line.innings or 0)
        general.append(points / max(1, innings))
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(places, each, "o", color="black", markersize=4, label=words.average)
    axes.plot(places, general, "-", color="black", linewidth=1.5, label=words.general_average)
    if len(after) > last:
        of_last = [float(text) if text != "-" else 0.0 for _, text in after]
        label = words.of_the_last.format(n=last)
        axes.plot(places, of_last, "--", color="black", linewidth=1, label=label)
    if by_day:
        axes.xaxis_date()
        figure.autofmt_xdate()
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_title(name)
    axes.set_xlabel(words.date if by_day else words.matches)
    axes.set_ylabel(words.average)
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, linestyle=":", color="0.7")
    axes.legend()
    # Without the hour of the drawing, so that the same figures make the same file.
    figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)
