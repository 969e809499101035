"""When a candidate held: from its sentence's time words and the turn's own clock, no model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.chronology import validity, words
from apexmem_desktop.chronology.tense import Tense, tense_at
from apexmem_desktop.domain.graph import Modality
from apexmem_desktop.domain.interval import TimeSource, TimeSpan, Validity
from apexmem_desktop.domain.turn import Turn

# A turn without a time can still be dated by absolute words ("in May 2021"), not by relative ones.
_NO_ANCHOR_MS = 0

# Of these a time counts only where it stands in the value itself.
_OF_NOW = frozenset({"thinks", "feels", "advises", "needs", "shows", "values"})

_PLANNING = re.compile(
    r"\b(?:will|['’]ll|going to|gonna|plan\w*|starting|booked|about to|next|tomorrow|getting|"
    r"moving|flying|driving|travelling|soon|from)\b|打算|准备|计划|将|要|明天|下周|下个月|明年",
    re.IGNORECASE,
)


_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_WEEKDAYS = re.compile(
    rf"(?:from |between )?{_WEEKDAY}(?: (?:to|through|thru|until|till|and) | ?[-–] ?){_WEEKDAY}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dated:
    """When something held, and whether that is still to come."""

    validity: Validity
    modality: Modality


def date_candidate(turn: Turn, candidate: Candidate) -> Dated:
    """Work out a candidate's validity and whether it is told as a plan."""
    spans = _usable_spans(turn, candidate)
    told = validity.validity_from_spans(
        spans,
        said_at_ms=turn.said_at_ms,
        offset_minutes=turn.offset_minutes,
    )
    planned = candidate.shape == "plans" or _starts_later(turn, told)
    return Dated(told, Modality.PLANNED if planned and candidate.holds else Modality.ASSERTED)


def _usable_spans(turn: Turn, candidate: Candidate) -> list[TimeSpan]:
    found = _spans(turn, candidate.sentence)
    if not found and candidate.resumed:
        # "I'm climbing again! first session was on Monday": the rest of the turn tells since when.
        candidate = replace(
            candidate,
            sentence=turn.text[candidate.sentence_start :],
        )
        found = [one for one in _spans(turn, candidate.sentence) if one.role != "until"]
    if turn.said_at_ms is None:
        found = [span for span in found if span.source.value == "stated"]
    elif not _may_lie_ahead(candidate):
        # "I work at Lumo, two years in November": what holds already does not begin later.
        found = [span for span in found if span.start_ms <= turn.said_at_ms]
    if candidate.shape == "plans" and turn.said_at_ms is not None:
        # "The roof fell in yesterday, so I'm gonna move": what is planned does not lie behind.
        said_at_ms = turn.said_at_ms
        found = [span for span in found if span.end_ms > said_at_ms]
    return _nearest([one for one in found if not _of_another(one, candidate)], candidate)


# "A quiet Sunday after we moved last week", "great news: I joined a gym on Monday": what is told
# behind these is another deed. "When" and "while" tell of the same time.
_OTHER_CLAUSE = re.compile(
    r"(?:\s[-–—]+\s|--+|[;:(]|,?\s(?:and|but|so|because|after|before|since|which|who|that|cuz)\s)"
    r"\s*(?:\w+ly )?(?:I|we|he|she|they|it|you|my|our|there)\b(?!\s+(?:for|on|at|in)\b)"
    # "Had a busy week, my loom broke on Friday"
    r"|,\s(?:I|we|he|she|they|my \w+)\s+\w+",
)
_NOW_AND = re.compile(r"\bnow,? (?:and|but) I(?:['’]ve)?\b")
# "A book from the 1900s": how old a thing is, not when it was found.
_OF_ITS_MAKING = re.compile(r"\b(?:from|of) (?:the )?(?:early |late )?$", re.IGNORECASE)


def _of_another(span: TimeSpan, candidate: Candidate) -> bool:
    """Whether time words belong to another clause of the sentence, or to the thing itself."""
    start = candidate.value_start - candidate.sentence_start
    end = start + len(candidate.as_said or candidate.value)
    phrase_end = span.phrase_start + len(span.phrase)
    text = candidate.sentence
    if start <= span.phrase_start < end:
        made = _OF_ITS_MAKING.search(text[start : span.phrase_start])
        return made is not None and span.source is TimeSource.STATED and span.ends is None
    if span.phrase_start >= end:
        return _OTHER_CLAUSE.search(text[end : span.phrase_start]) is not None
    return phrase_end <= start and _NOW_AND.search(text[span.phrase_start : start]) is not None


def _spans(turn: Turn, text: str) -> list[TimeSpan]:
    anchor = turn.said_at_ms if turn.said_at_ms is not None else _NO_ANCHOR_MS
    found = words.find_time_spans(
        text, anchor_ms=anchor, offset_minutes=turn.offset_minutes, zone=turn.zone
    )
    return [span for span in found if not _is_weekly(span, text)]


def _is_weekly(span: TimeSpan, text: str) -> bool:
    """Tell the days of every week from those of one: "I work there from Monday to Friday"."""
    if span.ends is None or not _WEEKDAYS.fullmatch(span.phrase):
        return False
    end = span.phrase_start + len(span.phrase)
    return tense_at(text, span.phrase_start, end) is Tense.UNKNOWN


def _may_lie_ahead(candidate: Candidate) -> bool:
    return candidate.shape in ("plans", "took_place_on") or bool(
        _PLANNING.search(candidate.sentence)
    )


def _nearest(spans: Sequence[TimeSpan], candidate: Candidate) -> list[TimeSpan]:
    """Keep the words nearest to the value, of each role: others belong to other clauses."""
    if candidate.shape == "took_place_on":
        return []  # the date is the value itself; the fact is not bounded by it
    middle = candidate.value_start - candidate.sentence_start
    if candidate.shape in _OF_NOW:  # "Rest is vital, I learned last year": thought now, not then
        end = middle + len(candidate.value)
        spans = [span for span in spans if middle <= span.phrase_start < end]
        if candidate.shape != "thinks" and candidate.shape != "shows":
            return []  # "excited for tomorrow" is so today
    kept: dict[str, TimeSpan] = {}
    for span in sorted(spans, key=lambda one: _distance(one, middle, len(candidate.value))):
        kept.setdefault("until" if span.role == "until" else "start", span)
    return list(kept.values())


def _distance(span: TimeSpan, start: int, length: int) -> int:
    if span.phrase_start >= start:
        return max(0, span.phrase_start - (start + length))
    return max(0, start - (span.phrase_start + len(span.phrase))) + 1


def _starts_later(turn: Turn, told: Validity) -> bool:
    earliest = told.start.earliest_ms
    return turn.said_at_ms is not None and earliest is not None and earliest > turn.said_at_ms


def is_event(candidate: Candidate) -> bool:
    """Whether the candidate tells of something that happened, beside what it makes true."""
    return bool(load_shapes()[candidate.shape].event_type)
