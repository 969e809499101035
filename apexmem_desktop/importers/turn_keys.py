"""What makes a turn the same turn in another export of the same chat."""

from hashlib import sha256


class TurnKeys:
    """Gives each turn of one conversation its key; equal turns are told apart by their count."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def key(self, *parts: str) -> str:
        """Digest speaker, local clock, kind and text, and how often these came before."""
        base = "\x1f".join(parts).encode("utf-8", "replace")
        first = sha256(base + b"\x1f0").hexdigest()[:32]
        count = self._seen.get(first, 0)
        self._seen[first] = count + 1
        if count == 0:
            return first
        return sha256(base + b"\x1f%d" % count).hexdigest()[:32]
