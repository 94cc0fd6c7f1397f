"""Who keeps the score: one pad at a time, and another only after it has said so and meant it.

Pure; times are monotonic milliseconds. The first pad that presses keeps score. Another one of the
same role is refused until it asks for the role (it holds OK) and confirms (it presses OK). Any
press of the one who keeps score in between says no.
"""

from enum import StrEnum

CONFIRM_MS = 10_000
"""How long a pad that has asked for the role may take to confirm."""


class Claim(StrEnum):
    """What a press means for the role."""

    KEEPS = "keeps"
    """It is the scorer's: it acts."""
    NOT_SCORER = "not_scorer"
    """It does nothing, and both pads are told."""
    TAKEOVER = "takeover"
    """It asks for the role: everybody is told, nothing has changed."""
    TAKEN_OVER = "taken_over"
    """It confirms: the role is another's now. The press itself enters nothing."""


class Scorer:
    """The role of one table. `owner` is the pad that keeps score, none before the first press."""

    def __init__(self, owner: str | None = None) -> None:
        self.owner = owner
        self._asks: str | None = None
        self._until_ms = 0

    def claim(self, pad: str, *, is_ok: bool, held: bool, now_ms: int) -> Claim:
        """A press of a pad with this role; `is_ok` says that its key is OK."""
        if self.owner in (None, pad):
            self.owner, self._asks = pad, None
            return Claim.KEEPS
        if not is_ok:
            return Claim.NOT_SCORER
        if held:
            self._asks, self._until_ms = pad, now_ms + CONFIRM_MS
            return Claim.TAKEOVER
        if self._asks == pad and now_ms < self._until_ms:
            self.owner, self._asks = pad, None
            return Claim.TAKEN_OVER
        return Claim.NOT_SCORER
