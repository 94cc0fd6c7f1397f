"""A board's picture as an image, with dots like its LEDs."""

from PIL import Image, ImageDraw

from drivers.ports import Picture

DOT_PX = 6
"""The pitch of the dots."""

LIT, DARK, GROUND = (255, 64, 40), (42, 20, 18), (12, 12, 12)


def dots(picture: Picture) -> Image.Image:
    """A picture as the dots of LED blocks."""
    image = Image.new("RGB", (picture.width * DOT_PX, picture.height * DOT_PX), GROUND)
    draw = ImageDraw.Draw(image)
    for y in range(picture.height):
        for x in range(picture.width):
            left, top = x * DOT_PX, y * DOT_PX
            colour = LIT if picture.lit(x, y) else DARK
            draw.ellipse((left, top, left + DOT_PX - 2, top + DOT_PX - 2), fill=colour)
    return image
