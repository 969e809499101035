"""Clauses that lean on the one before them, or need no object. English only, no model.

"I went to Leeds and bought a kiln": the second verb has its subject from the first. "I've been busy
glazing pots", "I'm having trouble with the kiln", "I graduated last week", "my aunt passed away".
"""

import re
from collections.abc import Iterator

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.clauses import (
    CLAUSE_CONFIDENCE,
    DID,
    DOES,
    IS,
    is_worth,
    load_words,
    of_past_verb,
    with_particle,
)
from apexmem_desktop.building.objects import find_object
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.standing import load_lists
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.turn import Turn

_ADVERBS = r"(?:(?:just|also|then|even|finally|recently|really|actually|already|so|now) )*"
_REST = r"(?=(?P<rest>[^.!?;:()\n…]*))"
_SECOND = re.compile(rf"\band {_ADVERBS}(?P<verb>[a-z]+)(?![\w'’]){_REST}")
# What stands before the second verb: the speaker, a verb told of the past, and nobody else.
_FIRST = re.compile(
    r"(?:^|.*(?:[,.!:;–—-]|\b(?:and|but|so|because|then)) ?)(?:I|[Ww]e)(?:['’]ve| have)? "
    rf"{_ADVERBS}(?P<verb>[a-z]+)(?P<between>[^.!?;:()\n…–—]*)$"
)
_ANOTHER = re.compile(
    r"\b(?:he|she|they|it|you|who|which|that|this|what|where|when|how|there|because|but|if|"
    r"my \w+ and|"
    r"is|are|was|were|[A-Z]\w+ and)\b|['’]s\b"
)
_WENT = frozenset({"went", "came", "got", "had", "sat", "began", "decided", "ended", "been"})
_BUSY = re.compile(
    r"(?:\bI['’]m|\bI am|\bI['’]ve been|\bI have been|\b[Ww]e['’]re|\b[Ww]e['’]ve been|^[Bb]een) "
    r"(?:(?:so|real|really|super|pretty|quite|very|too|kept) )*busy "
    rf"(?:(?P<with>with)|(?:with )?(?P<gerund>[a-z]+ing)\b){_REST}"
)
_BESIDE = re.compile(rf"(?:, (?:and )?(?:just|also)|\btoo,) (?P<gerund>[a-z]{{2,}}ing)\b{_REST}")
_OWN = re.compile(r"(?:.*[,.!] )?(?:I|[Ww]e)(?:['’]| )")
_TROUBLE = re.compile(
    r"\b(?:I['’]m|I am|I['’]ve been|[Ww]e['’]re|[Ww]e['’]ve been|I|[Ww]e) (?:still |really |also )*"
    r"(?:having|had|have|has been) (?:some |a bit of |a lot of |such |so much |quite )?"
    rf"(?:trouble|difficulty|difficulties|a hard time|a tough time|problems) (?:with )?{_REST}"
)
# "I graduated last week" needs no object; what follows may only say when.
_ALONE = re.compile(
    rf"(?:^|[,.!:;–—-] |\b(?:and|but|so) )(?:I|[Ww]e) (?:have )?{_ADVERBS}"
    r"(?P<value>graduated|retired|resigned|broke up|split up|got (?:married|engaged|divorced|"
    r"promoted|hired|fired|laid off))"
    r"(?=\s*(?:$|[,.!;:)–—-]|(?:last|this|yesterday|today|in|on|with|from|and|but|so|two|three|\d+)\b))"
)
_RELATION = "|".join(sorted((r for r in RELATIONS if r[0].isascii()), key=len, reverse=True))
_OF_RELATION = re.compile(
    rf"\b[Mm]y (?:(?:little|big|older|younger|twin|best|late|dear) )?(?P<relation>{_RELATION}) "
    r"(?:has |just |recently |sadly )*(?P<value>passed away|died|graduated|retired|got (?:married|"
    r"engaged|divorced|promoted)|was born|moved out)\b"
)
_CONDITION = re.compile(
    r"\b(?:I['’]m|I am) (?:also |actually |just |a bit |quite )*(?P<value>(?:lactose|gluten|"
    r"fructose|histamine)[- ]intolerant|diabetic|asthmatic|dyslexic|colou?r[- ]?blind|anaemic|"
    r"anemic|claustrophobic|celiac|coeliac)\b"
)
_LIKED = re.compile(
    r"\b(?:an?|this|another|the) (?P<value>(?:(?!I\b|that\b|which\b)[\w'’-]+ ){0,3}?[\w'’-]+) "
    r"(?:that |which )?I (?:really |absolutely |also |just |still )*"
    r"(?P<verb>love|like|enjoy|adore|go to|visit|use|play)"
    r"(?: so much| a lot| often| regularly| every \w+)?(?=\s*(?:$|[.,!;:)–—]|(?:and|but|so)\b))"
)
_VAGUE = re.compile(
    r"(?:^|.* )(?:things?|ones?|ways?|parts?|places?|stuff|lot|job|work|what|all|people|person|"
    r"something|someone|everything|life|time|times|same|only|most|best)$"
)
_NOT = re.compile(r"\b(?:not|never|no|if|would|could|wish)\b|n['’]t\b", re.IGNORECASE)


