"""Sheets of pictures for people: every screen, size and language."""

from pathlib import Path

import pytest
from PIL import Image

from drivers.ports import Picture
from firmware.board import contact_sheets
from firmware.board.contact_sheets import sheet
from firmware.board.dots import DARK, DOT_PX, LIT, dots
from firmware.board.gallery import gallery
from firmware.board.layout import layout_names, load_layout
from firmware.cli import main
from firmware.i18n import language_codes, load_language


def test_dots_are_lit_where_the_picture_is() -> None:
    picture = Picture.from_text("#.\n.#\n")
    image = dots(picture)
    assert image.size == (2 * DOT_PX, 2 * DOT_PX)
    for y in range(2):
        for x in range(2):
            centre = (x * DOT_PX + DOT_PX // 2 - 1, y * DOT_PX + DOT_PX // 2 - 1)
            assert image.getpixel(centre) == (LIT if picture.lit(x, y) else DARK)


def test_a_sheet_has_room_for_every_screen() -> None:
    views = gallery()
    image = sheet(load_layout("32x8"), load_language("en"), "0.1.0", views)
    each = (8 * DOT_PX + contact_sheets.CAPTION_PX) * 32 * DOT_PX
    assert image.width * image.height > len(views) * each


def test_the_command_writes_each_size_in_each_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = {name: view for name, view in gallery().items() if name in ("play", "idle")}
    monkeypatch.setattr(contact_sheets, "gallery", lambda: few)
    assert main(["pictures", "--out", str(tmp_path / "sheets")]) == 0
    files = sorted(path.name for path in (tmp_path / "sheets").iterdir())
    assert files == sorted(
        f"{name}-{code}.png" for name in layout_names() for code in language_codes()
    )
    assert f"{len(files)} sheets" in capsys.readouterr().out
    with Image.open(tmp_path / "sheets" / files[0]) as image:
        assert image.format == "PNG"


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["pictures", "--out", str(tmp_path / "file" / "sheets")]) == 1
    assert "tacada: " in capsys.readouterr().err
