"""A board's picture as an image, with dots like its LEDs."""

from PIL import Image, ImageDraw

from drivers.ports import Picture

DOT_PX = 10
"""From one LED to the next."""

_LIT, _DARK, _BOARD = (255, 60, 40), (48, 20, 18), (16, 12, 12)


def as_png(picture: Picture) -> Image.Image:
    """The picture as it looks from nearby."""
    size = (picture.width * DOT_PX, picture.height * DOT_PX)
    image = Image.new("RGB", size, _BOARD)
    draw = ImageDraw.Draw(image)
    for y in range(picture.height):
        for x in range(picture.width):
            at = (x * DOT_PX + 1, y * DOT_PX + 1)
            to = (at[0] + DOT_PX - 3, at[1] + DOT_PX - 3)
            draw.ellipse((*at, *to), fill=_LIT if picture.lit(x, y) else _DARK)
    return image