def read_joined(turn: Turn, sentence: Sentence) -> Iterator[Candidate]:
    """Read what a sentence's leaning and objectless clauses tell."""
    text = sentence.text
    for shape, name, start, end in _found(text):
        if start < end and is_worth(text[start:end], load_shapes()[shape]):
            yield _candidate(turn, sentence, (turn.speaker, shape, name), (start, end))
    for match in _OF_RELATION.finditer(text):
        told = (match["relation"].casefold(), DID, DID)
        yield _candidate(turn, sentence, told, match.span("value"))


_Found = tuple[str, str, int, int]  # shape, property, start and end within the sentence


def _found(text: str) -> Iterator[_Found]:
    for match in _SECOND.finditer(text):
        yield from _second(text, match)
    for match in _CONDITION.finditer(text):
        yield "health", "health", *match.span("value")
    if _NOT.search(text):
        return
    for pattern, shape, name in ((_BUSY, DOES, "busy_with"), (_TROUBLE, IS, "struggles_with")):
        for match in pattern.finditer(text):
            gerund = match.groupdict().get("gerund")
            yield shape, f"is_{gerund}" if gerund else name, *find_object(text, *match.span("rest"))
    for match in _BESIDE.finditer(text):
        own = _OWN.match(text[: match.start()])
        if own and match["gerund"] not in load_words().moods_of_now:
            start, end = find_object(text, *match.span("rest"))
            name, start = with_particle(f"is_{match['gerund']}", text, start, end)
            yield DOES, name, start, end
    yield from _relative(text)
    for match in _ALONE.finditer(text):
        yield DID, DID, *match.span("value")


def _relative(text: str) -> Iterator[_Found]:
    """Read "it's a bakery I go to often" and "the board game I love"."""
    for match in _LIKED.finditer(text):
        if _VAGUE.search(match["value"]):
            continue
        verb = match["verb"]
        name = {"go to": "goes_to"}.get(verb, f"{verb}s")
        shape = "likes" if verb in ("love", "like", "enjoy", "adore") else DOES
        yield shape, "likes" if shape == "likes" else name, *match.span("value")


def _second(text: str, match: re.Match[str]) -> Iterator[_Found]:
    first = _FIRST.match(text[: match.start()])
    if first is None or not (first["verb"] in _WENT or of_past_verb(first["verb"])):
        return
    if _ANOTHER.search(first["between"]) or _NOT.search(match["rest"]):
        return
    verb = of_past_verb(match["verb"])
    if verb is None or match["verb"] in load_lists().felt_alone:
        return
    start, end = find_object(text, *match.span("rest"))
    name, start = with_particle(verb, text, start, end)
    name = load_words().same.get(name, name)
    yield name if name in load_shapes() else DID, name, start, end


def _candidate(
    turn: Turn, sentence: Sentence, told: tuple[str, str, str], place: tuple[int, int]
) -> Candidate:
    who, shape, name = told
    start, end = place
    return Candidate(
        turn_id=turn.id, who=who, of_speaker=who != turn.speaker, property=name, shape=shape,
        value=sentence.text[start:end], value_start=sentence.start + start,
        value_end=sentence.start + end, sentence=sentence.text, sentence_start=sentence.start,
        by="rule", confidence=CLAUSE_CONFIDENCE,
    )  # fmt: skip
