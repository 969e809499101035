"""Things that a question is about: turns that have no word of one do not answer it.

"How often do I play table tennis?" is not answered by how often one plays tennis, nor "What did I
bake for my uncle?" by a cake for a niece. Which words name a thing is told by leaving out those
that questions are put in (`resources/ontology/asking_words.toml`). Of LoCoMo's dev conversations
16 of 173 questions without an answer name such a thing, and 4 of 584 with one; of LongMemEval's
oracle 9 of 12, and 1 of 48 (see docs/quality.md).
"""

import difflib
import functools
import re
import tomllib
from collections.abc import Collection, Sequence

from apexmem_desktop.agent.names_asked import LEAST_CHARS, beginning
from apexmem_desktop.agent.topic import topic_words
from apexmem_desktop.agent.whose import About
from apexmem_desktop.domain.answers import TurnHit
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Role
from apexmem_desktop.recall.question import Understood
from apexmem_desktop.recall.vocabulary import CJK, root, same_stem, synonyms

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_OWNED = re.compile(r"['’]s?$")
_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_NEGATED = re.compile(r"n['’]t$")
# "How many fish are in my 30-gallon tank?"
_MEASURED = re.compile(r"\b(\d+)-[a-z]{2,}", re.IGNORECASE)
# "What supervillain is", "Which classical musicians does": the kind asked for, not told with it.
_ASKED_KIND = re.compile(
    r"\b(?:what|which)\s+(?:\w+\s+){0,2}?(\w+)\s+"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
# "What is my salary?", "Who is Ana's landlord?": what is asked for may be told in other words.
_ASKED_FOR = re.compile(
    r"^\W*(?:what|who|where|when)(?:\s+(?:is|are|was|were)|['’]s)\s+"
    r"(?P<asked>(?:(?!of\b|in\b|for\b|at\b|on\b|with\b|to\b|from\b|by\b|that\b)[\w'’-]+\s*){1,5})",
    re.IGNORECASE,
)
# "after the injury", where a torn tendon was told: what only says when may be told otherwise.
_ONLY_WHEN = re.compile(r"\b(?:after|before|since|until|while|during)\b(?P<tail>.*)", re.IGNORECASE)
# "How does Ana commute to work?": what somebody does may be told by another verb.
_DOES = re.compile(r"\s+(?:\w+ly\s+)?(\w+)")
# How like a word that is written wrong must be to one that is told; and one of five letters.
LEAST_LIKE, LEAST_LIKE_OF_FIVE = 0.84, 0.9
_KIN = (
    "mother mom mum mama mommy mummy parents",
    "father dad daddy papa parents",
    "grandma grandmother granny gran nan nana grandparents",
    "grandpa grandfather granddad grandparents",
    "aunt auntie",
    "brother sister sibling siblings",
    "kid kids child children son daughter",
    "wife husband spouse partner hubby",
)


def missing_things(read: Understood, about: About, hits: Sequence[TurnHit]) -> list[str]:
    """Give the things of a question in English that none of the turns has.

    An assistant's turns tell nothing of the user, unless it is asked what it said.
    """
    told = {
        word.casefold()
        for hit in hits
        if about.assistants is not False or hit.role is not Role.ASSISTANT
        for word in _WORD.findall(hit.text)
    }
    things = [_OWNED.sub("", word).casefold() for word in topic_words(read, about)]
    asked = _asked_for(read)
    missing = [
        thing
        for thing in things
        if thing not in asked and _is_thing(thing) and not _is_told(thing, told)
    ]
    sizes = (size.group(1) for size in _MEASURED.finditer(read.question))
    return missing + [size for size in sizes if size not in told]


def _asked_for(read: Understood) -> set[str]:
    """Give the words for what is asked, which may be told by others: the kind, what one does."""
    question = read.question
    asked = [kind.group(1) for kind in _ASKED_KIND.finditer(question)]
    asked_for = _ASKED_FOR.match(question)
    if asked_for is not None:
        asked += _WORD.findall(asked_for["asked"])
    # What comes before the question itself is told, not asked: "I feel nostalgic. Should I go?"
    *told, _ = _SENTENCES.split(question.strip())
    asked += [word for sentence in told for word in _WORD.findall(sentence)]
    only_when = _ONLY_WHEN.search(question)
    if only_when is not None:
        asked += _WORD.findall(only_when["tail"])
    does = (_DOES.match(question, named.end) for named in read.entities if named.speaker)
    asked += [verb.group(1) for verb in does if verb is not None]
    return {_OWNED.sub("", word).casefold() for word in asked}


def _is_thing(word: str) -> bool:
    if len(word) < 3 or word.isdigit() or CJK.search(word) or _NEGATED.search(word):
        return False
    return not (
        word.endswith("ly") or root(word) in _asking_words() or _is_like(word, _asking_words())
    )


def _is_told(thing: str, told: Collection[str]) -> bool:
    forms = {thing, *synonyms(thing), *_kin().get(thing, ())}
    if any(same_stem(form, word) for form in forms for word in told):
        return True
    begun = beginning(thing)
    if len(thing) >= LEAST_CHARS and any(word.startswith(begun) for word in told):
        return True
    return _is_like(thing, told)


def _is_like(word: str, others: Collection[str]) -> bool:
    """Whether a word is one of others, written wrong."""
    least = LEAST_LIKE if len(word) > 5 else LEAST_LIKE_OF_FIVE
    return len(word) >= 5 and bool(difflib.get_close_matches(word, others, 1, least))


@functools.cache
def _asking_words() -> frozenset[str]:
    with (resources_dir() / "ontology" / "asking_words.toml").open("rb") as file:
        lists = tomllib.load(file)
    return frozenset(
        form for words in lists.values() for word in words.split() for form in (word, root(word))
    )


@functools.cache
def _kin() -> dict[str, set[str]]:
    table: dict[str, set[str]] = {}
    for line in _KIN:
        for word in line.split():
            table.setdefault(word, set()).update(line.split())
    return table
