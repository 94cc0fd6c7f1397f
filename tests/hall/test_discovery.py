"""Home Assistant finds a table: the message keeps to its documented format, and its templates say
what the table says."""

import json
from typing import Any

import jinja2
import jsonschema
import msgspec
import pytest
from msgspec.structs import replace

from firmware.mqtt.discovery import discovery
from firmware.mqtt.messages import ClockMessage, Status, Topics
from rules.scoreline import STALE_AFTER_S
from tests.hall.scenes import SCENES

# From Home Assistant's documentation of MQTT device discovery and of the platforms `sensor` and
# `binary_sensor`: what must be there, what may, and nothing else. In our own words.
_TEXT = {"type": "string", "minLength": 1}
_TOPIC = {"type": "string", "pattern": "^[^+#]+$"}
_COMMON: dict[str, Any] = {
    "platform": {"enum": ["sensor", "binary_sensor"]},
    "unique_id": {"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"},
    "name": _TEXT,
    "icon": {"type": "string", "pattern": "^mdi:[a-z-]+$"},
    "state_topic": _TOPIC,
    "value_template": _TEXT,
    "json_attributes_topic": _TOPIC,
    "entity_category": {"enum": ["config", "diagnostic"]},
    "availability_topic": _TOPIC,
}


def _platform(name: str, **more: Any) -> dict[str, Any]:
    return {
        "if": {"properties": {"platform": {"const": name}}},
        "then": {
            "properties": {**_COMMON, **more},
            "required": ["platform", "unique_id", "state_topic"],
            "additionalProperties": False,
        },
    }


SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["device", "origin", "components"],
    "additionalProperties": False,
    "properties": {
        "device": {
            "required": ["identifiers", "name"],
            "additionalProperties": False,
            "properties": {
                "identifiers": {"type": "array", "items": _TEXT, "minItems": 1},
                **dict.fromkeys(("name", "manufacturer", "model", "sw_version"), _TEXT),
            },
        },
        "origin": {
            "required": ["name"],
            "additionalProperties": False,
            "properties": dict.fromkeys(("name", "sw_version", "support_url"), _TEXT),
        },
        "availability_topic": _TOPIC,
        "qos": {"enum": [0, 1, 2]},
        "components": {
            "minProperties": 1,
            "additionalProperties": {
                "required": ["platform"],
                "allOf": [
                    _platform(
                        "sensor",
                        state_class={"enum": ["measurement", "total", "total_increasing"]},
                    ),
                    _platform(
                        "binary_sensor",
                        device_class={"enum": ["connectivity", "problem", "running"]},
                        off_delay={"type": "integer", "minimum": 1},
                    ),
                ],
            },
        },
    },
}


def told() -> tuple[str, dict[str, Any]]:
    message = discovery(Topics("clube", "3"), "clube", "3", "0.1.0", "homeassistant")
    assert message.retained
    return message.topic, json.loads(message.payload)


def test_it_is_what_home_assistant_documents() -> None:
    topic, payload = told()
    assert topic == "homeassistant/device/tacada_clube_3/config"
    jsonschema.Draft7Validator(SCHEMA).validate(payload)
    faults: list[dict[str, Any]] = [{"components": {}}, {"device": {"name": "x"}}, {"surprise": 1}]
    for wrong in faults:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.Draft7Validator(SCHEMA).validate(payload | wrong)


def test_every_entity_has_a_name_of_its_own() -> None:
    components = told()[1]["components"]
    assert len({one["unique_id"] for one in components.values()}) == len(components)
    assert len({one["name"] for one in components.values()}) == len(components)


def value(name: str, content: Any) -> str:
    """What Home Assistant makes of a message; it has what is undefined fail aloud."""
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
    template = environment.from_string(told()[1]["components"][name]["value_template"])
    return template.render(value_json=json.loads(msgspec.json.encode(content))).strip()


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        ("1", ("27", "31", "Ana Prado", "playing")),
        ("3", ("8", "8", "Ming-Jung Ko", "playing")),
        ("4", ("40", "39", "", "held")),
        ("6", ("40", "39", "", "over")),
    ],
)
def test_its_templates_say_what_the_table_says(scene: str, said: tuple[str, ...]) -> None:
    line = SCENES[scene]
    names = ("score_a", "score_b", "turn", "phase")
    assert tuple(value(name, line) for name in names) == said
    assert value("player_b", line) == " + ".join(line.names[1])


def test_a_match_without_numbers_has_no_score() -> None:
    line = replace(SCENES["1"], score=None, tally={})
    assert value("score_a", line) == "None", "unknown, as Home Assistant reads it"


def test_a_table_that_is_gone_is_not_connected_and_the_rest_unavailable() -> None:
    components = told()[1]["components"]
    gone = {name for name, one in components.items() if "availability_topic" not in one}
    assert gone == {"live"}, "unavailable, it could not say that there is no connection"
    assert components["live"]["state_topic"] == "tacada/clube/3/beat"
    assert components["live"]["off_delay"] == STALE_AFTER_S


def test_clock_and_health() -> None:
    line = SCENES["1"]
    assert value("shot_clock", ClockMessage("m", 1, line.clock)) == "ON"
    assert value("shot_clock", ClockMessage("m", 1)) == "OFF"
    well = Status("0", 1, "ug", "0", refused=4)
    assert (value("problem", well), value("refused", well)) == ("OFF", "4")
    assert value("problem", msgspec.structs.replace(well, saved=False)) == "ON"
    assert value("problem", msgspec.structs.replace(well, faults=("PANEL",))) == "ON"
