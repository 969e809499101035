"""What the memory holds that bears on a question for advice: the asker's own words, never advice.

A memory knows no film to recommend. It knows that its owner adores slow films and saw one of them.
So such a question is answered with the shortest lines that they told of themselves on its topic:
facts of what they like, have and cannot do, and sentences of their turns, each as it was told and
with its proof. No model is asked; where nothing told lies near the topic, the answer says so.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from apexmem_desktop.agent.grounding import find_unsupported
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.own_words import as_told, told_of_you
from apexmem_desktop.agent.wording import one_line
from apexmem_desktop.domain.answers import Citation, TurnHit
from apexmem_desktop.domain.graph import Evidence, Fact, FactStatus, Modality
from apexmem_desktop.recall.bearing import Topic, topic_of
from apexmem_desktop.recall.telling import (
    is_asked,
    is_lasting,
    is_own,
    is_request,
    is_telling_length,
    sentences,
)
from apexmem_desktop.recall.vocabulary import english_words, root

MAX_LINES = 4
MAX_OF_ONE_TURN = 2
MAX_TURNS = 12
MAX_SENTENCES_OF_TURN = 12
MAX_FACTS = 12
MAX_LINE_CHARS = 200
# What a line counts beside how near its vector lies to the topic's, 0 to 1.
EACH_SHARED = 0.12
PAIRED = 0.1
LASTING = 0.1
ASKS = -0.15  # "Where do I get lenses for my Nikon?" tells of a Nikon, but asks for something
FOUND = 0.2  # of the turn that the search found first; of others by their share of its score
WORDS_ALONE = 0.5  # where there are no vectors, by the share of the topic's words
# Below it, before what the search found counts, a line has nothing to do with the topic. Of 24
# invented questions that nobody had told anything on, the best line of 14 lies below.
LEAST_NEAR = 0.45
# The same for what somebody likes, has or does in the talk that the best line is from.
LEAST_NEAR_BESIDE = 0.25
# So far below the best one, a line is beside the point.
MOST_BELOW_BEST = 0.25


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an answer, with where it was told.

    Attributes:
        text: As it is given: a sentence of a turn, or a fact in few words.
        proof: The words of the turn that tell it.
        found: The turn's share of the best score that the search gave, 0 to 1.
    """

    text: str
    proof: Citation
    found: float = 0.0
    fact: Fact | None = None


def find_bearing(inquiry: Inquiry) -> list[Line]:
    """Find the lines that bear on what advice is asked on, the nearest first, with numbers.

    Returns:
        At most four; none where nothing that was told lies near.
    """
    lines = [one for one in _lines(inquiry) if _is_true(inquiry, one)]
    near = _nearness(inquiry, lines)
    scores = [score + FOUND * line.found for score, line in zip(near, lines, strict=True)]
    ranked = sorted(range(len(lines)), key=lambda place: -scores[place])
    best = next((place for place in ranked if near[place] >= LEAST_NEAR), None)
    if best is None:
        return []
    kept = [
        lines[place]
        for place in ranked
        if (near[place] >= LEAST_NEAR and scores[place] >= scores[best] - MOST_BELOW_BEST)
        or (near[place] >= LEAST_NEAR_BESIDE and _is_beside(lines[place], lines[best]))
    ]
    return [
        replace(line, proof=replace(line.proof, number=number))
        for number, line in enumerate(_chosen(kept), start=1)
    ]


def _is_beside(line: Line, best: Line) -> bool:
    """Whether a line tells of a thing, habit or liking in the talk that the best line is from."""
    told = line.proof.quote
    return (
        line.proof.session_id == best.proof.session_id
        and is_lasting(told)
        and not is_asked(told)
        and not is_request(told)
    )


def worded(lines: Sequence[Line], language: str) -> str:
    """Put the lines into one answer, a fact as it is and a sentence as somebody's words."""
    return as_told([(line.text, line.fact is None) for line in lines], language)


