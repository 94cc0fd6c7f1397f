"""The pages as HTML, from the templates; nothing in them comes from another server."""

import json
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import jinja2

from firmware.entries.words import EntryWords, entered_by
from firmware.hall.follower import Room, TableNow
from firmware.i18n import Language, language_codes, load_language
from firmware.mqtt.messages import Device, Presence
from firmware.setup.words import load_setup_words
from firmware.text_keys import PAD
from firmware.web.cards import Card, age
from firmware.web.hub import Key, Look

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"

VERSION = version("tacada")


class Thing(NamedTuple):
    """A line of the page of devices; `seen_ms` is how long ago it was heard, if that is known."""

    name: str
    kind: str
    connected: bool
    seen: str
    seen_ms: int | None = None
    version: str = ""
    health: str = ""
    part: bool = False


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


@cache
def _parts(code: str) -> Any:
    """The parts of pages in one language."""
    language = load_language(code)
    return (
        _templates()
        .get_template("parts.html", globals=_words(language))
        .make_module(_words(language))
    )


def _words(language: Language) -> dict[str, Any]:
    asked = load_setup_words(language.code)

    @cache
    def words(rulebook: str) -> EntryWords:
        return EntryWords(language, rulebook, asked)

    return {
        "say": language.say,
        "language": language,
        "query": f"?lang={language.code}",
        "entered": lambda act, rulebook: words(rulebook).say(act),
        "entered_by": lambda source: entered_by(language, source),
    }


def drawer(room: Room, now_ms: Callable[[], int]) -> Callable[[str, Language, Card | None], str]:
    """What draws a part of a page: a card, or for none what concerns the whole room."""

    def draw(kind: str, language: Language, card: Card | None) -> str:
        parts = _parts(language.code)
        if card is not None:
            drawn = getattr(parts, "hall" if kind == "tv" else kind)(card)
        elif kind == "devices":
            drawn = parts.devices(room.connected, things(room, language, now_ms()))
        else:
            tables = sum(table.shows for table in room.tables(now_ms()))
            drawn = parts.room(room.connected, tables)
        return f"<!--{card.mark if card else ''}-->{drawn}".strip()

    return draw


def things(room: Room, language: Language, now_ms: int) -> list[Thing]:
    """Everything that is present, or was: tables with their parts, then displays."""
    found: list[Thing] = []
    for table in sorted(room.tables(now_ms), key=lambda one: not one.shows):
        here = table.presence
        if table.shows:
            found.append(_of_table(table, language))
        elif here is not None:
            found.append(_of_display(table, here, language, heard=room.connected))
        parts = here.devices if here is not None else ()
        found += [_part_of(table, device, language) for device in parts]
    return found


def _part_of(table: TableNow, device: Device, language: Language) -> Thing:
    """A part of a table, or a pad that is used at it."""
    pads = table.status.pads if table.status is not None else ()
    battery = next((pad.battery for pad in pads if pad.name == device.name), None)
    return Thing(
        name="" if device.name == device.kind else device.name,
        kind=language.word_for("part", device.kind)[0],
        connected=device.connected and (table.live or not table.shows),
        seen=device.at,
        health="" if battery is None else language.say("page.battery", n=battery),
        part=True,
    )


def _of_display(display: TableNow, here: Presence, language: Language, *, heard: bool) -> Thing:
    """A board or the pages: there as long as the broker says so, which must be `heard`."""
    there = here.connected and heard
    seen_ms = 0 if there else display.gone_ms
    well = language.say("page.well") if there else ""
    return Thing(
        name=display.table,
        kind=language.word_for("part", here.kind)[0],
        connected=there,
        seen="" if seen_ms is None else age(language, seen_ms)[0],
        seen_ms=_whole_s(seen_ms),
        version=here.version,
        health=" ".join(here.health) or well,
    )


def _whole_s(ms: int | None) -> int | None:
    """A time in whole seconds: a line that reads the same is not sent again."""
    return None if ms is None else ms // 1000 * 1000


def _of_table(table: TableNow, language: Language) -> Thing:
    status = table.status
    faults = status.faults if status is not None else ()
    health = [_fault(fault, language) for fault in faults]
    if status is not None and not status.saved:
        health.append(language.say("board.unsaved"))
    if status is not None and status.refused:
        health.append(f"{language.say('pad.refused')}: {status.refused}")
    if table.clash:
        health.append(language.say("page.clash"))
    return Thing(
        name=f"{table.hall} · {table.table}",
        kind=language.say("part.table"),
        connected=table.live,
        seen=age(language, table.silent_ms)[0],
        seen_ms=_whole_s(table.silent_ms),
        version=status.version if status is not None else "",
        health=" · ".join(health) or (language.say("page.well") if table.live else ""),
    )


def _fault(fault: str, language: Language) -> str:
    """A part that does not work: its code, as the board has it, and what to do."""
    code, _, detail = fault.partition(" ")
    key = f"fault.{code.lower()}"
    return (
        f"{fault}: {language.say(key, text=language.key_called(detail))}"
        if key in language
        else fault
    )


def page(
    look: Look,
    parts: dict[str, str],
    *,
    theme: str = "",
    theme_file: str = "",
    extra: dict[str, Any] | None = None,
) -> str:
    """A whole page as it is now; from then on its script keeps it up to date."""
    language = load_language(look.language)
    title = language.say("page.hall")
    if look.key is not None:
        title = language.say("hall.table", n=look.key[1]).capitalize()
    elif look.kind == "devices":
        title = language.say("page.devices")
    template = "pad.html" if look.kind == "pad" else "page.html"
    return (
        _templates()
        .get_template(template)
        .render(
            **_words(language),
            kind=look.kind,
            title=title,
            theme=theme,
            theme_file=theme_file,
            version=VERSION,
            parts=parts,
            events=events_path(look),
            path=path_of(look.key),
            languages=[load_language(code) for code in language_codes()],
            units=json.dumps(
                [language.say(f"age.{unit}", n="#") for unit in ("s", "min", "h", "d")]
            ),
            silent=language.say("hall.silent", age="#"),
            words=json.dumps({word: language.say(f"pad.{word}") for word in PAD})
            if look.kind == "pad"
            else "",
            **(extra or {}),
        )
    )


def path_of(key: Key | None) -> str:
    """Hall and table as the end of an address."""
    return f"/{key[0]}/{key[1]}" if key is not None else ""


def events_path(look: Look) -> str:
    """Where a page hears what changes."""
    return f"/events/{look.kind}{path_of(look.key)}?lang={look.language}"
