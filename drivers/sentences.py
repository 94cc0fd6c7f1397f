"""What is wrong, in English for a log, and by a code for whoever says it in another language.

A log must need no file of words: the English stands here, where it is raised.
"""

from collections.abc import Callable, Iterable


class Sentence(str):
    """A sentence in English; `code` and `places` say the same in any other language.

    Its `english` has the places in `{ }`; a place may be `Sentence` itself. Without a code the
    sentence is made of places and signs alone, the same in every language.
    """

    code: str
    english: str
    places: dict[str, object]

    def __new__(cls, code: str, english: str, /, **places: object) -> "Sentence":
        """A sentence with its places filled."""
        self = super().__new__(cls, english.format(**places))
        self.code, self.english, self.places = code, english, places
        return self

    def with_each(self, change: Callable[[str], str]) -> "Sentence":
        """The same with every place that is text changed."""
        changed = {
            name: place.with_each(change)
            if isinstance(place, Sentence)
            else change(place)
            if isinstance(place, str)
            else place
            for name, place in self.places.items()
        }
        return Sentence(self.code, self.english, **changed)


def within(place: str, text: str) -> str:
    """A sentence with the name of its place before it, as files and keys have one."""
    return Sentence("", "{place}: {text}", place=place, text=text)


def joined(sign: str, texts: Iterable[str]) -> str:
    """Several sentences as one, with a sign between them."""
    places = {f"text_{nth}": text for nth, text in enumerate(texts)}
    return Sentence("", sign.join(f"{{{name}}}" for name in places), **places)


NONE = Sentence("none", "none")
"""Where there is nothing to list."""


def not_opened(path: str, error: Exception) -> Sentence:
    """A device file that cannot be opened, for a reason of the system's."""
    return Sentence("shut", "{path} cannot be opened: {why}", path=path, why=str(error))


def no_package(name: str) -> Sentence:
    """One of Debian's Python packages is not installed."""
    return Sentence(
        "no_package",
        "the Python package {name} is missing: sudo apt install python3-{name}",
        name=name,
    )


def pin_refused(pin: int, what: str, error: Exception) -> Sentence:
    """A pin that the pin library does not give."""
    return Sentence(
        "pin_refused",
        "GPIO{pin} ({what}) cannot be used: {why}. If another program holds it, "
        "`gpioinfo` names it.",
        pin=pin,
        what=what,
        why=str(error),
    )
