"""What the commands of `firmware/records/parsers.py` do."""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime

from drivers.phrases import Phrase, name_must_end, within
from firmware.errors import JournalError
from firmware.journal.journal import Journal
from firmware.records.exports import as_csv, as_json, frames_as_csv
from firmware.records.final_line import final_line
from firmware.records.hours import hour
from firmware.records.kept import Kept, all_kept, kept
from firmware.records.sheets import checked, imported, sheet_of
from firmware.terminal.language import language_of, words_of
from rules.record import record_text
from rules.rulebooks import notation_of
from rules.sheet import print_sheets, read_sheets


def _chosen(journal: Journal, ids: list[str]) -> Iterator[Kept]:
    return (kept(journal, id_) for id_ in ids) if ids else all_kept(journal)


def export(args: argparse.Namespace) -> int:
    """Write matches as sheets, JSON or CSV."""
    with closing(Journal.read(args.journal)) as journal:
        chosen = _chosen(journal, args.match)
        match args.form:
            case "json":
                text = "".join(as_json(one) for one in chosen)
            case "csv":
                text = as_csv(chosen) if args.rows == "visit" else frames_as_csv(chosen)
            case _:
                sheets = [sheet_of(one, plain=args.plain) for one in chosen]
                text = print_sheets(sheets, notation_of)
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, "utf-8")
    return 0


def import_(args: argparse.Namespace) -> int:
    """Write sheets into the journal: all of a file, or none where one of them does not hold."""
    try:
        text = args.sheet.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = Phrase("no_sheet", "cannot be read ({why})", why=str(error))
        raise JournalError(within(args.sheet, why)) from None
    sheets = read_sheets(text, notation_of, str(args.sheet))
    journal, damage = Journal.open(args.journal)
    if damage is not None:
        print(words_of(args).say("records.damaged", why=damage), file=sys.stderr)
    with closing(journal):
        for sheet in sheets:
            checked(journal, sheet)
        for sheet in sheets:
            print(imported(journal, sheet, _played_ms(args.on), take_up=args.take_up))
    return 0


def _played_ms(day: date | None) -> int:
    """When a match is said to have begun: at noon of its day, or now."""
    if day is None:
        return time.time_ns() // 1_000_000
    return round(datetime(day.year, day.month, day.day, 12, tzinfo=UTC).timestamp() * 1000)


def print_(args: argparse.Namespace) -> int:
    """Write a match's score sheet as a page."""
    # Fonts and catalogues: loaded for this alone.
    from firmware.i18n import load_language  # noqa: PLC0415
    from firmware.records.document import document  # noqa: PLC0415
    from firmware.records.pages import as_html, as_pdf  # noqa: PLC0415
    from firmware.records.words import load_words  # noqa: PLC0415

    code = language_of(args)
    words, language = load_words(code), load_language(code)
    with closing(Journal.read(args.journal)) as journal:
        sheet = document(kept(journal, args.match), words, language)
    match args.out.suffix:
        case ".pdf":
            args.out.write_bytes(as_pdf(sheet, words))
        case ".html":
            args.out.write_text(as_html(sheet, code), "utf-8")
        case _:
            raise JournalError(within(args.out, name_must_end(".pdf", ".html")))
    return 0


def show(args: argparse.Namespace) -> int:
    """Draw the board as it stood after a record."""
    # The board's own words and letters: loaded for this alone.
    from firmware.board.dots import dots  # noqa: PLC0415
    from firmware.board.layout import load_layout  # noqa: PLC0415
    from firmware.board.render import render  # noqa: PLC0415
    from firmware.i18n import load_language  # noqa: PLC0415
    from firmware.snapshot import View  # noqa: PLC0415

    with closing(Journal.read(args.journal)) as journal:
        match = kept(journal, args.match, args.at)
    layout, words = load_layout(args.layout), words_of(args)
    language = load_language(words.code)
    picture = render(View(line=match.line()), layout, language, 0)
    if args.png is not None:
        dots(picture).save(args.png)
    last = match.records[-1]
    act = record_text(last, match.ledger.match.game.notation)
    at = hour(last.at_ms)
    print(words.say("records.shown", seq=last.seq, act=act, by=str(last.by), at=at))
    print(picture.text())
    print(final_line(match.line(), words))
    return 0
