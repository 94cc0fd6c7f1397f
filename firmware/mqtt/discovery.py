"""A table as a device of Home Assistant: one retained message that tells it where to look.

The format is MQTT device discovery, as Home Assistant documents it: the device, the origin, and a
component for each entity. Home Assistant reads the same topics as every display; availability and
templates say nothing that they do not. After nine seconds without a beat a table is not live.
"""

from typing import Any

import msgspec

from drivers.ports import Message
from firmware.mqtt.messages import Topics
from rules.scoreline import STALE_AFTER_S

ORIGIN_URL = "https://github.com/tacada/tacada"


def discovery(topics: Topics, hall: str, table: str, version: str, prefix: str) -> Message:
    """The message for one table; `prefix` is Home Assistant's own, usually `homeassistant`."""
    object_id = f"tacada_{hall}_{table}".replace("-", "_")
    payload: dict[str, Any] = {
        "device": {
            "identifiers": [object_id],
            "name": f"{hall} {table}",
            "manufacturer": "tacada",
            "model": "Billiards scoreboard",
            "sw_version": version,
        },
        "origin": {"name": "tacada", "sw_version": version, "support_url": ORIGIN_URL},
        "qos": 1,
        "components": {
            name: {"unique_id": f"{object_id}_{name}", **component}
            for name, component in _components(topics).items()
        },
    }
    topic = f"{prefix}/device/{object_id}/config"
    return Message(topic, msgspec.json.encode(payload), qos=1, retained=True)


def _components(topics: Topics) -> dict[str, dict[str, Any]]:
    """What a table tells, which is unavailable without it; and whether there is one, which never
    is."""
    told = {
        **{f"score_{side.lower()}": _score(topics, side) for side in "AB"},
        **{f"player_{side.lower()}": _player(topics, side) for side in "AB"},
        "phase": _phase(topics),
        "turn": _turn(topics),
        "shot_clock": _shot_clock(topics),
        "problem": _problem(topics),
        "refused": _refused(topics),
    }
    for component in told.values():
        component["availability_topic"] = topics.availability
    return {**told, "live": _live(topics)}


def _phase(topics: Topics) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": "State",
        "icon": "mdi:billiards",
        "state_topic": topics.state,
        "value_template": "{{ value_json.phase }}",
        "json_attributes_topic": topics.state,
    }


def _turn(topics: Topics) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": "At the table",
        "icon": "mdi:account-arrow-right",
        "state_topic": topics.state,
        "value_template": (
            "{% set turn = value_json.turn | default('') %}"
            "{{ value_json.names[0] | join(' + ') if turn == 'A' else "
            "value_json.names[1] | join(' + ') if turn == 'B' else '' }}"
        ),
    }


def _shot_clock(topics: Topics) -> dict[str, Any]:
    return {
        "platform": "binary_sensor",
        "name": "Shot clock runs",
        "icon": "mdi:timer-outline",
        "state_topic": topics.clock,
        "value_template": (
            "{{ 'ON' if ((value_json.clock | default({})).shot | default({})).running"
            " | default(false) else 'OFF' }}"
        ),
    }


def _live(topics: Topics) -> dict[str, Any]:
    return {
        "platform": "binary_sensor",
        "name": "Live",
        "device_class": "connectivity",
        "entity_category": "diagnostic",
        "state_topic": topics.beat,
        "value_template": "ON",
        "off_delay": STALE_AFTER_S,
    }


def _problem(topics: Topics) -> dict[str, Any]:
    return {
        "platform": "binary_sensor",
        "name": "Problem",
        "device_class": "problem",
        "entity_category": "diagnostic",
        "state_topic": topics.status,
        "value_template": "{{ 'ON' if value_json.faults or not value_json.saved else 'OFF' }}",
        "json_attributes_topic": topics.status,
    }


def _refused(topics: Topics) -> dict[str, Any]:
    return {
        "platform": "sensor",
        "name": "Refused presses",
        "icon": "mdi:gesture-tap-button",
        "entity_category": "diagnostic",
        "state_class": "total_increasing",
        "state_topic": topics.status,
        "value_template": "{{ value_json.refused }}",
    }


def _score(topics: Topics, side: str) -> dict[str, Any]:
    place = "AB".index(side)
    return {
        "platform": "sensor",
        "name": f"Score {side}",
        "icon": "mdi:counter",
        "state_class": "measurement",
        "state_topic": topics.state,
        # A rack without points has none: then the racks are what counts. What renders as None is
        # unknown to Home Assistant.
        "value_template": (
            "{% set score = value_json.score | default(none) %}"
            "{% set won = (value_json.tally | default({})).values() | list %}"
            f"{{{{ score[{place}] if score is not none else"
            f" won[0][{place}] if won else none }}}}"
        ),
    }


def _player(topics: Topics, side: str) -> dict[str, Any]:
    place = "AB".index(side)
    return {
        "platform": "sensor",
        "name": f"Player {side}",
        "icon": "mdi:account",
        "state_topic": topics.state,
        "value_template": f"{{{{ value_json.names[{place}] | join(' + ') }}}}",
    }
