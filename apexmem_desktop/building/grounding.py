"""Nothing is stored that its words do not carry: each reason to drop a candidate, in one place."""

import re

from apexmem_desktop.building.addressed import says_whose
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.hollow import why_hollow
from apexmem_desktop.building.misread import why_misread
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.referents import stands_for
from apexmem_desktop.building.statements import speaks_of_self
from apexmem_desktop.domain.turn import Turn

MAX_VALUE_CHARS = 90
MAX_VALUE_WORDS = 12

_EMPTY_VALUE = re.compile(
    r"(?:it|that|this|them|they|those|these|one|ones|some|something|anything|everything|"
    r"things?|stuff|you|me|him|her|us|so|really|much|more|very|i|we|he|she|what|how|"
    r"why|for you|a lot|lots|the|a|an|time|today|yesterday|tomorrow|now|again|"
    r"它|他|她|这|那|这个|那个|东西|的|了)[.!]?",
    re.IGNORECASE,
)
# "a few jars of it", "a new one": what it was is not said here.
_POINTING = re.compile(
    r".*\b(?:(?<! on )it|(?<! on )them|this|that|(?<!loved )(?<!little )(?<!young )ones?)",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|none|nobody|without)\b|n['’]t\b|没|不|别", re.IGNORECASE
)
_MAY_BE_NEGATED = frozenset({"dislikes", "stopped", "cancelled", "allergic_to", "diet", "left_job"})
_SECOND_PERSON = re.compile(r"^\W*(?:you|your|you're|you’re)\b", re.IGNORECASE)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_OTHERS_HAN = re.compile(r"你|谁|您")
# "Ran the 10K this morning": the speaker is left out, and the verb stands first.
_VERB_FIRST = re.compile(
    r"^(?:(?:just|finally|also|still|and|but|so|yes|yeah|well|btw|then|recently|today|yesterday)"
    r",? )*"
    r"(?:\w+ed|(?!(?:\w*(?:thing|morning|evening)|during|spring|king|wedding)\b)\w+ing|ran|did|got|went|had|bought|sold|met|saw|made|won|read|wrote|took|left|quit|"
    r"began|built|came|gave|lost|found|flew|drove|ate|back|gonna|am|been)\b",
    re.IGNORECASE,
)
# A name behind the first letter of a sentence, or a relation anywhere.
_SOMEBODY = re.compile(
    rf"\b[A-Z][a-z]|\b(?:{'|'.join(one for one in RELATIONS if one.isascii())})\b"
)
# People have more than one of these: "my friend" is another one each time.
_MANY = frozenset({"friend", "colleague"})
_NOUNLIKE_KINDS = frozenset({"place", "organization", "person"})
_OPENING_WORD = re.compile(r"^(?:the|a|an|my|our|his|her|their|some)\s+", re.IGNORECASE)


def why_ungrounded(turn: Turn, candidate: Candidate) -> str:
    """Say why a candidate must not be stored; "" when its words carry it."""
    if not _value_is_there(turn, candidate):
        return "value not in the turn"
    if not candidate.who.strip():
        return "no subject"
    if not _subject_is_there(turn, candidate):
        return "subject not in the turn"
    if candidate.of_speaker and RELATIONS[candidate.who.casefold()] in _MANY:
        return "one of several who are not named"
    return (
        _why_value_is_none(candidate) or why_hollow(candidate) or _why_not_said_so(turn, candidate)
    )


def _value_is_there(turn: Turn, candidate: Candidate) -> bool:
    if candidate.from_question:
        return any(candidate.value in one.text for one in candidate.beside)
    said = candidate.as_said or candidate.value
    if candidate.as_said and not says_whose(said, candidate.value):
        name = stands_for(said, candidate.value)  # of "it", which was named in another sentence
        texts = (candidate.sentence, *(one.text for one in candidate.beside))
        if not name or not any(name in text for text in texts):
            return False
    return turn.text[candidate.value_start : candidate.value_end] == said


def _subject_is_there(turn: Turn, candidate: Candidate) -> bool:
    if candidate.who == turn.speaker:
        return True
    if any(one.turn_id != turn.id for one in candidate.beside) and not candidate.of_speaker:
        return True  # the one spoken to, whose own turn is the proof beside
    texts = (turn.text, *(one.text for one in candidate.beside))
    return any(candidate.who.casefold() in text.casefold() for text in texts)


_WHOSE = re.compile(r"^(?:my|our|an?) ")


def _why_value_is_none(candidate: Candidate) -> str:
    value = candidate.value.strip()
    shape = load_shapes()[candidate.shape]
    if _EMPTY_VALUE.fullmatch(value) or not re.search(r"\w", value):
        return "value says nothing"
    if _POINTING.fullmatch(value):
        return "value says nothing"
    chars, words = (120, 18) if shape.value_kind == "clause" else (MAX_VALUE_CHARS, MAX_VALUE_WORDS)
    if len(value) > chars or len(value.split()) > words:
        return "value too long"
    if value.casefold() == candidate.who.casefold():
        return "value is the subject"
    if shape.not_value is not None and shape.not_value.fullmatch(value):
        return "value says nothing"
    if candidate.shape == "is" and _WHOSE.sub("", value.casefold()) in RELATIONS:
        return "value says nothing"  # "she's my cousin": a relation is read as one, or not at all
    if not fits_kind(value, shape.value_kind):
        return f"value is no {shape.value_kind}"
    return ""


def fits_kind(value: str, kind: str) -> bool:
    """Tell whether a value can be of a kind of properties.toml.

    A person, place or organization is named: a capital, a digit, or a script without case.
    """
    if kind not in _NOUNLIKE_KINDS:
        return True
    bare = _OPENING_WORD.sub("", value)
    return bare[:1].isupper() or bare[:1].isdigit() or not bare[:1].isascii()


def _why_not_said_so(turn: Turn, candidate: Candidate) -> str:
    if candidate.by == "rule":
        return ""
    if misread := why_misread(turn, candidate):
        return misread
    if _SECOND_PERSON.search(candidate.sentence):
        return "about the one spoken to"
    if _of_another(candidate):
        return "said of somebody else"
    if candidate.shape == "favourite" and candidate.property == "favourite":
        return "favourite of what is not said"
    if _NEGATION.search(candidate.sentence) and candidate.shape not in _MAY_BE_NEGATED:
        return "sentence has a negation"
    return ""


def may_tell_something(sentence: str) -> bool:
    """Whether anything that the model could read from a sentence would stand.

    What is said to the one spoken to never does, nor what has no first person and names nobody.
    """
    if _SECOND_PERSON.search(sentence):
        return False
    if _HAN.search(sentence) or not sentence.isascii():
        return True
    of_somebody = _SOMEBODY.search(sentence[1:])
    return bool(speaks_of_self(sentence) or _VERB_FIRST.match(sentence) or of_somebody)


def _of_another(candidate: Candidate) -> bool:
    """Whether the speaker is made the subject of a sentence that is not about the speaker."""
    if candidate.of_speaker or candidate.who.casefold() in candidate.sentence.casefold():
        return False
    if _HAN.search(candidate.sentence):
        return bool(_OTHERS_HAN.search(candidate.sentence)) and "我" not in candidate.sentence
    return not speaks_of_self(candidate.sentence) and not _VERB_FIRST.match(candidate.sentence)
