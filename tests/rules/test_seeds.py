"""The catalogue: every article is known, and what is said to be traced is traced and proven."""

import importlib
import sys
import tomllib
from collections import defaultdict
from functools import cache, reduce
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from rules.replay import replay
from rules.rulebooks.shelf import RULEBOOKS, rulebook_of
from tests.rules.waiting import all_sheets, waits_for

SEEDS = Path(__file__).parent.parent.parent / "seeds"
KNOWN = {"id", "class", "gist", "code", "waits", "unverified"}


@cache
def documents() -> dict[str, dict[str, Any]]:
    return {
        path.name: tomllib.loads(path.read_text("utf-8")) for path in sorted(SEEDS.glob("*.toml"))
    }


@cache
def articles() -> dict[str, dict[str, Any]]:
    return {one["id"]: one for document in documents().values() for one in document["article"]}


@cache
def citing() -> frozenset[tuple[str, str]]:
    """Articles and the rulebooks of the judged sheets that cite them."""
    return frozenset(
        (cite, sheet.setup.rulebook)
        for sheet in all_sheets()
        if waits_for(sheet) is None
        for cite in sheet.cites
    )


@cache
def cited() -> frozenset[str]:
    """What the sheets that are judged cite; that they hold, test_vectors.py sees to."""
    return frozenset(cite for cite, _ in citing())


def test_every_document_says_what_it_is() -> None:
    assert documents()
    for name, document in documents().items():
        assert f"{document['document']}.toml" == name
        assert document["title"]
        assert document["edition"]
        for gap in document.get("gap", ()):
            assert set(gap) == {"articles", "instead"}


def test_an_article_stands_once() -> None:
    ids = [one["id"] for document in documents().values() for one in document["article"]]
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("article", articles().values(), ids=lambda one: one["id"])
def test_an_article_is_traced_waits_or_is_of_the_table(article: dict[str, Any]) -> None:
    assert set(article) <= KNOWN
    assert article["class"] in {"C", "E", "P", "T"}
    assert article["gist"]
    if article["class"] == "T":
        assert not {"code", "waits"} & set(article)
    else:
        assert ("code" in article) != ("waits" in article)


@pytest.mark.parametrize(
    "reference", sorted({code for one in articles().values() for code in one.get("code", ())})
)
def test_a_code_reference_leads_somewhere(reference: str) -> None:
    assert reference.partition(":")[2]
    _named(reference)


def test_every_traced_article_is_proven_by_a_sheet() -> None:
    assert {id_ for id_, one in articles().items() if "code" in one} - cited() == set()


@cache
def _run_by_citing_sheets() -> dict[str, set[CodeType]]:
    """The functions that run while the sheets play that cite an article."""
    found: dict[str, set[CodeType]] = defaultdict(set)
    for sheet in all_sheets():
        if not sheet.cites or waits_for(sheet) is not None:
            continue
        ran: set[CodeType] = set()

        def note(frame: FrameType, event: str, _: object, ran: set[CodeType] = ran) -> None:
            if event == "call":
                ran.add(frame.f_code)

        before = sys.getprofile()
        sys.setprofile(note)
        try:
            replay(sheet, rulebook_of)
        finally:
            sys.setprofile(before)
        for cite in sheet.cites:
            found[cite] |= ran
    return found


def _named(reference: str) -> object:
    module, _, name = reference.partition(":")
    return reduce(getattr, name.split("."), importlib.import_module(module))


def test_a_function_that_an_article_names_runs_where_a_sheet_cites_it() -> None:
    idle = []
    for id_, article in articles().items():
        for reference in article.get("code", ()):
            named = _named(reference)
            function = named.fget if isinstance(named, property) else named
            if isinstance(function, FunctionType):
                idle += [(id_, reference)] * (function.__code__ not in _run_by_citing_sheets()[id_])
    assert idle == []


def test_what_the_event_must_set_is_marked_in_the_catalogue() -> None:
    marked = {name for one in articles().values() for name in one.get("unverified", ())}
    must = {name for book in RULEBOOKS.values() for name in book.unverified}
    told = {
        name
        for book in RULEBOOKS.values()
        for name, cite in book.cites.items()
        if cite.startswith("unverified")
    }
    assert must <= told
    assert marked == told


def test_no_sheet_proves_what_is_said_to_wait() -> None:
    assert {id_ for id_, one in articles().items() if "waits" in one} & cited() == set()


def test_every_cite_names_an_article() -> None:
    assert {cite for sheet in all_sheets() for cite in sheet.cites} <= set(articles())


def test_the_carom_rules_are_all_there() -> None:
    carom = documents()["carom-cbbs.toml"]["article"]
    counts = {class_: sum(one["class"] == class_ for one in carom) for class_ in "CEPT"}
    assert counts == {"C": 20, "E": 28, "P": 26, "T": 8}


def test_the_pool_rules_are_all_there() -> None:
    pool = documents()["pool-fpb.toml"]["article"]
    counts = {class_: sum(one["class"] == class_ for one in pool) for class_ in "CEPT"}
    assert counts == {"C": 60, "E": 34, "P": 26, "T": 20}


@pytest.mark.parametrize(
    ("federation", "counts", "gaps"),
    [
        ("cbbs", {"C": 58, "E": 53, "P": 31, "T": 18}, ["1"]),
        ("fpb", {"C": 55, "E": 69, "P": 36, "T": 37}, ["7", "46.2", "58", "77.C"]),
    ],
)
def test_the_snooker_rules_are_all_there(
    federation: str, counts: dict[str, int], gaps: list[str]
) -> None:
    document = documents()[f"snooker-{federation}.toml"]
    classes = [one["class"] for one in document["article"]]
    assert {class_: classes.count(class_) for class_ in "CEPT"} == counts
    assert [gap["articles"] for gap in document["gap"]] == gaps


@pytest.mark.parametrize("federation", ["cbbs", "fpb"])
def test_an_article_of_snooker_is_proven_by_its_own_rulebook(federation: str) -> None:
    traced = {
        one["id"] for one in documents()[f"snooker-{federation}.toml"]["article"] if "code" in one
    }
    assert traced - {cite for cite, rulebook in citing() if rulebook == federation} == set()
