"""What is told of somebody else: of "my sister", of one who is named, of "she" behind either.

"My brother opened a bakery" tells of the brother: *opened · bakery*. "He" and "she" mean whom the
sentences before them in the same turn spoke of, when that can be only one. English only, as
`clauses`. No model.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.clauses import (
    CLAUSE_CONFIDENCE,
    is_worth,
    load_words,
    with_particle,
)
from apexmem_desktop.building.dialogue import earlier_words, is_stranger
from apexmem_desktop.building.objects import find_object
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.segments import find_segments
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.graph import Quote
from apexmem_desktop.domain.turn import Turn

WOMEN = frozenset(
    ("sister", "mum", "mom", "mother", "daughter", "wife", "girlfriend", "fiancée", "aunt",
     "niece", "grandma", "grandmother", "granddaughter", "stepmother", "stepmum", "stepmom",
     "stepsister", "sister-in-law", "mother-in-law", "ex-wife", "ex-girlfriend")
)  # fmt: skip
MEN = frozenset(
    ("brother", "dad", "father", "son", "husband", "boyfriend", "fiancé", "uncle", "nephew",
     "grandpa", "grandfather", "grandson", "stepfather", "stepdad", "stepbrother",
     "brother-in-law", "father-in-law", "ex-husband", "ex-boyfriend")
)  # fmt: skip
_RELATION = "|".join(sorted((r for r in RELATIONS if r[0].isascii()), key=len, reverse=True))
_NAME = r"[A-Z][a-z]+(?:-[A-Z][a-z]+)?"
_ADVERBS = r"(?:(?:just|also|really|finally|recently|always|often|even|still|already|actually) )*"
RELATED = re.compile(
    rf"\b[Mm]y (?:(?:little|big|older|younger|twin|best|late) )?(?P<relation>{_RELATION})\b"
    rf"(?:,? (?P<name>{_NAME}),?)?"
)
_SUBJECT = (
    rf"(?:[Mm]y (?:(?:little|big|older|younger|twin|best|late) )?(?P<relation>{_RELATION})"
    rf"(?:,? (?P<name>{_NAME}),?)?|(?P<pronoun>[Hh]e|[Ss]he)|(?P<named>{_NAME}))"
)
_CLAUSE = re.compile(
    rf"{_SUBJECT}(?:(?P<be>['’]s| is| was) {_ADVERBS}|\s+{_ADVERBS}(?P<verb>[a-z]+))"
    r"(?=\s*(?P<rest>[^.!?;:()\n…]*))"
)
# "My son's birthday is on Friday": 's is no "is".
_HIS_THING = re.compile(r"\s*[a-z]+(?: [a-z]+)? (?:is|was|has|had|are|were)\b")
# What a person does and a thing does not, so that a capital at the start of a clause is a name.
_OF_PEOPLE = frozenset(
    ("told", "joined", "bought", "met", "wrote", "moved", "married", "invited", "cooked", "baked",
     "adopted", "visited", "asked", "loves", "lives", "plays", "wants", "painted", "graduated",
     "taught", "showed", "called", "texted", "emailed", "promised", "said", "went", "offered",
     "introduced", "recommended", "sent", "quit", "studied", "retired", "proposed", "works")
)  # fmt: skip
_NEVER_NAMED = frozenset(
    ("I", "We", "They", "You", "He", "She", "It", "This", "That", "Who", "Everyone", "Everybody",
     "Someone", "Somebody", "Nobody", "Nothing", "People", "Then", "Just", "And", "But", "So",
     "Also", "Never", "Finally", "Recently", "Dance", "Yoga", "Art", "Music", "Which", "What")
)  # fmt: skip
_PRESENT = {
    "loves": "loves", "lives": "lives", "plays": "plays", "works": "works", "wants": "wants",
    "has": "has", "likes": "likes", "enjoys": "enjoys", "hates": "hates", "runs": "runs",
    "owns": "owns", "teaches": "teaches", "studies": "studies", "speaks": "speaks",
    "collects": "collects", "needs": "needs", "keeps": "keeps", "makes": "makes",
    "paints": "paints", "writes": "writes", "cooks": "cooks", "bakes": "bakes",
    "helps": "helps", "goes": "goes", "prefers": "prefers", "gets": "gets", "puts": "puts",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Person:
    who: str
    of_speaker: bool


def read_others(turn: Turn, sentence: Sentence, before: Sequence[Turn] = ()) -> Iterator[Candidate]:
    """Read what a sentence tells of those who are not the speaker.

    Args:
        before: The turns before it, in which the one meant by "he" may have been named.
    """
    for segment in find_segments(sentence):
        happened = sentence.text[: segment.start].endswith("when ")
        match = _CLAUSE.match(segment.text) if not segment.dependent or happened else None
        if match and segment.dependent and (match["be"] or match["verb"] in _PRESENT):
            continue  # "we were scared when my son fell" tells a deed, "when my son is ill" none
        person = _person(turn, sentence, match, before, segment.start) if match else None
        if match is None or person is None:
            continue
        place = (segment.start + match.start("rest"), segment.start + match.end("rest"))
        candidate = _candidate(turn, sentence, person, match, place)
        if candidate is not None:
            yield replace(candidate, beside=_named_before(turn, before, person))


def _named_before(turn: Turn, before: Sequence[Turn], person: _Person) -> tuple[Quote, ...]:
    """Give the earlier turn in which somebody was named, where this one does not name them."""
    who = person.who.casefold()
    if who in turn.text.casefold():
        return ()
    named = [one for one in before if who in one.text.casefold()]
    return tuple(Quote(one.id, 0, len(one.text), one.text) for one in named[-1:])


def _person(
    turn: Turn, sentence: Sentence, match: re.Match[str], before: Sequence[Turn], at: int
) -> _Person | None:
    if match["relation"]:
        return _related(match)
    if match["pronoun"]:
        pronoun = match["pronoun"].casefold()
        told = turn.text[: sentence.start + at]
        if RELATED.search(told) or not before:
            return _meant(told, pronoun)
        person = _meant(earlier_words(turn, before), pronoun)
        return None if person is None or is_stranger(person.who) else person
    named = match["named"]
    known = named not in _NEVER_NAMED and match["verb"] in _OF_PEOPLE and named != turn.speaker
    return _Person(named, of_speaker=False) if known else None


def _related(match: re.Match[str]) -> _Person:
    if match["name"]:
        return _Person(match["name"], of_speaker=False)
    return _Person(match["relation"].casefold(), of_speaker=True)


def _meant(before: str, pronoun: str) -> _Person | None:
    """Tell whom "he" or "she" means: the one person that the turn has spoken of so far."""
    other_sex = MEN if pronoun == "she" else WOMEN
    found = {
        _related(match)
        for match in RELATED.finditer(before)
        if match["relation"].casefold() not in other_sex
    }
    return found.pop() if len(found) == 1 else None


def _candidate(
    turn: Turn, sentence: Sentence, person: _Person, match: re.Match[str], place: tuple[int, int]
) -> Candidate | None:
    named = _named(match)
    if named is None or re.match(r"\s*(?:not|never|no|n['’]t)\b", match["rest"]):
        return None
    if match["be"] in ("'s", "’s") and _HIS_THING.match(match["rest"]):
        return None
    shape, name = named
    start, end = find_object(sentence.text, *place)
    if not match["be"]:
        name, start = with_particle(name, sentence.text, start, end)
        name = load_words().same.get(name, name)
        shape = name if name in load_shapes() else shape
    value = sentence.text[start:end]
    if not value or not is_worth(value, load_shapes()[shape]):
        return None
    begin = sentence.start + start
    return Candidate(
        turn_id=turn.id, who=person.who, of_speaker=person.of_speaker, property=name, shape=shape,
        value=value, value_start=begin, value_end=begin + len(value), sentence=sentence.text,
        sentence_start=sentence.start, by="rule", confidence=CLAUSE_CONFIDENCE,
    )  # fmt: skip


def _named(match: re.Match[str]) -> tuple[str, str] | None:
    """Name the kind of clause and the property that it tells."""
    if match["be"]:
        first = match["rest"].split()[0] if match["rest"].split() else ""
        if first.endswith("ing"):
            return "is", "is"
        return "is", "was" if match["be"] == " was" else "is"
    verb, words = match["verb"], load_words()
    if verb in ("had", "got"):
        return "did", verb
    if verb in _PRESENT:
        return ("likes", "likes") if verb in ("loves", "likes", "enjoys") else ("does", verb)
    if verb in words.never - {"told", "asked", "said"}:
        return None
    if verb == "used" and match["rest"].startswith("to "):
        return "did", verb  # "he used to sail": the particle is taken to it
    past = verb in words.irregular or (verb.endswith("ed") and len(verb) > 4)
    return ("did", verb) if past else None
