"""A board of a size that does not come with the firmware is a layout file, and no code."""

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from drivers.fakes import FakeChain
from drivers.matrix import Matrix
from firmware.board.gallery import gallery
from firmware.board.layout import LAYOUTS, load_layout
from firmware.board.render import render, render_boot
from firmware.config.file import load_config
from firmware.config.problems import config_problems
from firmware.i18n import language_codes, load_language
from tests.drivers.chains import plain_places

SIZES = [("64x16", 96), ("64x16", 72), ("64x8", 80), ("32x8", 48)]

_BOX = re.compile(r"x = (\d+), y = (\d+), w = (\d+)")
_HEAD = re.compile(r"^width = (\d+)", re.MULTILINE)


def wider(folder: Path, of: str, width: int) -> Path:
    """A shipped layout as somebody would stretch it: the middle grows, what is right moves."""
    new = folder / f"{width}"
    shutil.copytree(LAYOUTS / of, new)
    old = load_layout(of).width
    more = width - old

    def moved(box: re.Match[str]) -> str:
        x, y, w = map(int, box.groups())
        if x > old // 2:
            x += more
        elif x + w > old // 2 + 1:
            w += more
        return f"x = {x}, y = {y}, w = {w}"

    for file in new.glob("*.toml"):
        text = _BOX.sub(moved, file.read_text("utf-8"))
        file.write_text(_HEAD.sub(f"width = {width}", text), "utf-8")
    return new


@pytest.mark.parametrize(("of", "width"), SIZES)
def test_a_new_size_is_drawn_in_every_language(tmp_path: Path, of: str, width: int) -> None:
    layout = load_layout(str(wider(tmp_path, of, width)))
    assert (layout.width, layout.height) == (width, load_layout(of).height)
    for name, view in gallery().items():
        for code in language_codes():
            pictures = {render(view, layout, load_language(code), ms) for ms in (0, 2500, 4200)}
            assert all((one.width, one.height) == (width, layout.height) for one in pictures)
            assert any(row for one in pictures for row in one.rows), name


def test_a_configuration_that_names_its_file_is_in_order_and_its_chain_shows_it(
    tmp_path: Path,
) -> None:
    layout_file = wider(tmp_path, "64x16", 96)
    table = tmp_path / "table.toml"
    table.write_text(f'schema = 1\n[board]\nlayout = "{layout_file}"\n', "utf-8")
    config = load_config(table)
    assert list(config_problems(config)) == []
    layout = load_layout(config.board.layout)
    picture = render_boot(layout, load_language("pt"), "1.0.0")
    chain = FakeChain(plain_places(12, 2, -90))
    matrix = Matrix(chain, width=layout.width, height=layout.height)
    asyncio.run(matrix.show(picture))
    assert chain.picture() == picture
