"""What is said of the speaker's own things, and of what matters to the speaker. No model.

"My laptop crashed" tells of the speaker: *laptop · crashed*. "Painting helps me relax" tells what
the speaker sets store by: *values · Painting*. English only, as `clauses`.
"""

import re
from collections.abc import Iterator

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.clauses import CLAUSE_CONFIDENCE, is_worth, load_words
from apexmem_desktop.building.objects import find_object
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.slight import is_owned
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.turn import Turn

OWN, VALUES = "own", "values"

_OWN = re.compile(
    r"(?:^|(?<=, )|(?<=and )|(?<=but )|(?<=so ))[Mm]y "
    r"(?P<thing>(?:(?:new|old|first|second|own|next|latest|current) )?[a-z]+"
    r"(?: (?!(?:only|just|also|really|finally|even|recently|already|still|never|is|are|was|were|"
    r"has|have|had|been)\b)[a-z]+)?) "
    r"(?P<verb>(?:just |also |only |finally |really |recently |even |already |still |never )?"
    r"(?:is|are|was|were|has been|have been|got|went|broke|crashed|died|won|came|turned|turns|"
    r"started|finished|opened|opens|lives|works|plays|loves|hates|wrote|made|took|moved|"
    r"(?!(?:speed|need|seed|feed|weed|breed)\b)[a-z]{3,}ed))"
    r"(?=\s+(?P<rest>[^.!?;:()\n…]*))"
)
_MATTERS = re.compile(
    r"^(?:\W*(?:and|but|so|yeah|yes|yep|plus|also|anyway|honestly|for me|to me),? )?"
    r"(?P<what>[A-Za-z][\w'’-]*"
    r"(?: (?!(?:you|it|that|this|they|them|him|her|your|totally|really|has|have)\b)[\w'’-]+){0,5}?)"
    r"(?:(?:['’]s| is| are| has been| have been| has| have)?"
    r"(?: (?:really|always|definitely|just|also|such|so))* "
    r"(?:helps|helped|brings?|brought|gives?|gave|makes?|made|keeps?|kept|inspire[sd]?|"
    r"motivate[sd]?|energize[sd]?|calms|calmed|cheers|cheered|lets?|allows|allowed|taught|reminds|"
    r"reminded|means|meant|speaks)(?: so much| a lot)? (?:to )?(?:me|us)\b"
    # "The lighthouse makes me feel safe": what it does is told as a view.
    r"(?! (?:feel|want|think|reali[sz]e|wonder)\b)"
    r"|(?:['’]s| is| are)(?: (?:really|so|very|super|truly|a|an|such|huge|big|important))* "
    r"(?:important to me|(?:part|passion) of (?:my|me)|key for me|"
    r"my (?:passion|rock|life|escape|happy place|therapy|stress relief)))"
)
_NO_SUBJECT = re.compile(
    r"(?:it|that|this|they|you|your|he|she|we|i|these|those|there|what|which|who|thanks|hearing|"
    r"seeing|just|really|totally|their|the name|the way|the fact|losing|also|hope|let|glad|so|here|"
    r"knowing|one|everyone|all|how|having you|thank|an?|some|somebody|someone)\b",
    re.IGNORECASE,
)


# "The offer", "events like these": what is meant was told before.
VAGUE_THING = re.compile(r"^the \w+$|\blike (?:this|that|these|those)$", re.IGNORECASE)


def read_belongings(turn: Turn, sentence: Sentence) -> Iterator[Candidate]:
    """Read what a sentence says of what is the speaker's, and of what the speaker cares for."""
    for match in _OWN.finditer(sentence.text):
        thing = match["thing"].split()
        if _is_a_thing(thing):
            end = max(find_object(sentence.text, *match.span("rest"))[1], match.end("verb"))
            # "My aim is to give …": what it is stands behind the verb.
            aim = match["verb"] in ("is", "was") and match["rest"].startswith("to ")
            place = (match.start("rest") if aim else match.start("verb"), end)
            if not is_owned(thing, sentence.text[match.start("verb") : end]):
                continue  # it may still be read as a view
            yield from _worth(turn, sentence, OWN, "_".join(thing), place)
    matters = _MATTERS.match(sentence.text)
    if (
        matters
        and not _NO_SUBJECT.match(matters["what"])
        and not VAGUE_THING.search(matters["what"])
    ):
        yield from _worth(turn, sentence, VALUES, VALUES, matters.span("what"))


def _is_a_thing(words: list[str]) -> bool:
    if words[-1] in RELATIONS or words[-1].endswith(("ed", "ing")):
        return False  # of "my sister" the patterns read what she does
    return not load_words().no_things & set(words)


def _worth(
    turn: Turn, sentence: Sentence, shape: str, name: str, place: tuple[int, int]
) -> Iterator[Candidate]:
    value = sentence.text[place[0] : place[1]].rstrip()
    if not is_worth(value, load_shapes()[shape]):
        return
    begin = sentence.start + place[0]
    yield Candidate(
        turn_id=turn.id, who=turn.speaker, of_speaker=False, property=name, shape=shape,
        value=value, value_start=begin, value_end=begin + len(value), sentence=sentence.text,
        sentence_start=sentence.start, by="rule", confidence=CLAUSE_CONFIDENCE,
    )  # fmt: skip
