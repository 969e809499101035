"""From tokens to text that may be shown: whole characters only, and nothing of a stop text."""

import codecs
from collections.abc import Sequence


class ReplyText:
    """Collects the bytes of a reply and tells which text is safe to show.

    Attributes:
        text: All whole characters so far, cut before a stop text.
        stopped: Whether a stop text has come.
    """

    def __init__(self, stop: Sequence[str]) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._stop = tuple(one for one in stop if one)
        self._shown = 0
        self.text = ""
        self.stopped = False

    def add(self, piece: bytes) -> str:
        """Take more bytes and give the text that can now be shown, perhaps none."""
        self.text += self._decoder.decode(piece)
        at = min((at for at in map(self.text.find, self._stop) if at >= 0), default=-1)
        if at >= 0:
            self.text = self.text[:at]
            self.stopped = True
            return self._show_until(at)
        return self._show_until(len(self.text) - self._held_back())

    def finish(self) -> str:
        """Give what was held back, now that nothing more comes."""
        return self._show_until(len(self.text))

    def _show_until(self, end: int) -> str:
        fresh = self.text[self._shown : end]
        self._shown = max(self._shown, end)
        return fresh

    def _held_back(self) -> int:
        """How many characters at the end might be the beginning of a stop text."""
        return max((_overlap(self.text, stop) for stop in self._stop), default=0)


def _overlap(text: str, stop: str) -> int:
    for length in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
