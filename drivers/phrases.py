"""What is wrong, in English for a log, and by a code for whoever says it in another language.

A log must need no file of words: the English stands here, where it is raised.
"""

from collections.abc import Callable, Iterable


class Phrase(str):
    """A sentence in English; `code` and `places` say the same in any other language.

    Its `english` has the places in `{ }`; a place may be `Phrase` itself. Without a code the
    phrase is made of places and signs alone, the same in every language.
    """

    code: str
    english: str
    places: dict[str, object]

    def __new__(cls, code: str, english: str, /, **places: object) -> "Phrase":
        """A phrase with its places filled."""
        self = super().__new__(cls, english.format(**places))
        self.code, self.english, self.places = code, english, places
        return self

    def with_each(self, change: Callable[[str], str]) -> "Phrase":
        """The same with every place that is text changed."""
        changed = {
            name: place.with_each(change)
            if isinstance(place, Phrase)
            else change(place)
            if isinstance(place, str)
            else place
            for name, place in self.places.items()
        }
        return Phrase(self.code, self.english, **changed)


def within(place: object, text: str) -> Phrase:
    """A phrase with the name of its place before it, as files and keys have one."""
    return Phrase("", "{place}: {text}", place=str(place), text=text)


def joined(sign: str, texts: Iterable[str]) -> Phrase:
    """Several phrases as one, with a sign between them."""
    places = {f"text_{nth}": text for nth, text in enumerate(texts)}
    return Phrase("", sign.join(f"{{{name}}}" for name in places), **places)


NONE = Phrase("none", "none")
"""Where there is nothing to list."""


def not_opened(path: str, error: Exception) -> Phrase:
    """A device file that cannot be opened, for a reason of the system's."""
    return Phrase("shut", "{path} cannot be opened: {why}", path=path, why=str(error))


def no_package(name: str) -> Phrase:
    """One of Debian's Python packages is not installed."""
    return Phrase(
        "no_package",
        "the Python package {name} is missing: sudo apt install python3-{name}",
        name=name,
    )


def pin_refused(pin: int, what: str, error: Exception) -> Phrase:
    """A pin that the pin library does not give."""
    return Phrase(
        "pin_refused",
        "GPIO{pin} ({what}) cannot be used: {why}. If another program holds it, "
        "`gpioinfo` names it.",
        pin=pin,
        what=what,
        why=str(error),
    )


def name_must_end(one: str, other: str) -> Phrase:
    """A file whose ending says what is to be written, and does not."""
    return Phrase("must_end", "the name must end in {one} or {other}", one=one, other=other)
