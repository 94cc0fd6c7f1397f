"""The pages in docs/ and the README hold to what is there: files, commands, keys of a table."""

import argparse
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from firmware.cli import command_line, main
from firmware.config.config import Config
from rules.rulebooks.shelf import RULEBOOKS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def anchor(heading: str) -> str:
    """What a heading is called in an address."""
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


@each_page
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", page.read_text("utf-8")):
        path, _, part = link.partition("#")
        if path.startswith("https://"):
            continue
        target = page.parent / path if path else page
        assert target.exists(), link
        if part:
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert part in map(anchor, headings), link


@each_page
def test_every_file_that_is_named_is_there(page: Path) -> None:
    folders = "benchmarks|docs|drivers|firmware|rules|scripts|seeds|systemd|tests"
    for code in re.findall(r"`([^`\n]+)`", page.read_text("utf-8")):
        for named in re.findall(rf"(?<![\w/.-])(?:{folders})/[\w@./-]*\w", code):
            assert (ROOT / named).exists(), f"{named} in `{code}`"
        for module in re.findall(r"python -m ((?:tests|benchmarks)[\w.]*)", code):
            path = ROOT / module.replace(".", "/")
            assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), code


def commands(page: Path) -> Iterator[str]:
    """The lines of a page by which somebody calls `tacada`, without what goes around them."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in re.split(r"(?<!\\)\n|&&|;", block)]
    lines += re.findall(r"`(tacada [^`\n]+)`", text)
    for line in lines:
        called = re.match(
            r"(?:sudo )?(?:\.venv/bin/)?tacada (.*)", line.replace("\\\n", " ").strip()
        )
        if called is not None:
            yield called[1].partition("#")[0].strip()


def command_names(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


@each_page
def test_every_command_that_is_named_is_there_with_its_options(page: Path) -> None:
    known = command_names(command_line())
    for line in commands(page):
        words = shlex.split(line)
        assert words[0] in known, line
        parser, options = known[words[0]], set[str]()
        while True:
            options |= {one for action in parser._actions for one in action.option_strings}
            inner = command_names(parser)
            name = next((word for word in words[1:] if word in inner), None)
            if name is None:
                break
            parser = inner[name]
        for word in words[1:]:
            assert not word.startswith("--") or word.partition("=")[0] in options, line


def keys(struct: type[msgspec.Struct]) -> Iterator[str]:
    """The keys of a configuration, with those of the tables in it."""
    for one in msgspec.structs.fields(struct):
        yield one.encode_name
        for kind in (one.type, *get_args(one.type)):
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
                yield from keys(kind)


def test_every_key_of_a_configuration_is_explained() -> None:
    explained = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]+)`", CONFIGURATION))))
    assert sorted({*keys(Config)} - explained) == []


def test_every_rulebook_can_be_chosen_by_the_page() -> None:
    row = next(line for line in CONFIGURATION.splitlines() if line.startswith("| `rulebook`"))
    assert set(RULEBOOKS) <= set(re.findall(r"`(\w+)`", row))


def test_the_table_of_the_readme_can_be_used(tmp_path: Path) -> None:
    file = tmp_path / "my-table.toml"
    file.write_text(re.findall(r"```toml\n(.*?)```", README, re.DOTALL)[0])
    assert main(["check-config", str(file)]) == 0
