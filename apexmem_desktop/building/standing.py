"""What the readers of views share: their word lists, and when a clause stands by itself.

"It was fun" says nothing without what stood before it; "dancing was fun" does.
"""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.domain.locations import resources_dir

MOST_WORDS, MOST_CHARS = 18, 120
THINKS, FEELS, ADVISES, NEEDS, SHOWS = "thinks", "feels", "advises", "needs", "shows"
# Shapes whose value is a clause: what else its sentence tells may still be asked for.
VIEWS = frozenset({THINKS, FEELS, ADVISES, NEEDS, SHOWS})
Read = tuple[str, str, int, int]  # shape, property, start and end within the segment
ADVERBS = (
    r"(?:(?:so|really|very|super|truly|just|also|always|definitely|pretty|quite|such|kinda|"
    r"kind of|"
    r"a bit|totally|absolutely|incredibly|extremely|still|now|even|both|all|finally|too|much|"
    r"more|"
    r"already|actually|always|often|never|not|currently|feeling|a little|sometimes|lately)\s+)*"
)
_POINTING = re.compile(
    r"\b(?:it|this|that|these|those|them|they|he|she|him|her|his|hers|its|their|you|your|yours|"
    r"you['’]\w+|it['’]s|that['’]s|they['’]\w+|here|there|one|ones|y['’]all|u|ur|ya|same)\b|"
    r"['’]em\b",
    re.IGNORECASE,
)
# Words that point only by their looks: "a book that I love", "friends you can trust".
_NO_POINTING = re.compile(
    r"(?<=\w )that (?=(?:\w+(?:s|ed|t|n)|I|we|my|our|the|a|an|can|will|are)\b)"
    r"|\bthose (?=(?:in|who|with|we|I|around|close)\b)|\b(?:loved|little) ones\b|\bworth it\b"
    r"|(?<=\bwho need )(?:it|one|them)\b|\bit (?=takes? to\b)|(?<=\bwhat )you (?=(?:do|love|"
    r"like)\b)|(?<=\bhas had )its\b"
    r"|(?<=\bhas )its\b|(?<=\bhave )its\b|(?<=\w )you (?=(?:can|could|want|need|love|trust|care)\b)"
)
# "bees and their hives", "knights who need them": what is meant stands in the same clause.
_ANAPHORA = re.compile(
    r"(\b(?:\w{3,}s|people|folks|kids|children|those)\b.{1,40}?)\b(?:their|them|they)\b"
    r"|(?<=\w )(?:their|these|those)(?= \w)"
    r"|(?<=\w )(?:this|that)(?= (?!is\b|was\b|are\b|has\b)\w+ \w+)"
    r"|(\bmy [a-z]+\b.{1,30}?)\b(?:her|his|she|he)\b"
)
# "People who face the same fears", "who see it as I do": known from the same clause.
_THE_SAME = re.compile(r"\bwho\b[\w '’-]*? the same\b")
# The end of a clause whose object was cut off: "eager to see", "the inn we went to".
_CUT_OFF = re.compile(
    r"(?:\bto (?:see|hear|share|know|try|learn|have|be|find|think|feel|show|tell|go|"
    r"(?<!have to )(?<!got to )do|get|make)"
    r"|(?<!capable )(?<!made )\b(?:of)|\b(?:to|for|with|at|from|by|about|and|or|the|a|an|my|our|"
    r"so|very|really|is|are|was|"
    r"were|that|how|what|as|than|me feel|because|when|why|showing us|telling us|"
    r"far|much|many|to choose|get rid|can|could|will|would|should|must|(?:is|was|are) (?:something|"
    r"everything|anything|things|all)))$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Lists:
    """The word lists of `resources/ontology/views.toml`."""

    verbs: frozenset[str]
    imperatives: frozenset[str]
    never_felt: frozenset[str]
    felt_alone: frozenset[str]
    states: frozenset[str]
    promised: frozenset[str]
    deeds: frozenset[str]
    weighing: frozenset[str]


@lru_cache(maxsize=1)
def load_lists() -> Lists:
    """Read the word lists."""
    with (resources_dir() / "ontology" / "views.toml").open("rb") as file:
        return Lists(**{name: frozenset(v.split()) for name, v in tomllib.load(file).items()})


# "This support network", "people like you", "the song I wrote": the noun names what is meant. One
# noun alone does so where what is said of it is the speaker's: "this ring is special to me".
_NO_NOUN = (
    r"(?:moments?|memor\w+|things?|kinds?|stuff|times?|parts?|days?|ones?|ways?|guys|people|both|two|"
    r"place|type|sort|year|week|is|was|are|were|has|have|can|will|really|\w+['’]\w+)\b"
)
_NAMED = re.compile(
    rf"^(?:This|These|Those)(?= (?!{_NO_NOUN})[a-z-]+ "
    rf"(?:(?!{_NO_NOUN})[a-z-]+ |I |we |.*\b(?:me|my)\b))"
    r"|(?<=\w )like you\b|(?<=\w )(?:that )?(?:I|we)(?= [a-z]+)",
)


def named_by_itself(words: str) -> str:
    """Take out of the words what points only by its looks."""
    return _NAMED.sub("", words)


def fits(value: str, least_words: int = 2) -> bool:
    """Whether a value is short enough to read and says by itself what it says."""
    plain = _ANAPHORA.sub(
        lambda match: match[1] or match[2] or "", _NO_POINTING.sub("", named_by_itself(value))
    )
    plain = _THE_SAME.sub("", plain)
    return (
        _CUT_OFF.search(value) is None
        and least_words <= len(value.split()) <= MOST_WORDS
        and len(value) <= MOST_CHARS
        and _POINTING.search(plain) is None
    )


def value_of(
    shape: str, name: str, pattern: re.Pattern[str], least: int = 2
) -> Callable[[str], Read | None]:
    """Make the reader of one pattern; its group "value" is what is told."""

    def read(text: str) -> Read | None:
        match = pattern.match(text)
        if match is None or not fits(match["value"], least):
            return None
        return shape, name, *match.span("value")

    return read
