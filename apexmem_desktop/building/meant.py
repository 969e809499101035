"""Who "he" or "she" is, at the head of a view: the one person that was spoken of before.

"I met a fine potter, Ida. She taught me to wait" tells of Ida. Looked at are the words before it in
the same turn, then the two turns before that. Where these speak of nobody, or of two who could be
meant, it stays open. A pet that is spoken of as "he" is meant as well. English only. No model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apexmem_desktop.building.others import MEN, RELATED, WOMEN
from apexmem_desktop.domain.graph import Quote
from apexmem_desktop.domain.turn import Turn

MOST_TURNS = 2
_NAME = (
    r"(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May\b|June|July|"
    r"August|September|October|November|December|Christmas|Easter|The\b|This\b|That\b|It\b|He\b|"
    r"She\b|They\b|You\b|We\b|I\b|And\b|But\b|So\b|Yes\b|Yeah\b|My\b|Our\b|Your\b|What\b|How\b|"
    r"When\b|Where\b|Who\b|Why\b|There\b|Here\b|Life\b|Art\b|Music\b|Family\b)[A-Z][a-z]+"
)
_WOMAN = r"(?:woman|girl|lady|mum|mom|mother|sister|daughter|wife|aunt|grandma|girlfriend|niece)"
_MAN = (
    r"(?:man|guy|boy|dude|gentleman|dad|father|brother|son|husband|uncle|grandpa|boyfriend|nephew)"
)
_SAID_OF = (
    r"(?:was|is|has|had|loved|loves|always|never|told|said|taught|showed|helped|passed|used|came|"
    r"gave|made)"
)
_NAMED = re.compile(
    rf"\b(?:(?P<woman>{_WOMAN})|(?P<man>{_MAN})|person|teacher|coach|mentor|friend|colleague|"
    rf"neighbou?r|boss|dog|puppy|pup|cat|kitten|horse)(?:,| named| called|['’]s name is|, named)? "
    rf"(?P<name>{_NAME})"
    rf"|(?:^|[.!?,] )(?P<subject>{_NAME}) {_SAID_OF}\b"
    rf"|\b(?:met|with|losing|lost|about) (?P<object>{_NAME})(?=[,.!?]| (?:and I|who|was|is)\b|$)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Person:
    """The one who is meant.

    Attributes:
        name: "Ida", or "my sister" as it was said.
        quote: The turn that names them, where it is another one.
    """

    name: str
    quote: Quote | None


def find_person(turn: Turn, start: int, before: Sequence[Turn], word: str) -> Person | None:
    """Find whom "he" or "she" means.

    Args:
        start: Where the clause with the pronoun begins in the turn's text.
        before: The turns before it, oldest first.
    """
    speakers = {one.speaker.split()[0] for one in (turn, *before) if one.speaker}
    pieces: list[tuple[Turn, str]] = [(turn, turn.text[:start])]
    pieces += [(one, one.text) for one in reversed(before[-MOST_TURNS:])]
    for one, text in pieces:
        found = _spoken_of(text, word.casefold(), speakers, own=one.speaker == turn.speaker)
        if len(found) > 1:
            return None
        for name in found:
            quote = None if one is turn else Quote(one.id, 0, len(one.text), one.text)
            if quote is None:
                at = turn.text.find(name)
                quote = Quote(turn.id, at, at + len(name), name)
            return Person(name, quote)
    return None


def _spoken_of(text: str, word: str, speakers: set[str], *, own: bool) -> set[str]:
    other_sex = MEN if word == "she" else WOMEN
    found: set[str] = set()
    for match in RELATED.finditer(text) if own else ():
        if match["relation"].casefold() not in other_sex:
            found.add(match["name"] or match.group().strip(" ,"))
    for match in _NAMED.finditer(text):
        if match["man" if word == "she" else "woman"]:
            continue
        found.add(match["name"] or match["subject"] or match["object"])
    return {one for one in found if one not in speakers}