def _chosen(ranked: Iterable[Line]) -> list[Line]:
    """Take the first few, none that repeats another or its proof."""
    chosen: list[Line] = []
    for line in ranked:
        beside = [one.proof for one in chosen if one.proof.turn_id == line.proof.turn_id]
        overlaps = any(p.start < line.proof.end and line.proof.start < p.end for p in beside)
        said = any(one.text.casefold() == line.text.casefold() for one in chosen)
        if not overlaps and not said and len(beside) < MAX_OF_ONE_TURN:
            chosen.append(line)
        if len(chosen) == MAX_LINES:
            break
    return chosen


def _lines(inquiry: Inquiry) -> Iterator[Line]:
    """Give what is known, and what was said, by those who are asked about."""
    speakers = inquiry.read.speakers
    hits = [hit for hit in inquiry.board.hits if not speakers or hit.speaker in speakers]
    most = max((hit.score for hit in hits), default=0.0) or 1.0
    found = {hit.turn_id: hit.score / most for hit in hits}
    for fact in _facts(inquiry)[:MAX_FACTS]:
        first = fact.evidence[0]
        said = told_of_you(fact.property, fact.value, inquiry.language_of_question)
        if said:
            yield Line(said, _proof(first), found.get(first.turn_id, 0.0), fact)
    for hit in hits[:MAX_TURNS]:
        for start, end in list(sentences(hit.text))[:MAX_SENTENCES_OF_TURN]:
            told = hit.text[start:end]
            if is_telling_length(told) and len(told) <= MAX_LINE_CHARS and is_own(told):
                yield Line(one_line(told), _quoted(hit, start, end), found[hit.turn_id])


def _facts(inquiry: Inquiry) -> list[Fact]:
    """Give the facts of the asker that hold, and that they told themselves."""
    asker = inquiry.read.asker
    return [
        fact
        for fact in inquiry.board.facts
        if asker
        and fact.subject == asker
        and fact.polarity
        and fact.modality is Modality.ASSERTED
        and fact.status is FactStatus.CURRENT
        and fact.evidence
        and fact.evidence[0].speaker == asker
    ]


def _proof(one: Evidence) -> Citation:
    return Citation(
        number=0,
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


def _quoted(hit: TurnHit, start: int, end: int) -> Citation:
    return Citation(
        number=0,
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


def _is_true(inquiry: Inquiry, line: Line) -> bool:
    """Check a line as every answer is: nothing in it that its proof does not tell."""
    missing = find_unsupported(line.text, [line.proof.quote], "")
    if missing:
        inquiry.drop(line.text, f"not in the turns cited: {', '.join(missing)}")
    return not missing


def _nearness(inquiry: Inquiry, lines: Sequence[Line]) -> list[float]:
    """Tell how near each line is to the topic, by its vector, its words and what kind it is of."""
    topic = topic_of(inquiry.read)
    told = [line.proof.quote for line in lines]
    cosines = _cosines(inquiry, told, topic)
    return [
        cosine
        + _shared(one, topic)
        + LASTING * is_lasting(one)
        + ASKS * (is_asked(one) + is_request(one))
        for cosine, one in zip(cosines, told, strict=True)
    ]


def _cosines(inquiry: Inquiry, told: Sequence[str], topic: Topic) -> list[float]:
    """Compare with the topic by vectors; without an embedder, or in Chinese, words must do.

    The default embedder knows hardly any Chinese.
    """
    embedder = inquiry.frame.embedder
    if not told:
        return []
    if embedder is None or inquiry.read.language == "zh":
        most = len(topic.words) or 1
        return [WORDS_ALONE * len(topic.shared(one)) / most for one in told]
    asked, *others = embedder.embed([inquiry.read.in_their_words, *told])
    return [float(np.dot(asked, one)) for one in others]


def _shared(text: str, topic: Topic) -> float:
    """Count the words of the topic that a text has, and whether two stand side by side."""
    told = [root(word) for word in english_words(text)]
    paired = bool(topic.pairs.intersection(pairwise(told)))
    return EACH_SHARED * len(topic.shared(text)) + PAIRED * paired
