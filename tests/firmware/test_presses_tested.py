"""What docs/presses-tested.md names is there."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[a-z0-9_/]+\.py)::(test_[a-z0-9_]+)`")


def test_every_test_that_the_table_names_is_there() -> None:
    rows = (ROOT / "docs" / "presses-tested.md").read_text("utf-8").splitlines()
    body = [row for row in rows if row.startswith("| ") and "what goes wrong" not in row]
    assert len(body) > 30
    for row in body:
        (named,) = NAMED.findall(row)
        file, function = named
        tree = ast.parse((ROOT / file).read_text("utf-8"))
        names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert function in names, row
