"""What "it", "they" or "this" is, at the head of a view: the one thing that was named just before.

"I joined a choir. It taught me patience" tells of the choir. Looked at are the clauses before it in
its own sentence; where "it" opens that, the sentence before in the same turn, else the end of the
turn before. Where these name nothing, or two things, it is not known what "it" is, and nothing is
read. Who "he" and "she" are is told by `meant`. English only. No model.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apexmem_desktop.building.segments import find_segments
from apexmem_desktop.building.statements import Saying, Sentence, split_sentences
from apexmem_desktop.domain.graph import Quote
from apexmem_desktop.domain.turn import Turn

# "This" and "that" are such a word only where no noun follows them.
POINTER = re.compile(
    r"(?P<word>it|they|he|she|(?:this|that|these|those)"
    r"(?= (?:has|have|really|always|just|also|even|still|definitely|helps?|helped|makes?|made|"
    r"gives?|"
    r"gave|keeps?|kept|reminds?|reminded|inspires?|inspired|motivates?|motivated|taught|teaches|"
    r"showed|brings?|brought|lets?|allows?|allowed|encourages?|encouraged|pushe[sd])\b))"
    r"(?=['’](?:s|ve)\b| )",
    re.IGNORECASE,
)
_PLURAL = frozenset({"they", "these", "those"})
PERSONS = frozenset({"he", "she"})
_EITHER = re.compile(r"(?:family|team|choir|band|class|group|club|crew|couple|police)$", re.I)
_MANY = re.compile(r"(?:\w+(?<![su'’])(?<!i)s|people|kids|children|folks|geese|mice)$", re.I)
_STOP = (
    r"(?i:an?|the|my|our|your|everyone|everybody|someone|nobody|is|are|was|were|be|been|has|have|had|can|will|would|could|should|did|does|do|and|or|but|so|"
    r"to|in|on|at|for|with|from|by|about|of|that|which|who|when|while|because|since|as|than|if|it|"
    r"they|them|i|you|we|he|she|me|us|him|her|there|here|this|these|those|what|how|why|where|not|"
    r"just|really|also|always|lately|recently|now|today|yesterday|last|next|every|too|very|again|"
    r"going|doing|lot|lots|some|any|all|one|ones|thing|things|something|everything|nothing|thanks|"
    r"time|times|way|fun|day|days|week|year|years|moment|bit|photo|pic|picture|good|great)"
)
_WORD = rf"(?!{_STOP}\b)[\w'’-]+"
_DET = r"(?:my|our|your|the|an?|this|these|those|some)"
_NP = rf"(?:{_DET} )?{_WORD}(?: (?:{_DET} )?{_WORD}){{0,3}}"
_NAMED = (
    # what the sentence is about; one bare word there may be somebody's name
    re.compile(
        rf"^(?P<np>(?:(?i:{_DET}) |[A-Za-z]\w*ing ){_NP}|[A-Za-z]\w+ing)"
        r"(?:['’]s| is| are| was| were| has been| have been| can be) "
    ),
    re.compile(
        rf"^[Tt]here(?:['’]s| is| are| was| were) (?P<np>(?:an?|some) {_NP})(?=$|[.,!?;]|\s)"
    ),
    # what somebody has, does or cares for
    re.compile(
        r"\b(?:I|[Ww]e)(?:['’]ve|['’]m| have| am)?"
        r"(?: (?:just|also|really|recently|finally|always|still|even|been|do))* "
        r"(?:love|like|enjoy|adore|loved|liked|enjoyed|start(?:ed)?|tried|trying|joined|bought|got|made|"
        r"making|painted|play|playing|played|practi[sc]e|practi[sc]ing|watch|watched|watching|read|"
        r"reading|took up|signed up for|went to|have|doing|do|adopted|found|visited|wrote|writing|"
        rf"learning|built|attended|own|keep) (?P<np>{_NP})(?=$|[.,!?;]|\s)"
    ),
)
# In its own sentence a bare noun is no name: "Pottery is half my life - it helps me sleep".
_BARE_SUBJECT = re.compile(
    rf"^(?P<np>(?!{_STOP}\b)[A-Z][a-z]{{2,}}s?)(?:['’]s| is| are| was| were| has been| have been) "
)
_ASKED = re.compile(
    r"(?:[Hh]ow(?:['’]s| is| are| was| were)|[Ww]hat about|[Hh]ow about|^[Ii]s|^[Aa]re|"
    rf"[Dd]o you (?:still )?(?:like|enjoy|love|play)) (?P<np>{_NP})(?=$|[.,!?;]|\s)"
)
_ANY = re.compile(rf"\b(?:{_DET}) (?:{_WORD} ?)+")
_FIRST_POINTING = re.compile(r"^\W*(?:and |but |so )?(?:it|they|that|this|these|those)\b", re.I)
_OF_ONE = re.compile(r"^(?:my|our|your) ", re.IGNORECASE)
MOST_STEPS = 2  # sentences back: "It's new. It helps me sleep" is of what was named before both


@dataclass(frozen=True, slots=True)
class Referent:
    """The thing that a pronoun means.

    Attributes:
        name: Its words as they were said, "your" left out.
        quote: The sentence that names it.
    """

    name: str
    quote: Quote


def find_referent(
    turn: Turn, sentence: Sentence, before: Sequence[Turn], word: str
) -> Referent | None:
    """Find the one thing that "it" or "they" at the head of a clause can mean."""
    plural = word.casefold() in _PLURAL
    for said_by, one in _window(turn, sentence, before):
        if "[" in one.text:  # the caption of a picture
            return None
        named = {np.casefold(): np for np in _things(one) if _agrees(np, plural)}
        if len(named) > 1 or (named and len(_ANY.findall(one.text)) > 1):
            return None
        for np in named.values():
            of_another = said_by is not turn and said_by.speaker != turn.speaker
            if of_another and np.casefold().startswith(("my ", "our ")):
                return None
            name = _OF_ONE.sub("", np) if of_another else np
            return Referent(name, Quote(said_by.id, one.start, one.end, one.text))
        if not _FIRST_POINTING.match(one.text):
            return None
    return None


def find_within(sentence: Sentence, start: int, word: str) -> str:
    """Find what a clause before, in the same sentence, can mean by "it"; "" for nothing or two.

    Args:
        start: Where the clause with the pronoun begins in the sentence.
    """
    plural = word.casefold() in _PLURAL
    before = [one for one in find_segments(sentence) if one.end <= start]
    for segment in reversed(before):
        for patterns in ((_NAMED[0], _NAMED[1], _BARE_SUBJECT), (_NAMED[2],)):
            found = [one["np"].strip() for p in patterns for one in p.finditer(segment.text)]
            named = {np.casefold(): np for np in found if _agrees(np, plural)}
            if len(named) == 1:
                return next(iter(named.values()))
            if found:
                return ""
        if not _FIRST_POINTING.match(segment.text):
            return ""
    return ""


def _window(
    turn: Turn, sentence: Sentence, before: Sequence[Turn]
) -> Iterator[tuple[Turn, Sentence]]:
    """Give the sentences just before, the nearest first; of the turn before only its last."""
    earlier = [
        one for one in split_sentences(turn.text[: sentence.start]) if one.saying != Saying.COURTESY
    ]
    for one in reversed(earlier[-MOST_STEPS:]):
        yield turn, one
    if before and len(earlier) < MOST_STEPS:
        last = [
            one for one in split_sentences(before[-1].text[:2000]) if one.saying != Saying.COURTESY
        ]
        for one in last[-1:]:
            yield before[-1], one


def _things(sentence: Sentence) -> Iterator[str]:
    asks = sentence.text.rstrip().endswith("?")
    for segment in find_segments(sentence):
        for pattern in (_ASKED,) if asks else _NAMED:
            for match in pattern.finditer(segment.text):
                yield match["np"].strip()


def _agrees(np: str, plural: bool) -> bool:
    if _EITHER.search(np):
        return True
    return bool(_MANY.search(np)) is plural


def stands_for(said: str, value: str) -> str:
    """Give the name that a value has in the place of the pronoun it was said with; "" for none."""
    pointer = POINTER.match(said)
    rest = said[pointer.end() :] if pointer else ""
    return value.removesuffix(rest) if rest and value.endswith(rest) and value != rest else ""
