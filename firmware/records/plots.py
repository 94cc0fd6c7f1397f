"""Averages over time as a picture, PNG or SVG by the file's name."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from drivers.phrases import Phrase, within
from firmware.errors import JournalError
from firmware.records.statistics import Appearance, moving
from firmware.records.words import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_averages(
    games: Mapping[str, Sequence[Appearance]], name: str, words: Words, out: Path, last: int
) -> None:
    """Each match's average as a dot; as lines the general average, and that of the last few.

    `games` are the appearances of each discipline by its name; each has axes of its own, as an
    average of one says nothing of another. Told apart by shape and not by colour: prints are black
    and white.

    Raises:
        JournalError: no match has an average, or the file cannot be written.
    """
    # A second to load, and of no use to a table.
    from matplotlib.figure import Figure  # noqa: PLC0415

    drawn = {game: after for game, mine in games.items() if (after := list(moving(mine, last)))}
    if not drawn:
        why = Phrase("no_innings", "no match with innings to draw an average of")
        raise JournalError(within(name, why))
    figure = Figure(figsize=(8, 1 + 3 * len(drawn)), layout="constrained")
    grid = figure.subplots(len(drawn), squeeze=False)
    for axes, (game, after) in zip(grid[:, 0], drawn.items(), strict=True):
        axes.set_title(f"{name} · {game}", parse_math=False)
        _draw(axes, after, words, last)
    try:
        # Without the hour of the drawing, so that the same figures make the same file.
        figure.savefig(out, metadata={"Date": None} if out.suffix == ".svg" else None)
    except OSError as error:
        raise JournalError(f"{out}: {error.strerror}") from None


def _draw(axes: "Axes", after: Sequence[tuple[Appearance, str]], words: Words, last: int) -> None:
    """One discipline. Within two days, as of one tournament, matches stand side by side."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num  # noqa: PLC0415
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    days = [datetime.fromtimestamp(line.started_ms / 1000, UTC) for line, _ in after]
    by_day = days[-1] - days[0] > timedelta(days=2)
    places: list[float] = list(range(1, len(days) + 1))
    if by_day:
        places = [float(day) for day in date2num(days)]  # type: ignore[no-untyped-call]
    each, general, points, innings = [], [], 0, 0
    for line, _ in after:
        points, innings = points + (line.points or 0), innings + (line.innings or 0)
        each.append((line.points or 0) / (line.innings or 1))
        general.append(points / max(1, innings))
    axes.plot(places, each, "o", color="black", markersize=4, label=words.average)
    axes.plot(places, general, "-", color="black", linewidth=1.5, label=words.general_average)
    if len(after) > last:
        of_last = [float(text) if text != "-" else 0.0 for _, text in after]
        label = words.of_the_last.format(n=last)
        axes.plot(places, of_last, "--", color="black", linewidth=1, label=label)
    if by_day:
        axes.xaxis_date()
        locator = AutoDateLocator(maxticks=8)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        # Numbers, where other forms have the English names of months.
        forms = ["%Y", "%Y-%m", "%m-%d", "%H:%M", "%H:%M", "%S"]
        shown = ConciseDateFormatter(  # type: ignore[no-untyped-call]
            locator,
            formats=forms,
            zero_formats=forms,
            offset_formats=["", "%Y", "%Y-%m", *["%Y-%m-%d"] * 3],
        )
        axes.xaxis.set_major_formatter(shown)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(words.date if by_day else words.matches)
    axes.set_ylabel(words.average)
    axes.set_ylim(0, None if any(each) else 1)
    axes.grid(visible=True, linestyle=":", color="0.7")
    axes.legend()
