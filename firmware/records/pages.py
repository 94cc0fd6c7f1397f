"""A score sheet as a page: PDF on A4 and HTML, from the same document."""

from collections.abc import Collection
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from firmware.records.document import Document, Table
from firmware.records.words import Words

if TYPE_CHECKING:
    from fpdf import FPDF

_MARGIN_MM = 15
_LINE_MM = 5.5
_GREY = 150

_STYLE = """
@page { size: A4; margin: 15mm }
body { font: 10pt/1.35 "DejaVu Sans", sans-serif; color: #000; background: #fff; margin: 2em auto;
  max-width: 48em }
h1 { font-size: 15pt } h2 { font-size: 11pt; margin: 1.2em 0 .3em }
table { border-collapse: collapse; width: 100% } thead { display: table-header-group }
th, td { border-bottom: .5pt solid #999; padding: .15em .5em; text-align: left }
th.n, td.n { text-align: right }
tr.s td { font-weight: bold; border-top: 1pt solid #000 } tr { break-inside: avoid }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1.2em } dd { margin: 0 }
.sign { display: flex; gap: 2em; margin-top: 4em }
.sign span { flex: 1; border-top: .5pt solid #000 }
"""


def as_html(sheet: Document, lang: str) -> str:
    """A page that prints well and needs nothing from anywhere."""
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in sheet.facts)
    tables = "".join(_html_table(table) for table in sheet.tables)
    notes = "".join(f"<p>{escape(note)}</p>" for note in sheet.notes)
    signatures = "".join(f"<span>{escape(name)}</span>" for name in sheet.signatures)
    return (
        f'<!doctype html><html lang="{escape(lang)}"><meta charset="utf-8">'
        f"<title>{escape(sheet.title)}</title><style>{_STYLE}</style>"
        f"<h1>{escape(sheet.title)}</h1><dl>{facts}</dl>{tables}"
        f'{notes}<div class="sign">{signatures}</div></html>\n'
    )


