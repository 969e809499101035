"""A question on its way through the signals."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apexmem_desktop.recall.question import Understood


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its filters and its vectors.

    Attributes:
        speaker: Only turns of this speaker; "" for all.
        from_ms: Only turns said at or after this UTC instant.
        to_ms: Only turns said before this UTC instant.
        known_at_ms: Only turns that had been imported by this UTC instant.
        turn_vector: To look for turns with; None without an embedder.
        talk_vector: To look for stretches of talk with; None without an embedder.
        fact_vector: To look for facts with; None without an embedder.
    """

    query: str
    read: Understood
    speaker: str = ""
    from_ms: int | None = None
    to_ms: int | None = None
    known_at_ms: int | None = None
    embedder_id: str = ""
    turn_vector: npt.NDArray[np.float32] | None = None
    talk_vector: npt.NDArray[np.float32] | None = None
    fact_vector: npt.NDArray[np.float32] | None = None

    @property
    def text(self) -> str:
        """The words to look for: what is left of the question, or all of it."""
        return " ".join(self.read.words) or self.query

    @property
    def is_filtered(self) -> bool:
        """Whether only some turns may be found."""
        limits = (self.from_ms, self.to_ms, self.known_at_ms)
        return bool(self.speaker) or any(limit is not None for limit in limits)
