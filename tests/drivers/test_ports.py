"""Pictures as text and as bits."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.ports import Picture

PICTURES = st.integers(1, 70).flatmap(
    lambda width: st.lists(st.integers(0, 2**width - 1), min_size=1, max_size=9).map(
        lambda rows: Picture(width, len(rows), tuple(rows))
    )
)


@given(PICTURES)
def test_a_picture_is_read_as_it_was_written(picture: Picture) -> None:
    assert Picture.from_text(picture.text()) == picture


@given(PICTURES)
def test_a_pixel_is_where_the_text_has_it(picture: Picture) -> None:
    for y, line in enumerate(picture.text().splitlines()):
        assert [picture.lit(x, y) for x in range(picture.width)] == [c == "#" for c in line]


def test_ragged_lines_are_dark_at_their_ends() -> None:
    assert Picture.from_text("#\n##\n") == Picture(2, 2, (0b10, 0b11))
    assert Picture.blank(3, 1).text() == "...\n"
