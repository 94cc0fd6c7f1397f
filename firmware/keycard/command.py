"""`tacada keys --card`: cards of the panel, or of any layout, discipline and language."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from drivers.phrases import Phrase, within
from firmware.config.config import Config
from firmware.config.file import load_config
from firmware.errors import ConfigError, FirmwareError
from firmware.i18n import load_language
from firmware.keycard.content import Card, card
from firmware.keycard.drawing import as_pdf, as_svg
from firmware.keycard.words import load_card_words
from firmware.keys.keybook import KeyBook, shipped_or_own
from firmware.keys.panel_layout import PanelLayout
from firmware.setup.words import load_setup_words
from rules.position import split_fields
from rules.rulebooks import family_of
from rules.rulebooks.shelf import RULEBOOKS


def write_cards(args: argparse.Namespace) -> int:
    """Write the card that is asked for, or one for each discipline of the layout into a folder.

    Raises:
        FirmwareError: it cannot be written, or neither as SVG nor as PDF.
        ConfigError: there is no such layout, rulebook or language.
    """
    config = _config(args)
    layout, name = _layout(args, config)
    if args.card.suffix in (".svg", ".pdf"):
        rulebook = args.rulebook or config.match.rulebook
        _write(args.card, _card(config, args, layout, name, rulebook))
        return 0
    if args.card.suffix:
        why = Phrase("no_card", "a card is .svg or .pdf, or a folder for all of them")
        raise FirmwareError(within(args.card, why))
    for rulebook in _rulebooks(args, config, name):
        file = args.card / f"{name}-{rulebook}.svg"
        _write(file, _card(config, args, layout, name, rulebook))
        print(file)
    return 0


def _config(args: argparse.Namespace) -> Config:
    """The table's configuration; without one, that of no table in particular."""
    if args.config.exists() or args.layout is None:
        return load_config(args.config)
    return Config(schema=1)


def _layout(args: argparse.Namespace, config: Config) -> tuple[PanelLayout, str]:
    name = args.layout or config.panel.layout
    return shipped_or_own(name), Path(name).stem


def _rulebooks(args: argparse.Namespace, config: Config, name: str) -> Sequence[str]:
    """The disciplines of a layout's family."""
    own = args.rulebook or config.match.rulebook
    family = next((one for one in ("carom", "snooker", "pool") if name.startswith(one)), None)
    return [id_ for id_ in RULEBOOKS if family_of(id_) == (family or family_of(own))]


def _card(
    config: Config, args: argparse.Namespace, layout: PanelLayout, name: str, rulebook: str
) -> Card:
    if rulebook not in RULEBOOKS:
        there = Phrase("rulebooks", "rulebook: there are {names}", names=", ".join(RULEBOOKS))
        raise ConfigError([there])
    language = load_language(args.language or config.language)
    keymap = KeyBook(layout, name, _home(name, rulebook), config.panel.games).keymap(rulebook)
    own = rulebook == config.match.rulebook
    return card(
        keymap,
        RULEBOOKS[rulebook],
        load_setup_words(language.code).named(rulebook)[0],
        load_card_words(language),
        split_fields(config.match.format) if own else (),
    )


def _home(name: str, rulebook: str) -> str:
    """A rulebook of the family that a shipped layout is for: it has the keys of that family."""
    family = next((one for one in ("carom", "snooker", "pool") if name.startswith(one)), None)
    return next((id_ for id_ in RULEBOOKS if family_of(id_) == family), rulebook)


def _write(file: Path, card_: Card) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".pdf":
            file.write_bytes(as_pdf(card_))
        else:
            file.write_text(as_svg(card_), "utf-8")
    except ModuleNotFoundError as error:
        why = Phrase("no_records", "{name} is missing: install tacada[records]", name=error.name)
        raise FirmwareError(why) from None
    except OSError as error:
        raise FirmwareError(f"{file}: {error.strerror}") from None
