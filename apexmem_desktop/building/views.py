"""What somebody thinks, feels, needs, advises or shows, read from English clauses. No model.

Each reader knows clauses of one kind by their first words; the first that knows a clause reads it.
What only says "you are great" or points at something told elsewhere ("it was fun") is left out.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.confidence import BY_VIEW
from apexmem_desktop.building.meant import find_person
from apexmem_desktop.building.moods import (
    AHEAD,
    CANNOT,
    OFF,
    read_admired,
    read_feeling,
    read_needed,
    read_promise,
    read_remembered,
    read_shown,
    read_stands_by,
    read_thanked,
    read_touch,
    read_valued,
)
from apexmem_desktop.building.opinions import (
    FINDS,
    HOPES,
    MEANS,
    read_advice,
    read_embedded,
    read_of_you,
    read_opinion,
    read_told_you,
    read_urged,
)
from apexmem_desktop.building.referents import (
    PERSONS,
    POINTER,
    find_referent,
    find_within,
)
from apexmem_desktop.building.segments import Segment, find_segments
from apexmem_desktop.building.standing import FEELS, MOST_WORDS, THINKS, Read, fits, value_of
from apexmem_desktop.building.statements import Saying, Sentence
from apexmem_desktop.domain.graph import Quote
from apexmem_desktop.domain.turn import Turn

# How often such a reading was right on a judged sample; see docs/quality.md.
VIEW_CONFIDENCE = BY_VIEW


def read_views(turn: Turn, sentence: Sentence, before: Sequence[Turn] = ()) -> Iterator[Candidate]:
    """Read a sentence's views, one at most for each of its clauses.

    Args:
        before: The turns before it, oldest first: they may name what "it" is.
    """
    readers = _READERS if sentence.saying is Saying.STATEMENT else _OF_COURTESY
    segments = list(find_segments(sentence))
    for segment in _readable(sentence, segments):
        if segment.dependent or _hangs_on_more(sentence.text, segment):
            continue
        for reader in readers:
            read = reader(segment.text)
            if read is None:
                continue
            shape, name, start, end = read
            place = (segment.start + start, segment.start + end)
            if reader is read_touch and shape == FEELS:
                told = list(_of_touch(turn, sentence, segments, segment, before))
                yield from told
                if told or not _IN_PICTURE.match(segment.text):
                    break
            yield _candidate(turn, sentence, shape, name, *place)
            break


# "My face gets puffy when I pet a cat": at other times it does not.
_AT_TIMES = re.compile(r"\b(?:gets?|turns?|swells?|hurts?|aches?)\b")
_WHEN = re.compile(r"\s+(?:when|whenever|if)\s+")


def _readable(sentence: Sentence, segments: Sequence[Segment]) -> Iterator[Segment]:
    """Give the clauses, those whole that hold only "when …", and what stands before "who"."""
    for at, segment in enumerate(segments):
        after = segments[at + 1] if at + 1 < len(segments) else None
        tie = _WHEN.match(sentence.text, segment.end)
        if after and tie and tie.end() == after.start and _AT_TIMES.search(segment.text):
            text = sentence.text[segment.start : after.end]
            yield replace(segment, text=text, end=after.end)
            continue
        yield from _whole_and_cut(segment)


def _whole_and_cut(segment: Segment) -> Iterator[Segment]:
    """Give a clause, and what of it stands before "who", which may point elsewhere."""
    yield segment
    at = segment.text.find(" who ")
    if at > 0 and not fits(segment.text, 1):
        yield replace(segment, text=segment.text[:at], end=segment.start + at)


# "This photo reminds me of home": the photo stands beside it.
_IN_PICTURE = re.compile(
    r"(?:this|that|these|those|the)(?: \w+)? (?:pics?|photos?|pictures?)\b.* remind(?:s|ed)? "
    r"|(?:this|that) (?!moment|thing|event|time|day|one|really|always|just|"
    r"also)[a-z]+ remind(?:s|ed) ",
    re.IGNORECASE,
)


def _of_touch(
    turn: Turn,
    sentence: Sentence,
    segments: Sequence[Segment],
    segment: Segment,
    before: Sequence[Turn],
) -> Iterator[Candidate]:
    """Tell what or who touches the speaker, where its own clause says "it", "this" or "she".

    "Pottery is half my life, it helps me sleep": *Pottery helps me sleep*. Where it is open what
    does so, nothing is told: "is helped to sleep" says nothing by itself.
    """
    pointer = POINTER.match(segment.text)
    if pointer is None:
        return
    word = pointer["word"]
    view = _candidate(turn, sentence, THINKS, THINKS, segment.start, segment.end)
    beside: tuple[Quote, ...] = ()
    if word.casefold() in PERSONS:
        found = find_person(turn, sentence.start + segment.start, before, word)
        name = found.name if found else ""
        beside = (found.quote,) if found and found.quote else ()
    elif all(POINTER.match(one.text) for one in segments if one.start < segment.start):
        thing = find_referent(turn, sentence, before, word)
        name = thing.name if thing else ""
        beside = (thing.quote,) if thing else ()
    else:
        name = find_within(sentence, segment.start, word)
        if not name and _begins_it(sentence.text, segments[0], segment):
            place = (segments[0].start, segment.end)
            yield _candidate(turn, sentence, THINKS, THINKS, *place)
            return
    value = name + segment.text[len(word) :]
    if name and fits(value, 4):
        yield replace(view, value=value, as_said=view.value, beside=beside)


_VERB = re.compile(r"\b(?:I|[Ww]e|is|are|was|were|has|have|can|helps?)\b|['’](?:s|m|re|ve)\b")
_IT = re.compile(r"(?:it|they|which|and it|and they)\b", re.IGNORECASE)


def _begins_it(text: str, first: Segment, segment: Segment) -> bool:
    """Whether what "it" is stands before it: "I have my kids; they keep me going"."""
    if first is segment or first.dependent or not _IT.match(segment.text):
        return False
    before, whole = text[first.start : segment.start], text[first.start : segment.end]
    if _VERB.search(before) is None or len(whole.split()) > MOST_WORDS:
        return False
    return fits(before.strip(" ,;–—-"), 3)


_MORE = re.compile(r"\b(?:more|better|easier|worse|harder)\b", re.IGNORECASE)
# "It's sad to see the effects when they are late": of what was told before.
_WHEN_THEY = re.compile(r",?\s+when (?:they|it|he|she|that)\b")
_GOES_ON = re.compile(r",?\s+(?:when|if|once|whenever|than)\b", re.IGNORECASE)


def _hangs_on_more(text: str, segment: Segment) -> bool:
    """Whether a comparison was cut from what it is compared with: "so much better when …"."""
    if _WHEN_THEY.match(text, segment.end):
        return True
    return bool(_MORE.search(segment.text) and _GOES_ON.match(text, segment.end))


def _candidate(
    turn: Turn, sentence: Sentence, shape: str, name: str, start: int, end: int
) -> Candidate:
    begin = sentence.start + start
    value = sentence.text[start:end]
    return Candidate(
        turn_id=turn.id, who=turn.speaker, of_speaker=False, property=name, shape=shape,
        value=value, value_start=begin, value_end=begin + len(value), sentence=sentence.text,
        sentence_start=sentence.start, by="rule", confidence=VIEW_CONFIDENCE,
    )  # fmt: skip


# "It's great to …", "thanks for …": what begins as a courtesy may still say something.
_OF_COURTESY: tuple[Callable[[str], Read | None], ...] = (
    read_thanked,
    read_admired,
    read_valued,
    read_of_you,
    read_stands_by,
    value_of("is", "looks_forward_to", AHEAD),
    value_of(THINKS, "finds", MEANS),
    value_of(THINKS, "finds", FINDS),
    read_urged,
)
_READERS: tuple[Callable[[str], Read | None], ...] = (
    read_shown,
    read_needed,
    value_of("is", "looks_forward_to", AHEAD),
    value_of("plans", "plans", OFF),
    read_thanked,
    read_admired,
    read_valued,
    read_of_you,
    read_stands_by,
    value_of("is", "cannot", CANNOT),
    value_of(THINKS, "hopes", HOPES, 3),
    read_feeling,
    value_of(THINKS, "finds", MEANS),
    value_of(THINKS, "finds", FINDS),
    read_promise,
    read_embedded,
    read_told_you,
    read_remembered,
    read_advice,
    read_opinion,
    read_touch,
)
