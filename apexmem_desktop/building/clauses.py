"""Plain clauses about oneself: what the speaker did, is doing, does as a rule or wants. No model.

Patterns know some fifty properties; people tell of a thousand. Here the verb is the property: "I joined
a church nearby" becomes *joined · church nearby*. English only: its subject stands before its verb.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Turn

CLAUSE_CONFIDENCE = 0.9
MOST_WORDS = 9
DID, DOING, DOES, WANTS = "did", "doing", "does", "wants"

_ADVERBS = (
    r"(?:(?:just|also|really|finally|recently|actually|even|still|already|always|often|usually|"
    r"definitely|totally|truly|currently|now|sometimes|first|once|only|both|all|eventually|lately|"
    r"generally|mostly|regularly|proudly|officially|quickly|slowly|accidentally)\s+)*"
)
_BE = r"(?:['’](?:m|re)|\s+am|\s+are)"
_CLAUSE = re.compile(
    rf"(?<!\w)(?<!than )(?<!what )(?<!that )(?<!which )(?<!when )(?<!if )(?<!as )(?<!where )(?<!how )"
    rf"(?<!because )(?<!who )(?<!every time )"
    rf"(?P<subject>I|[Ww]e)(?:"
    rf"(?P<doing>{_BE}|['’]ve\s+been|\s+have\s+been)\s+{_ADVERBS}(?P<gerund>[a-z]{{2,}}ing)"
    rf"|(?P<wants>(?:['’](?:m|re)|\s+am|\s+are)\s+{_ADVERBS}"
    rf"(?:planning|hoping|aiming|trying|going|gonna|gearing up|getting ready|saving up)|\s+{_ADVERBS}"
    rf"(?:want|hope|plan|aim|dream|intend|decided|need))\s+(?:to|of|on)\s+(?P<wanted>[a-z]+)"
    rf"|(?:['’]ve|\s+have)?\s+{_ADVERBS}(?P<verb>[a-z]+)"
    rf")\b(?P<rest>[^.!?;:()\n…]*)"
)
_END = re.compile(
    r"\s+[-–—]+\s*|--+|—|,(?!\s*(?:\w+,\s*)*(?:and|or)?\s*\w+(?:\s*$|,))"
    r"|,\s*(?:and|but|so|which|who|it|i|we|they|he|she|that|because|just|you|this|these|those)\b"
    r"|\s(?:but|because|['’]?cause|while|when|whenever|since|which|who|if|though|although|so|where|"
    r"until|after|before|than|cuz|cos|like|how|what|why)\b"
    r"|\s(?:and|or)\s+(?:i|we|it|they|he|she|my|our|now|am|it['’]s|that['’]s|this|been|have|had|was|is|"
    r"there|you|[a-z]+ed|went|got|made|took|saw|even)\b"
    r"|\s(?:as|that)\s+(?:i|we|it|they|he|she|you|was|were|is|are|have|has|had|my|our)\b"
    r"|\s(?:it|they|he|she)(?:['’]s| is| was| were| are| have| has)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"^\s*(?:not|never|no\b|n['’]t)|\b(?:never|not)\b", re.IGNORECASE)
_LOOSE_END = re.compile(
    r"\s+(?:and|or|to|in|on|at|for|with|about|of|from|by|the|a|an|my|our|their|your|his|her|as|so|"
    r"that|it|just|really|very|too|some|into|up|then|there|here|again|though|yet|tbh|lol|haha)$",
    re.IGNORECASE,
)
_TO_WHOM = re.compile(
    r"^(?:me|you|him|her|it|them|us|myself|ourselves|yourself|that|this|these|those|one|so|such|"
    r"there|here|well|good|great|better|what|how|why|whatever|everything|anything|nothing|back|"
    r"around|together|alone|away|home|down|off|over|through|out|up|your|y['’]all)\b(?! \w+ \w)",
    re.IGNORECASE,
)
_GERUND_NEVER = re.compile(
    r"(?:go|feel|hop|think|wonder|say|look|kidd|jok|be|hav|dy|do|com|gett|glow|lov|talk|mean|assum|"
    r"guess|struggl|lean|stay|cry|laugh|beam|freak|keep|know|see|hear|wish|let|mak|sett|tak|gonn|sort|"
    r"root|send|cheer|runn late|count|morn|even|anyth|everyth|noth|someth|amaz|interest|excit|"
    r"dur|k|th|br|str|spr|s|r|w)(?:ing)?$"
)


@dataclass(frozen=True, slots=True)
class _Verbs:
    never: frozenset[str]
    habits: frozenset[str]
    irregular: frozenset[str]
    particles: frozenset[str]


@lru_cache(maxsize=1)
def _verbs() -> _Verbs:
    with (resources_dir() / "ontology" / "clauses.toml").open("rb") as file:
        table = tomllib.load(file)
    return _Verbs(**{name: frozenset(words.split()) for name, words in table.items()})


def read_clauses(turn: Turn, sentence: Sentence, told: Sequence[Candidate]) -> Iterator[Candidate]:
    """Read a sentence's clauses, but for those of which something was told already."""
    for match in _CLAUSE.finditer(sentence.text):
        named = _named(match)
        if named is None:
            continue
        shape, verb = named
        start, end = _value(sentence.text, *match.span("rest"))
        verb, start = _with_particle(verb, sentence.text, start, end)
        value = sentence.text[start:end]
        if not _is_worth(value):
            continue
        begin = sentence.start + start
        candidate = Candidate(
            turn_id=turn.id, who=turn.speaker, of_speaker=False, property=verb, shape=shape,
            value=value, value_start=begin, value_end=begin + len(value),
            sentence=sentence.text, sentence_start=sentence.start, by="rule",
            confidence=CLAUSE_CONFIDENCE,
        )  # fmt: skip
        clause = (sentence.start + match.start(), candidate.value_end)
        if not any(clause[0] <= one.value_start < clause[1] for one in told):
            yield candidate


