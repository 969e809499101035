"""Citations: which words of which turn prove an answer, numbered as they are cited."""

import re
from collections.abc import Iterable, Sequence

from apexmem_desktop.domain.answers import Citation, TurnHit
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.storage.names import normalise

MAX_CITATIONS = 8
MAX_QUOTE_CHARS = 240
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


def cite_facts(facts: Sequence[Fact]) -> tuple[Citation, ...]:
    """Cite the first proof of each fact; the same words are cited once."""
    citations: dict[tuple[int, int], Citation] = {}
    for fact in facts:
        for one in fact.evidence[:1]:
            key = (one.turn_id, one.start)
            if key not in citations and len(citations) < MAX_CITATIONS:
                citations[key] = Citation(
                    number=len(citations) + 1,
                    turn_id=one.turn_id,
                    session_id=one.session_id,
                    session=one.session_title,
                    speaker=one.speaker,
                    said_at_ms=one.said_at_ms,
                    offset_minutes=one.offset_minutes,
                    quote=one.quote,
                    start=one.start,
                    end=one.end,
                )
    return tuple(citations.values())


def cite_turns(hits: Iterable[TurnHit], answer: str, question: str) -> tuple[Citation, ...]:
    """Cite turns by the sentence in each that is nearest to the answer and the question."""
    citations = []
    for number, hit in enumerate(list(hits)[:MAX_CITATIONS], start=1):
        start, end = _nearest_sentence(hit.text, answer, question)
        citations.append(
            Citation(
                number=number,
                turn_id=hit.turn_id,
                session_id=hit.session_id,
                session=hit.session_title,
                speaker=hit.speaker,
                said_at_ms=hit.said_at_ms,
                offset_minutes=hit.offset_minutes,
                quote=hit.text[start:end],
                start=start,
                end=end,
            )
        )
    return tuple(citations)


def _nearest_sentence(text: str, answer: str, question: str) -> tuple[int, int]:
    if len(text) <= MAX_QUOTE_CHARS:
        return 0, len(text)
    spans = [m.span() for m in _SENTENCE.finditer(text) if m.group().strip()] or [(0, len(text))]
    wanted, asked = _words(answer), _words(question)
    start, end = max(spans, key=lambda s: _overlap(text[s[0] : s[1]], wanted, asked))
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return start, min(end, start + MAX_QUOTE_CHARS)


def _overlap(sentence: str, wanted: set[str], asked: set[str]) -> int:
    own = _words(sentence)
    return 2 * len(own & wanted) + len(own & asked)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\u4e00-\u9fff]|[^\W_]{3,}", normalise(text)))
