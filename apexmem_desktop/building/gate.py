"""Which sentences of a turn can hold something lasting. No model: it must be nearly free."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from apexmem_desktop.building import noting
from apexmem_desktop.building.addressed import with_names
from apexmem_desktop.building.belongings import read_belongings
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.checking import VAGUE
from apexmem_desktop.building.chinese import read_chinese
from apexmem_desktop.building.clauses import read_clauses
from apexmem_desktop.building.dialogue import read_answers
from apexmem_desktop.building.everyday import with_canonical_name
from apexmem_desktop.building.grounding import may_tell_something
from apexmem_desktop.building.joined import read_joined
from apexmem_desktop.building.named import read_named
from apexmem_desktop.building.ontology import PropertyShape, find_cued
from apexmem_desktop.building.others import read_others
from apexmem_desktop.building.patterns import read_by_pattern
from apexmem_desktop.building.quoted import (
    find_quoted,
    find_spoken,
    read_pictured,
    without_spoken,
)
from apexmem_desktop.building.standing import VIEWS
from apexmem_desktop.building.statements import Saying, Sentence, split_sentences
from apexmem_desktop.building.together import with_companions
from apexmem_desktop.building.views import read_views
from apexmem_desktop.domain.turn import Turn

# A pasted document is not a conversation; what a person tells of themself stands near its start.
MAX_TURN_CHARS = 4000
MAX_SENTENCES = 16

_QUOTED_LINE = re.compile(r"^>.*$", re.MULTILINE)
_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LINK = re.compile(r"https?://\S+")
# What an importer writes beside a picture describes it; the speaker did not say it.
_CAPTION = re.compile(r"\[shared image:[^\]]*\]")
# A pasted or forged transcript of a program: from here on nobody speaks of themselves.
_TRANSCRIPT = re.compile(
    r"^[ \t]*(?:(?:EntityLookup|GraphSQL|SchemaViewer|Observation|Final Answer|system|assistant)"
    r"[ \t]*:|#{2,}[ \t]|<\|).*\Z",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
# What somebody is ordered to say is not told by who orders it.
_ORDER = re.compile(
    r"(?:\b(?:must|should|shall|ha(?:s|ve) to)[ ]+|^[ \t]*(?:please[ ]+)?)"
    r"(?:say|answer|reply|respond|claim|pretend|repeat)\b[^.!?\n]*",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Opening:
    """A sentence that may tell something.

    Attributes:
        told: What it tells without doubt.
        shapes: The properties that it may tell of.
    """

    sentence: Sentence
    told: tuple[Candidate, ...]
    shapes: tuple[PropertyShape, ...]

    @property
    def asks(self) -> bool:
        """Whether the model is to be asked: nothing was read, or only a view beside a plain cue."""
        if not all(one.shape in VIEWS for one in self.told):
            return False
        if not self.told and not may_tell_something(self.sentence.text):
            return False
        plain = any(shape.name not in VAGUE for shape in self.shapes)
        return plain if self.told else bool(self.shapes)


def find_openings(turn: Turn, before: Sequence[Turn] = ()) -> tuple[Opening, ...]:
    """Find the sentences worth reading; none means that the turn is passed over.

    Args:
        before: The turns before it in its session, oldest first: it may answer the last of them.
    """
    text = _blank_out(turn.text[:MAX_TURN_CHARS])
    worth = (Saying.STATEMENT, Saying.COURTESY)
    answers = [with_canonical_name(one) for one in read_answers(turn, before)] if before else []
    openings = [
        _opening(turn, one, before, answers)
        for one in split_sentences(text)
        if one.saying in worth or any(a.sentence_start == one.start for a in answers)
    ]
    openings += _quoted_openings(turn, before)
    return tuple(one for one in openings if one.told or one.asks)[:MAX_SENTENCES]


def _quoted_openings(turn: Turn, before: Sequence[Turn]) -> list[Opening]:
    """Read what a reply quotes of somebody whom it names; it is not told of who replies."""
    shown = replace(turn, text=turn.text[:MAX_TURN_CHARS])
    quotes = list(islice(find_spoken(shown), MAX_SENTENCES))
    if "\n>" in f"\n{turn.text[:MAX_TURN_CHARS]}":
        quotes += find_quoted(turn, before)
    return [
        Opening(one, _told(quoted, one, ()), ())
        for quoted in quotes
        for one in split_sentences(quoted.text[:MAX_TURN_CHARS])
        if one.saying is Saying.STATEMENT
    ]


def is_let_through(turn: Turn, before: Sequence[Turn], openings: Sequence[Opening]) -> bool:
    """Tell whether the model may be asked about a turn; what rules read of it stands anyway."""
    told = [candidate for opening in openings for candidate in opening.told]
    return noting.score(turn, before, told, opens=bool(openings)) >= noting.load_weights().threshold


def spare_model(
    turn: Turn, before: Sequence[Turn], openings: Sequence[Opening]
) -> tuple[Opening, ...]:
    """Leave of a turn that is not let through only what the rules read."""
    if is_let_through(turn, before, openings):
        return tuple(openings)
    return tuple(replace(one, shapes=()) for one in openings if one.told)


def _opening(
    turn: Turn, sentence: Sentence, before: Sequence[Turn], answers: Sequence[Candidate]
) -> Opening:
    shapes = find_cued(sentence.text) if sentence.saying is Saying.STATEMENT else ()
    told = list(with_companions(turn, _told(turn, sentence, before), before))
    told = list(with_names(turn, told, before))
    here = [one for one in answers if one.sentence_start == sentence.start]
    told += [one for one in here if one.from_question or not _overlaps(one, told)]
    return Opening(sentence, tuple(told), shapes)


def _overlaps(one: Candidate, told: Sequence[Candidate]) -> bool:
    return any(
        one.value_start < other.value_end and other.value_start < one.value_end for other in told
    )


def _told(turn: Turn, sentence: Sentence, before: Sequence[Turn]) -> tuple[Candidate, ...]:
    """Read what a sentence tells without doubt: the patterns first, then its plain clauses."""
    if sentence.saying is not Saying.STATEMENT:
        return tuple(read_views(turn, sentence, before))
    by_pattern = read_by_pattern(turn, sentence)
    by_pattern += _apart(read_named(turn, sentence), by_pattern)
    told = [*by_pattern, *read_clauses(turn, sentence, by_pattern)]
    told += _apart(read_joined(turn, sentence), told)
    told += _apart(read_belongings(turn, sentence), told)
    told += _apart(read_others(turn, sentence, before), told)
    told += _apart(read_views(turn, sentence, before), told)
    told += [*read_pictured(turn, sentence), *read_chinese(turn, sentence, told)]
    return tuple(map(with_canonical_name, told))


def _apart(views: Iterable[Candidate], told: Sequence[Candidate]) -> Iterator[Candidate]:
    """Leave out the views that another rule has read already, more narrowly."""
    for view in views:
        begin, end = view.value_start, view.value_end
        if not any(begin < one.value_end and one.value_start < end for one in told):
            yield view


def _blank_out(text: str) -> str:
    """Blank what the speaker does not say of themself; every other character stays in its place."""
    for pattern in (_CODE, _QUOTED_LINE, _LINK, _CAPTION, _TRANSCRIPT, _ORDER):
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    return without_spoken(text)
