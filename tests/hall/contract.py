"""The contract's documents: written, and held against every message that a test hears.

`python -m tests.hall.contract` writes `docs/asyncapi.yaml` and `docs/schemas/`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from firmware.commands import REPLIES
from firmware.mqtt.contract import asyncapi, schemas

DOCS = Path(__file__).parents[2] / "docs"

FIRST: dict[str, Any] = json.loads(
    (Path(__file__).parent / "first" / "schemas.json").read_text("utf-8")
)
"""The first contract: as long as `schema` of the state is 1, displays of then read on."""

HEAD = "# Written by scripts/contract from the types. Do not edit.\n"


def documents() -> dict[Path, str]:
    """What the files of the contract hold, by their names."""
    text = yaml.safe_dump(asyncapi(), sort_keys=False, allow_unicode=True, width=100)
    files = {DOCS / "asyncapi.yaml": HEAD + text}
    for name, schema in schemas().items():
        body = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        files[DOCS / "schemas" / f"{name}.json"] = body
    return files


@cache
def _validator(name: str) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(schemas()[name])


@cache
def _first(name: str) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(FIRST[name])


def check(topic: str, payload: bytes) -> None:
    """Hold a message of a table against the contract, and against the first one.

    Raises:
        AssertionError: there is no such topic.
        jsonschema.ValidationError: the message is not what they promise.
    """
    parts = topic.split("/")
    assert parts[0] == "tacada", topic
    name = parts[3]
    if name == "reply":
        assert len(parts) == 5, topic
        name = "reply-pad" if parts[4] in REPLIES else "reply"
    elif name == "command":
        return  # what a sender makes of it is judged by the table
    if not payload:
        return  # a retained message that is taken back
    content: Any = payload.decode() if name == "availability" else json.loads(payload)
    _validator(name).validate(content)
    if name in FIRST:
        _first(name).validate(content)


def write() -> None:
    for old in (DOCS / "schemas").glob("*.json"):
        old.unlink()
    for file, text in documents().items():
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")


if __name__ == "__main__":
    write()
