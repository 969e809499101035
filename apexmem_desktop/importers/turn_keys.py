"""What makes a turn the same turn in another export of the same chat."""

from collections.abc import Container
from hashlib import sha256


class TurnKeys:
    """Gives each turn of one conversation its key; equal turns are told apart by their count."""

    def __init__(self) -> None:
        self._seen: dict[bytes, int] = {}

    def key(self, *parts: str) -> str:
        """Digest speaker, local clock, kind and text, and how often these came before."""
        base = "\x1f".join(parts).encode("utf-8", "replace")
        first = sha256(base + b"\x1f0")
        seen, brief = self._seen, first.digest()[:16]
        if brief not in seen:
            seen[brief] = 1
            return first.hexdigest()[:32]
        count = seen[brief]
        seen[brief] = count + 1
        return sha256(base + b"\x1f%d" % count).hexdigest()[:32]


class DayKeys(TurnKeys):
    """The same keys for turns that come day by day, of which only one day's are kept in mind.

    Equal turns are of one day, their clock being part of what is equal. The days that the export
    comes back to later are kept to the end.
    """

    def __init__(self, returning: Container[int]) -> None:
        """Begin.

        Args:
            returning: The days that come more than once with others between.
        """
        super().__init__()
        self._returning = returning
        self._kept: dict[int, dict[bytes, int]] = {}

    def enter(self, day: int) -> None:
        """Say that the next turns are of this day, and differ in their clock from other days'."""
        self._seen = self._kept.setdefault(day, {}) if day in self._returning else {}
