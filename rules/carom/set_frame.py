"""A set of any carom game as the match sees it: all that its strokes do not change."""

from typing import Self

from msgspec.structs import replace

from rules.carom import play
from rules.carom.adjust import position_text
from rules.carom.figures import figures_of
from rules.carom.position import CaromCarry
from rules.carom.state import SetState
from rules.entries import Entry
from rules.figures import Figures
from rules.frame import Carry
from rules.record import Fields


class SetFrame(SetState, frozen=True, kw_only=True):
    """What the series games and the pins games share; each says what may be played, and a stroke.

    It is no whole frame: `legal`, `stroke` and `announced` are its games'.
    """

    def stroke(self, entry: Entry) -> Self:
        """The set after a stroke, with nothing held and no choice open.

        Raises:
            NotAllowed: this game has no such stroke, or it does not fit.
        """
        raise NotImplementedError

    def after(self, entry: Entry) -> Self:
        """The set after an entry.

        Raises:
            NotAllowed: it does not fit; nothing has changed.
        """
        frame = play.begun(self)
        between = play.between_strokes(frame, entry)
        return frame.stroke(entry) if between is None else between

    @property
    def situation(self) -> str:
        """None that a key depends on."""
        return ""

    def figures(self) -> Figures:
        """Its numbers for displays."""
        return figures_of(self)

    def position(self) -> Fields:
        """The set as text, what differs from its first moment."""
        return position_text(self)

    def with_carry(self, carry: Carry) -> Self:
        """With an offence counted that came after the end."""
        assert isinstance(carry, CaromCarry)
        return replace(self, carry=carry)

    def handed_back(self) -> Carry:
        """The carry for the set after this one."""
        return play.handed_back(self)
