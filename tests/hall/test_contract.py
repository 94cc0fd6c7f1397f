"""The contract's documents are those that the types make, and mean what the tables do."""

import json

import jsonschema
import msgspec
import pytest

from firmware.commands import COMMANDS, Enter
from firmware.mqtt.contract import SAID, asyncapi, schemas
from tests.hall.contract import DOCS, check, documents
from tests.hall.scenes import SCENES


@pytest.mark.parametrize("file", documents(), ids=lambda file: file.name)
def test_the_documents_are_what_the_types_make(file: object) -> None:
    text = next(text for one, text in documents().items() if one == file)
    assert next(one for one in documents() if one == file).read_text("utf-8") == text, (
        "python -m tests.hall.contract writes them anew"
    )


def test_there_is_no_document_of_something_that_is_gone() -> None:
    there = {file for file in (DOCS / "schemas").iterdir() if file.suffix == ".json"}
    assert there <= set(documents())


@pytest.mark.parametrize("name", schemas())
def test_every_schema_is_one(name: str) -> None:
    jsonschema.Draft7Validator.check_schema(schemas()[name])


@pytest.mark.parametrize("name", SCENES)
def test_tables_of_every_game_keep_to_it(name: str) -> None:
    check("tacada/clube/1/state", msgspec.json.encode(SCENES[name]))


def test_what_is_promised_is_demanded() -> None:
    state = json.loads(msgspec.json.encode(SCENES["1"]))
    check("tacada/c/1/state", json.dumps(state | {"a_field_of_tomorrow": 1}).encode())
    for wrong in ({"seq": "12"}, {"score": [1]}, {"score": [1, 2, 3]}, {"turn": "C"}):
        with pytest.raises(jsonschema.ValidationError):
            check("tacada/c/1/state", json.dumps(state | wrong).encode())
    del state["stale_after_s"]
    with pytest.raises(jsonschema.ValidationError):
        check("tacada/c/1/state", json.dumps(state).encode())


def test_a_command_with_a_field_that_nobody_reads_is_no_command() -> None:
    schema = jsonschema.Draft7Validator(schemas()["command-enter"])
    good = json.loads(msgspec.json.encode(Enter(id="x", expect_seq=1, act="+1")))
    schema.validate(good)
    for wrong in ({"expect_sec": 1}, {"id": "a b"}, {"expect_seq": -1}):
        with pytest.raises(jsonschema.ValidationError):
            schema.validate(good | wrong)


def test_every_topic_and_command_is_in_the_document() -> None:
    document = asyncapi()
    addresses = {channel["address"] for channel in document["channels"].values()}
    wanted = {f"tacada/{{hall}}/{{table}}/{said.name}" for said in SAID}
    for name in COMMANDS:
        wanted |= {f"tacada/{{hall}}/{{table}}/{part}/{name}" for part in ("command", "reply")}
    assert addresses == wanted
    refs = json.dumps(document)
    for name in document["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in refs, f"nothing uses {name}"
