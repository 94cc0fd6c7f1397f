"""Contact sheets: every screen of a board as one sees it, lit dots on black."""

from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from drivers.ports import Picture
from firmware.board.dots import DOT_PX, dots
from firmware.board.gallery import gallery
from firmware.board.layout import Layout, layout_names, load_layout
from firmware.board.render import render, render_boot
from firmware.i18n import Language, language_codes, load_language
from firmware.snapshot import View

GAP_PX = 12
CAPTION_PX = 16
WIDTH_PX = 1280
"""About how wide a sheet is."""

WORDS = (200, 200, 200)

MOMENTS_MS = (0, 2500, 4200, 6400)
"""When a screen is looked at: its pages take turns."""


def write_sheets(folder: Path, version: str) -> list[Path]:
    """A PNG for each size of board and each language; the files written.

    Raises:
        OSError: they cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    views = gallery()
    for name in layout_names():
        layout = load_layout(name)
        for code in language_codes():
            path = folder / f"{name}-{code}.png"
            sheet(layout, load_language(code), version, views).save(path, optimize=True)
            written.append(path)
    return written


def sheet(layout: Layout, language: Language, version: str, views: dict[str, View]) -> Image.Image:
    """All screens of one board in one language."""
    shots = list(_shots(layout, language, version, views))
    wide, high = layout.width * DOT_PX, layout.height * DOT_PX
    columns = max(1, (WIDTH_PX + GAP_PX) // (wide + GAP_PX))
    rows = -(-len(shots) // columns)
    step_x, step_y = wide + GAP_PX, high + CAPTION_PX + GAP_PX
    image = Image.new("RGB", (columns * step_x + GAP_PX, rows * step_y + GAP_PX), (70, 70, 70))
    draw, font = ImageDraw.Draw(image), ImageFont.load_default()
    for nth, (caption, picture) in enumerate(shots):
        x = GAP_PX + nth % columns * step_x
        y = GAP_PX + nth // columns * step_y
        draw.text((x, y), caption, fill=WORDS, font=font)
        image.paste(dots(picture), (x, y + CAPTION_PX))
    return image


def _shots(
    layout: Layout, language: Language, version: str, views: dict[str, View]
) -> Iterator[tuple[str, Picture]]:
    yield "boot", render_boot(layout, language, version)
    for name, view in views.items():
        seen: set[Picture] = set()
        for now_ms in MOMENTS_MS:
            picture = render(view, layout, language, now_ms)
            if picture not in seen and (view.told is None or now_ms == 0):
                yield f"{name} {now_ms} ms", picture
            seen.add(picture)
