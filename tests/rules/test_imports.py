"""The rules are pure: they load and name nothing that reads a clock, a file, a wire or chance."""

import ast
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parent.parent.parent
RULES = ROOT / "rules"
SOURCES = sorted(RULES.rglob("*.py"))

BUILT_IN = {"open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__"}

LOADED = """
import importlib, sys
sys.path[:0] = {paths!r}
import msgspec
before = set(sys.modules)
for name in {names!r}:
    importlib.import_module(name)
print(*sorted(set(sys.modules) - before))
"""


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def loaded() -> frozenset[str]:
    """What importing every module of the rules loads in a fresh interpreter."""
    paths = [str(ROOT), str(Path(msgspec.__file__).parent.parent)]
    names = [module_name(path) for path in SOURCES]
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADED.format(paths=paths, names=names)],
        check=True,
        capture_output=True,
        text=True,
    )
    return frozenset(run.stdout.split())


def test_every_module_of_the_rules_can_be_imported_alone() -> None:
    assert {module_name(path) for path in SOURCES} <= loaded()


def test_no_clock_file_wire_or_chance_comes_along() -> None:
    """Beyond what `import msgspec` loads itself."""
    assert not {name.partition(".")[0].removeprefix("_") for name in loaded()} & banned()


def test_nothing_of_ours_or_others_comes_along() -> None:
    tops = {name.partition(".")[0] for name in loaded()}
    assert tops - sys.stdlib_module_names == {"rules"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_built_in_reaches_outside(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not named & BUILT_IN


@cache
def banned() -> frozenset[str]:
    """What rules/ruff.toml keeps out."""
    config = tomllib.loads((RULES / "ruff.toml").read_text("utf-8"))
    return frozenset(config["lint"]["flake8-tidy-imports"]["banned-api"])


def test_what_is_banned_is_imported_nowhere() -> None:
    assert {"time", "datetime", "random", "os", "io", "pathlib", "socket", "asyncio"} <= banned()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not {name.partition(".")[0] for name in names} & banned(), path
