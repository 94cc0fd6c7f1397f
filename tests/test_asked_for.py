"""docs/asked-for.md names tests; each of them is there."""

import ast
import re
from pathlib import Path

import pytest

PAGE = Path("docs/asked-for.md")
NAMED = sorted(
    set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE.read_text(encoding="utf-8")))
)


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_the_page_names_is_there(path: str, name: str) -> None:
    tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    tests = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert not name or name in tests, f"{path} has no {name}"


def test_every_row_names_a_test_or_a_command() -> None:
    rows = [
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if re.match(r"\| \d", line)
    ]
    assert [row for row in rows if "`tests/" not in row and "`python -m" not in row] == []
