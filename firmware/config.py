"""The configuration of a table, from one TOML file (docs/configuration.md)."""

import json
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from firmware.errors import ConfigError
from firmware.keymap import PanelLayout, load_panel
from firmware.settings import read_toml
from rules.errors import BadNotation, BadSetup
from rules.match import new_match
from rules.position import split_fields
from rules.record import Setup
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from rules.sides import Side

PANELS = Path(__file__).parent / "panels"
"""The panel layouts that come with the firmware."""

DEFAULT_FILE = Path("/etc/tacada/tacada.toml")
DEFAULT_JOURNAL = "/var/lib/tacada/journal.db"

Port: TypeAlias = Annotated[int, Meta(ge=1, le=65535)]
Slug: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9-]*$")]


class MatchConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The match that a table starts when none is in play.

    `format` changes parameters of the rulebook, as `target=40/40 limit=30`. `a` and `b` are the
    players of each side. `first` is who plays first; without it the table asks.
    """

    rulebook: str = "ug"
    format: str = ""
    a: tuple[str, ...] = ("A",)
    b: tuple[str, ...] = ("B",)
    first: str = ""


class BoardConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The LED matrix: which layout, how its modules hang together, and its SPI bus."""

    layout: str = "64x16"
    enabled: bool = True
    orientation: int = -90
    order: str = "rows"
    contrast: Annotated[int, Meta(ge=0, le=15)] = 4
    spi_port: int = 0
    spi_device: int = 0
    spi_hz: int = 1_000_000


class PanelConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The panel: a layout that comes with the firmware, or the path of a file.

    `pins` changes the BCM number of single keys.
    """

    layout: str = "carom-6"
    enabled: bool = True
    pins: dict[str, int] = {}


class BrokerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The MQTT broker; without `host` nothing is published.

    `password_file` holds the password alone in its first line.
    """

    host: str = ""
    port: Port = 1883
    username: str = ""
    password_file: str = ""
    tls: bool = False
    ca_file: str = ""


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a table is told. `hall` and `table` name it on MQTT."""

    schema: int
    hall: Slug = "hall"
    table: Slug = "1"
    language: str = "pt"
    journal: str = DEFAULT_JOURNAL
    match: MatchConfig = MatchConfig()
    board: BoardConfig = BoardConfig()
    panel: PanelConfig = PanelConfig()
    broker: BrokerSettings = BrokerSettings()


def load_config(file: str | Path) -> Config:
    """Read a configuration and check everything in it that can be checked without devices.

    Raises:
        ConfigError: with every problem, each with file, table and key, and a suggestion.
    """
    config = read_toml(file, Config)
    problems = [f"{file}: {problem}" for problem in _problems(config)]
    if problems:
        raise ConfigError(problems)
    return config
