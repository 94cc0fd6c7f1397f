"""A key card on A4 pages, as SVG and as PDF from the same places; pure but for the fonts of PDF."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from firmware.keycard.content import Card, CardKey, Section
from firmware.keys.panel_words import HELD_SIGN

WIDTH_MM, HEIGHT_MM = 210.0, 297.0
MARGIN_MM = 12.0
COLUMNS = 3
GAP_MM = 5.0
KEY_MM = 23.0

_MM_PER_PT = 25.4 / 72
_WEIGHTS = {False: "normal", True: "bold"}
_LEADING = 1.25


class Text(NamedTuple):
    """A line of text: where its base line begins, how large, whether bold. Sizes in mm and pt."""

    x: float
    y: float
    pt: float
    text: str
    bold: bool = False


class Box(NamedTuple):
    """A frame with round corners; sizes in mm."""

    x: float
    y: float
    width: float
    height: float


class Page(NamedTuple):
    """What is drawn on one page."""

    texts: list[Text]
    boxes: list[Box]


def width_mm(text: str, pt: float, *, bold: bool = False) -> float:
    """How wide a text is at most in DejaVu Sans or a font of its width."""
    em = sum(_em(sign) for sign in text)
    return em * pt * _MM_PER_PT * (1.12 if bold else 1.0)


def _em(sign: str) -> float:
    if sign in "ijl.,:;'|!IJftr()[] -/":
        return 0.42
    if sign in "mwMW@%…—":
        return 1.02
    if sign in "+=<>":
        return 0.85
    return 0.8 if sign.isupper() else 0.66


def wrapped(text: str, pt: float, width: float, *, bold: bool = False) -> list[str]:
    """A text in lines of at most this width in mm; a word that is wider has a line to itself."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_mm(longer, pt, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def placed(card: Card) -> list[Page]:
    """Where everything stands, page by page."""
    page = Page([], [])
    y = MARGIN_MM + 6
    page.texts.append(Text(MARGIN_MM, y, 15, card.title, bold=True))
    page.texts.append(Text(MARGIN_MM, y + 5.5, 8, card.subtitle))
    y = _keys(page, card.keys, y + 10)
    return _flowed(card.sections, page, y + 6)


def _keys(page: Page, keys: Sequence[CardKey], top: float) -> float:
    """The keys as they lie on the box, four or three in a row; the y below them."""
    across = 3 if len(keys) == 6 else 4
    width = (WIDTH_MM - 2 * MARGIN_MM) / across
    inner = width - 5
    for place, key in enumerate(keys):
        x, y = MARGIN_MM + place % across * width, top + place // across * KEY_MM
        page.boxes.append(Box(x + 0.8, y + 0.8, width - 1.6, KEY_MM - 1.6))
        page.texts.append(Text(x + 2.5, y + 6.5, 11, key.label, bold=True))
        row = y + 11
        for text, most in ((key.press, 3), (key.hold, 3)):
            if not text:
                continue
            prefix = "" if text is key.press else f"{HELD_SIGN} "
            for line in wrapped(prefix + text, 7, inner)[:most]:
                page.texts.append(Text(x + 2.5, row, 7, line))
                row += 7 * _LEADING * _MM_PER_PT
    return top + ((len(keys) - 1) // across + 1) * KEY_MM


def _flowed(sections: Sequence[Section], first: Page, top: float) -> list[Page]:
    """The sections in columns, below the keys and then on further pages; none is torn."""
    pages, column, y = [first], 0, top
    width = (WIDTH_MM - 2 * MARGIN_MM - (COLUMNS - 1) * GAP_MM) / COLUMNS
    told = [list(_lines(section, width)) for section in sections]
    heights = [sum(line.step for line in lines) + 2 for lines in told]
    # What fits on this page is spread over all columns.
    even = top + sum(heights) / COLUMNS + max(heights, default=0) / 2
    bottom = min(HEIGHT_MM - MARGIN_MM, even)
    for lines, height in zip(told, heights, strict=True):
        if y + height > bottom:
            column, y = column + 1, top
            if column == COLUMNS:
                top, bottom = MARGIN_MM + 4, HEIGHT_MM - MARGIN_MM
                pages.append(Page([], []))
                column, y = 0, top
        x = MARGIN_MM + column * (width + GAP_MM)
        for line in lines:
            pages[-1].texts.append(Text(x + line.indent, y, line.pt, line.text, line.bold))
            y += line.step
        y += 2
    return pages


class _Line(NamedTuple):
    """A line of a section: indent in mm, size in pt, step to the next line in mm."""

    indent: float
    pt: float
    step: float
    text: str
    bold: bool = False


def _lines(section: Section, width: float) -> Iterator[_Line]:
    """A section line by line: its title, who opens it, key and meaning."""
    step = 7 * _LEADING * _MM_PER_PT
    for text in wrapped(section.title, 8.5, width, bold=True):
        yield _Line(0, 8.5, 8.5 * _LEADING * _MM_PER_PT, text, True)
    for text in wrapped(" / ".join(section.opened_by), 6, width):
        yield _Line(0, 6, 6 * _LEADING * _MM_PER_PT, text)
    labels = [width_mm(label, 7, bold=True) + 1.5 for label, _ in section.rows]
    indent = min(max(labels), 0.5 * width)
    for label, meaning in section.rows:
        too_wide = width_mm(label, 7, bold=True) > indent
        yield _Line(0, 7, step if too_wide else 0, label, True)
        for text in wrapped(meaning, 7, width - indent):
            yield _Line(indent, 7, step, text)


def as_svg(card: Card) -> str:
    """A drawing; pages stand below each other. Black on white, so that any printer does."""
    pages = placed(card)
    height = HEIGHT_MM * len(pages)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH_MM}mm" height="{height}mm" '
        f'viewBox="0 0 {WIDTH_MM} {height}" font-family="DejaVu Sans, Verdana, sans-serif">',
        f"<title>{escape(card.title)}</title>",
        f'<rect width="{WIDTH_MM}" height="{height}" fill="#fff"/>',
    ]
    for nth, page in enumerate(pages):
        down = nth * HEIGHT_MM
        parts += [
            f'<rect x="{x:.2f}" y="{y + down:.2f}" width="{width:.2f}" height="{high:.2f}" '
            'rx="1.5" fill="none" stroke="#000" stroke-width="0.3"/>'
            for x, y, width, high in page.boxes
        ]
        parts += [
            f'<text x="{x:.2f}" y="{y + down:.2f}" font-size="{pt * _MM_PER_PT:.2f}" '
            f'font-weight="{_WEIGHTS[bold]}">{escape(text)}</text>'
            for x, y, pt, text, bold in page.texts
            if text
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def as_pdf(card: Card) -> bytes:
    """The same as PDF, with the extra `records`."""
    # Heavy, and of no use to a table.
    from fpdf import FPDF  # noqa: PLC0415

    from firmware.records.pages import fonts  # noqa: PLC0415

    pdf = FPDF(format="A4")
    pdf.set_title(card.title)
    pdf.set_auto_page_break(False)
    pdf.add_font("card", fname=fonts() / "DejaVuSans.ttf")
    pdf.add_font("card", style="B", fname=fonts() / "DejaVuSans-Bold.ttf")
    pdf.set_line_width(0.3)
    for page in placed(card):
        pdf.add_page()
        for x, y, width, height in page.boxes:
            pdf.rect(x, y, width, height, round_corners=True, corner_radius=1.5)
        for x, y, pt, text, bold in page.texts:
            pdf.set_font("card", "B" if bold else "", pt)
            pdf.text(x, y, text)
    return bytes(pdf.output())