def _named(match: re.Match[str]) -> tuple[str, str] | None:
    """Name the kind of clause and the property that its verb makes."""
    verbs = _verbs()
    if _NOT.search(match["rest"]):
        return None
    if match["gerund"]:
        return None if _GERUND_NEVER.match(match["gerund"]) else (DOING, f"is_{match['gerund']}")
    if match["wants"]:
        return WANTS, f"wants_to_{match['wanted']}"
    verb = match["verb"]
    if verb in verbs.never:
        return None
    if verb in verbs.irregular or (verb.endswith("ed") and len(verb) > 4):
        return DID, verb
    return (DOES, f"{verb}s") if verb in verbs.habits else None


def _value(text: str, start: int, end: int) -> tuple[int, int]:
    """Find where the clause's object ends: before the next clause, and not in a loose word."""
    stop = _END.search(text, start, end)
    end = stop.start() if stop else end
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text[start:end])]
    if words:
        end = start + words[min(len(words), MOST_WORDS + 1) - 1][1]
        start += words[0][0]
    while loose := _LOOSE_END.search(text[start:end]):
        end = start + loose.start()
    return start, end - (len(text[start:end]) - len(text[start:end].rstrip(" ,'\"-")))


def _with_particle(verb: str, text: str, start: int, end: int) -> tuple[str, int]:
    """Take "up for" in "signed up for a class" to the verb."""
    for _ in range(2):
        word, _, rest = text[start:end].partition(" ")
        if word.casefold() not in _verbs().particles or not rest.strip():
            break
        verb = f"{verb}_{word.casefold()}"
        start = end - len(rest.lstrip())
    return verb, start


def _is_worth(value: str) -> bool:
    letters = sum(character.isalpha() for character in value)
    return letters > 2 and not _TO_WHOM.match(value)
