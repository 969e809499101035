"""The part of a long turn that bears on a question: its best sentence, and those around it."""

import re
from collections.abc import Sequence

from apexmem_desktop.agent.topic import share_on_topic

CUT = "…"
_SENTENCE = re.compile(r"[^.!?。！？]*(?:[.!?。！？]+[\"'”’)]*\s*|$)")


def excerpt(text: str, topic: Sequence[str], most_chars: int) -> str:
    """Give at most so many characters (and the marks where it is cut) of a text.

    Args:
        topic: The words of what is asked; where no sentence has any, it is the text's beginning.
    """
    if len(text) <= most_chars:
        return text
    sentences = [part for part in _SENTENCE.findall(text) if part]
    shares = [share_on_topic(one, topic) for one in sentences]
    best = shares.index(max(shares))
    first, last = _around(sentences, best, most_chars)
    kept = "".join(sentences[first : last + 1]).strip()
    before = CUT if first else ""
    after = CUT if last + 1 < len(sentences) or len(kept) > most_chars else ""
    return f"{before}{kept[:most_chars]}{after}"


def _around(sentences: Sequence[str], best: int, most_chars: int) -> tuple[int, int]:
    """Take in the neighbours, that before first: it tells what is spoken of."""
    first = last = best
    room = most_chars - len(sentences[best])
    while True:
        if first and len(sentences[first - 1]) <= room:
            first -= 1
            room -= len(sentences[first])
        elif last + 1 < len(sentences) and len(sentences[last + 1]) <= room:
            last += 1
            room -= len(sentences[last])
        else:
            return first, last