def _html_table(table: Table) -> str:
    kinds = [' class="n"' if table.is_numbers(at) else "" for at in range(len(table.columns))]
    head = "".join(
        f'<th scope="col"{kind}>{escape(cell)}</th>'
        for kind, cell in zip(kinds, table.columns, strict=True)
    )
    rows = "".join(
        f'<tr class="{"s" if number in table.strong else ""}">'
        + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for number, row in enumerate(table.rows)
    )
    return (
        f"<h2>{escape(table.title)}</h2><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def as_pdf(sheet: Document, words: Words) -> bytes:
    """A4 pages with the same; fonts with the letters of all our languages are in the file."""
    # Heavy, and of no use to a table.
    from fpdf import FPDF  # noqa: PLC0415
    from fpdf.fonts import TTFFont  # noqa: PLC0415

    class Pages(FPDF):
        def footer(self) -> None:
            self.set_y(-_MARGIN_MM)
            self.set_font("sheet", size=7)
            place = f"{words.page} {self.page_no()}/{{nb}}"
            self.cell(0, 5, f"{sheet.title} · {sheet.match} · {place}", align="C")

    pdf = Pages(format="A4")
    pdf.set_title(sheet.title)
    pdf.add_font("sheet", fname=fonts() / "DejaVuSans.ttf")
    pdf.add_font("sheet", style="B", fname=fonts() / "DejaVuSans-Bold.ttf")
    cmaps = (font.cmap.keys() for font in pdf.fonts.values() if isinstance(font, TTFFont))
    sheet = _in_letters_of(sheet, *cmaps)
    pdf.set_auto_page_break(True, margin=_MARGIN_MM + 5)
    pdf.set_margins(_MARGIN_MM, _MARGIN_MM)
    pdf.add_page()
    pdf.set_font("sheet", "B", 14)
    pdf.multi_cell(0, 8, sheet.title, new_x="LMARGIN", new_y="NEXT")
    pdf.ln(2)
    for name, text in sheet.facts:
        pdf.set_font("sheet", "B", 9)
        pdf.cell(45, _LINE_MM, name)
        pdf.set_font("sheet", "", 9)
        pdf.multi_cell(0, _LINE_MM, text, align="L", new_x="LMARGIN", new_y="NEXT")
    for table in sheet.tables:
        _pdf_table(pdf, table)
    pdf.set_font("sheet", "", 8)
    for note in sheet.notes:
        pdf.ln(2)
        pdf.multi_cell(0, 4.5, note, align="L", new_x="LMARGIN", new_y="NEXT")
    _sign(pdf, sheet)
    return bytes(pdf.output())


def _in_letters_of(sheet: Document, *covered: Collection[int]) -> Document:
    """The same sheet, with Latin letters for those that a font has not: none is left out."""
    # Its tables are heavy, and most sheets need none of them.
    from anyascii import anyascii  # noqa: PLC0415

    def latin(text: str) -> str:
        return "".join(
            one if all(ord(one) in font for font in covered) else anyascii(one) for one in text
        )

    def told(table: Table) -> Table:
        rows = tuple(tuple(map(latin, row)) for row in table.rows)
        return replace(
            table, title=latin(table.title), columns=tuple(map(latin, table.columns)), rows=rows
        )

    return replace(
        sheet,
        match=latin(sheet.match),
        facts=tuple((name, latin(text)) for name, text in sheet.facts),
        tables=tuple(map(told, sheet.tables)),
        signatures=tuple(map(latin, sheet.signatures)),
    )


def _pdf_table(pdf: "FPDF", table: Table) -> None:
    """A table as wide as what stands in it; its headings stand on every page."""
    from fpdf.enums import TableBordersLayout  # noqa: PLC0415
    from fpdf.fonts import FontFace  # noqa: PLC0415

    pdf.ln(3)
    if pdf.will_page_break(_LINE_MM * 4):
        pdf.add_page()
    pdf.set_font("sheet", "B", 10)
    pdf.cell(0, _LINE_MM + 2, table.title, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("sheet", "", 8)
    bold = FontFace(emphasis="BOLD")
    widths = _widths(pdf, table)
    aligned = ["RIGHT" if table.is_numbers(at) else "LEFT" for at in range(len(widths))]
    pdf.set_draw_color(_GREY)
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        text_align=tuple(aligned),
        headings_style=bold,
        line_height=4,
        padding=(0.7, 1),
        width=sum(widths),
        col_widths=tuple(widths),
        align="LEFT",
    ) as grid:
        grid.row(table.columns)
        for number, row in enumerate(table.rows):
            grid.row(row, style=bold if number in table.strong else None)
    pdf.set_draw_color(0)


def _widths(pdf: "FPDF", table: Table) -> list[float]:
    """The width of each column in millimetres: its widest line, or a share of what is left.

    Narrow columns get what they need first; headings may break between words.
    """
    needs = []
    for at, head in enumerate(table.columns):
        pdf.set_font("sheet", "B", 8)
        words = max((pdf.get_string_width(word) for word in head.split()), default=0.0)
        cells = max((pdf.get_string_width(row[at]) for row in table.rows), default=0.0)
        needs.append(max(words, cells, 8.0) + 4)
    pdf.set_font("sheet", "", 8)
    left, open_ = pdf.epw, list(range(len(needs)))
    widths = list(needs)
    while open_ and sum(needs[at] for at in open_) > left:
        share = left / len(open_)
        narrow = [at for at in open_ if needs[at] <= share]
        if not narrow:
            for at in open_:
                widths[at] = share
            break
        left -= sum(needs[at] for at in narrow)
        open_ = [at for at in open_ if at not in narrow]
    return widths


def _sign(pdf: "FPDF", sheet: Document) -> None:
    """Lines to sign, all on one page."""
    if pdf.get_y() > 250:
        pdf.add_page()
    pdf.ln(18)
    width = pdf.epw / len(sheet.signatures)
    pdf.set_font("sheet", "", 8)
    top = pdf.get_y()
    for number, name in enumerate(sheet.signatures):
        x = pdf.l_margin + number * width
        pdf.line(x, top, x + width - 6, top)
        pdf.set_xy(x, top + 1)
        pdf.multi_cell(width - 6, 4, name, align="L")


def fonts() -> Path:
    """DejaVu, which comes with matplotlib: Latin of all kinds, Greek and Cyrillic.

    matplotlib itself is not loaded, which takes longer than the page.
    """
    found = find_spec("matplotlib")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).with_name("mpl-data") / "fonts" / "ttf"
