"""The contract with displays as documents: AsyncAPI 3 and JSON Schemas, made from the types.

`docs/asyncapi.yaml` and `docs/schemas/` are written by `sh scripts/contract`; a test holds them to
what is made here. The schemas are of draft 7, which AsyncAPI speaks. A field that displays read may
come any time, so nothing is closed but commands: what a table does not know it must not ignore.
"""

from typing import Any, NamedTuple

import msgspec

from firmware.commands import COMMANDS, REPLIES, PadReply, Reply
from firmware.mqtt.messages import (
    Beat,
    ClockMessage,
    EntryMessage,
    Log,
    NoticeMessage,
    Presence,
    Status,
)
from rules.scoreline import SCHEMA, Scoreline

VERSION = f"{SCHEMA}.0.0"

DRAFT = "http://json-schema.org/draft-07/schema#"

TOPIC = "tacada/{hall}/{table}/"


class Said(NamedTuple):
    """What is said on a topic of a table: the last part of its name, and how it is sent."""

    name: str
    kind: type[Any] | None
    """None where it is a word and not JSON."""
    qos: int
    retained: bool
    what: str


SAID: tuple[Said, ...] = (
    Said("availability", None, 1, True, "online on every connect, offline as last will"),
    Said("state", Scoreline, 1, True, "everything a display may want, readable without rules"),
    Said("entry", EntryMessage, 1, False, "each record in order; drop duplicates by match and seq"),
    Said("log", Log, 1, True, "the last records for everybody to read: who, when, what"),
    Said("clock", ClockMessage, 1, True, "the clocks, whenever they change and on every connect"),
    Said("notice", NoticeMessage, 0, False, "what to announce, within two seconds or never"),
    Said("status", Status, 1, True, "how the table does"),
    Said("presence", Presence, 1, True, "who is there: a table with its parts, or a display"),
    Said("beat", Beat, 0, False, "the table lives; live for stale_after_s of the state after it"),
)

WORDS = ("online", "offline")


def schemas() -> dict[str, dict[str, Any]]:
    """A JSON Schema for each message by its name; each stands alone."""
    kinds = {said.name: said.kind for said in SAID if said.kind is not None}
    kinds |= {f"command-{name}": kind for name, kind in COMMANDS.items()}
    kinds |= {"reply": Reply, "reply-pad": PadReply}
    found: dict[str, dict[str, Any]] = {
        "availability": {"$schema": DRAFT, "type": "string", "enum": list(WORDS)}
    }
    for name, kind in kinds.items():
        top, parts = msgspec.json.schema_components([kind], ref_template="#/definitions/{name}")
        body = {"$schema": DRAFT, **top[0], "definitions": dict(sorted(parts.items()))}
        found[name] = _draft_7(body)
    return found


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI document."""
    kinds: list[type[Any]] = [said.kind for said in SAID if said.kind is not None]
    kinds += [*COMMANDS.values(), Reply, PadReply]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    components = {name: _draft_7(part) for name, part in sorted(parts.items())}
    components["Availability"] = {"type": "string", "enum": list(WORDS)}
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    messages: dict[str, Any] = {}
    for said in SAID:
        kind = said.kind.__name__ if said.kind is not None else "Availability"
        messages[said.name] = _message(kind, plain=said.kind is None)
        channels[said.name] = _channel(said.name, said.name, said.what)
        operations[said.name] = _operation("send", said.name, said.what, said.qos, said.retained)
    for name, command in COMMANDS.items():
        about = (command.__doc__ or "").splitlines()[0]
        asked, answer = f"command-{name}", f"reply-{name}"
        messages[asked] = _message(command.__name__)
        channels[asked] = _channel(asked, f"command/{name}", about)
        said_back = "reply-pad" if name in REPLIES else "reply"
        channels[answer] = _channel(said_back, f"reply/{name}", f"The answer to {name}.")
        operation = _operation("receive", asked, about, 1, retained=False)
        operation["reply"] = {"channel": {"$ref": f"#/channels/{answer}"}}
        operations[asked] = operation
    messages |= {"reply": _message("Reply"), "reply-pad": _message("PadReply")}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "tacada",
            "version": VERSION,
            "description": "What a billiards table says and obeys over MQTT. See docs/mqtt.md.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": components},
    }


def _channel(message: str, end: str, about: str) -> dict[str, Any]:
    return {
        "address": TOPIC + end,
        "description": about,
        "parameters": {
            "hall": {"description": "The hall's name: a-z, 0-9 and -."},
            "table": {"description": "The table's name in its hall: a-z, 0-9 and -."},
        },
        "messages": {message: {"$ref": f"#/components/messages/{message}"}},
    }


def _operation(action: str, channel: str, about: str, qos: int, retained: bool) -> dict[str, Any]:
    return {
        "action": action,
        "channel": {"$ref": f"#/channels/{channel}"},
        "summary": about,
        "bindings": {"mqtt": {"qos": qos, "retain": retained, "bindingVersion": "0.2.0"}},
    }


def _message(schema: str, *, plain: bool = False) -> dict[str, Any]:
    message: dict[str, Any] = {"payload": {"$ref": f"#/components/schemas/{schema}"}}
    return message | {"contentType": "text/plain"} if plain else message


def _draft_7(schema: Any) -> Any:
    """A schema with its tuples as draft 7 writes them, and only keywords that it knows."""
    if isinstance(schema, list):
        return [_draft_7(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {name: _draft_7(one) for name, one in schema.items()}
    if "prefixItems" in changed:
        changed["items"] = changed.pop("prefixItems")
        changed["additionalItems"] = False
    return changed
