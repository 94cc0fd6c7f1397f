"""Tables and displays of different versions: what the first said, and what later ones may."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from msgspec.structs import replace

from firmware.board.layout import layout_names, load_layout
from firmware.board.render import render
from firmware.hall.follower import Room, TableNow
from firmware.i18n import load_language
from firmware.snapshot import View
from firmware.web.cards import card
from tests.hall.contract import FIRST as SCHEMAS
from tests.hall.scenes import SCENES

FIRST = [
    (line.partition(" ")[0], line.partition(" ")[2])
    for line in (Path(__file__).parent / "first" / "messages.txt").read_text("utf-8").splitlines()
]
"""What tables of the first version said: topic and payload."""

NOW_MS = 5_000


def followed(messages: Sequence[tuple[str, str]]) -> dict[str, TableNow]:
    """What a display knows of each table that has heard all this."""
    room = Room()
    room.subscribed()
    for topic, payload in messages:
        assert room.heard(topic, payload.encode(), NOW_MS) is not None, topic
    return {one.table: one for one in room.tables(NOW_MS)}


def test_a_display_reads_all_that_the_first_tables_said() -> None:
    tables, language = followed(FIRST), load_language("en")
    said = {topic: payload for topic, payload in FIRST if topic.endswith("/state")}
    assert len(tables) == len(said)
    for name, table in tables.items():
        state = json.loads(said[f"tacada/clube/{name}/state"])
        assert table.live
        assert table.line is not None
        assert table.line.names == tuple(map(tuple, state["names"]))
        assert table.line.score == (tuple(state["score"]) if "score" in state else None)
        assert (table.clock is not None) == ("clock" in state)
        assert table.status is not None
        assert table.presence is not None
        assert table.last
        assert table.notice is not None
        shown = card(table, language, NOW_MS)
        assert shown.mark == "live"
        assert state["names"][0][0] in shown.players[0].name
        for layout in layout_names():
            render(View(line=table.line), load_layout(layout), language, NOW_MS)


MAPPINGS = ("tally", "to_win")
"""Fields whose keys are names of levels and no fields."""


@pytest.mark.parametrize(
    "what", ["state", "clock", "status", "presence", "entry", "notice", "beat"]
)
def test_what_later_tables_add_is_left_out_and_the_rest_is_read(what: str) -> None:
    """A field of tomorrow in every part of a message, of every game."""
    later = [
        (topic, _with_more(payload) if topic.endswith(f"/{what}") else payload)
        for topic, payload in FIRST
    ]
    assert later != FIRST
    assert followed(later) == followed(FIRST)


def _with_more(payload: str) -> str:
    def more(content: Any) -> Any:
        if isinstance(content, dict):
            parts = {key: one if key in MAPPINGS else more(one) for key, one in content.items()}
            return parts | {"of_tomorrow": [{"a": 1}]}
        return [more(one) for one in content] if isinstance(content, list) else content

    return json.dumps(more(json.loads(payload)))


@pytest.mark.parametrize("name", SCENES)
def test_a_display_of_the_first_version_can_read_what_is_said_today(name: str) -> None:
    """As it can every message that a test hears: `check` holds them against the first contract."""
    first = jsonschema.Draft7Validator(SCHEMAS["state"])
    state = json.loads(msgspec.json.encode(replace(SCENES[name], played=3, alone=True)))
    first.validate(state)
    for wrong in ({"seq": "12"}, {"figures": {"innings": 3}}, {"turn": 1}):
        with pytest.raises(jsonschema.ValidationError):
            first.validate(state | wrong)
    with pytest.raises(jsonschema.ValidationError):
        first.validate({key: one for key, one in state.items() if key != "names"})
