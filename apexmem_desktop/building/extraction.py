"""What the model reads from the sentences that no pattern covered.

The reply is held by a grammar made for the turn: the subject is the speaker, a name or a relation
that stands in the words; the property is one whose cue stands there; the value is a run of words
copied from them. So the model cannot say anything that was not said; it can only be wrong about it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from apexmem_desktop.building import bad_replies
from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.confidence import PROPOSED
from apexmem_desktop.building.examples import NOTHING, similar_example
from apexmem_desktop.building.objects import find_object
from apexmem_desktop.building.ontology import PropertyShape, load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.inference.language import GenerateRequest, Generation
from apexmem_desktop.inference.prompts import load_prompt

PROMPT = "extract"
MAX_FACTS = 3
MAX_TOKENS = 90
MAX_SENTENCE_CHARS = 400
# Asked again after a reply of no use: one fact, of few words, so that it cannot run on.
NARROW_FACTS = 1
NARROW_UNITS = 16

_CJK = r"\u3040-\u30ff\u3400-\u9fff"
_UNIT = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?")
_RELATION = re.compile(
    rf"\b(?:{'|'.join(r for r in RELATIONS if r[0].isascii())})\b", re.IGNORECASE
)
_BY_RULE_OR_NOT = frozenset({"plans"})
_LIKING = re.compile(
    r"\b(?:i|we)(?:['’]\w+)? (?:\w+ ){0,2}(?:love|like|enjoy|adore|prefer)"
    r"|\b(?:my|our) (?:\w+ )?(?:love|favou?rite|passion)|\b(?:me|been|am|['’]m) (?:\w+ )?into\b"
    r"|\b(?:fan of|hooked on|obsessed|keen on|fond of)\b",
    re.IGNORECASE,
)
_NEVER_WHO = frozenset(
    ("i", "we", "my", "our", "you", "he", "she", "it", "the", "this", "that", "but", "and", "so",
     "now", "yes")
)  # fmt: skip


def is_worth_asking(sentence: Sentence, shapes: Sequence[PropertyShape]) -> bool:
    """Whether the model finds something in a sentence with these cues that the rules did not.

    Of 253 sentences of a long conversation that the rules left to it, it made 25 facts; of the 70
    that are left out here two, both wrong: plans are read by rule or not said, and whoever likes
    something says "I like" or "my favourite".
    """
    names = {shape.name for shape in shapes} - _BY_RULE_OR_NOT
    if names <= {"likes"} and sentence.text.isascii():
        return bool(names) and _LIKING.search(sentence.text) is not None
    return bool(names) or not sentence.text.isascii()


def extract_request(
    turn: Turn,
    sentence: Sentence,
    shapes: Sequence[PropertyShape],
    *,
    most_facts: int = MAX_FACTS,
    most_units: int = 0,
) -> GenerateRequest:
    """Ask for the facts of one sentence.

    Args:
        most_units: Most words of a value (characters, where words are not spaced); 0 for any.
    """
    text = sentence.text[:MAX_SENTENCE_CHARS]
    prompt = load_prompt(PROMPT)
    *fixed, asked = prompt.render(speaker=turn.speaker, message=text)
    return GenerateRequest(
        messages=(*fixed, *similar_example(text), asked),
        static_messages=len(prompt.static),
        grammar=reply_grammar(
            _subjects(turn.speaker, text),
            [s.name for s in shapes],
            text,
            most_facts=most_facts,
            most_units=most_units,
        ),
        max_tokens=MAX_TOKENS,
    )


def why_bad(turn: Turn, sentence: Sentence, reply: Generation) -> str:
    """Say why a reply about a sentence is of no use; "" when it can be read."""
    words = (turn.speaker, sentence.text)
    return bad_replies.why_bad_lines(reply, line=_line(), nothing=NOTHING, words=words)


def reply_grammar(
    subjects: Sequence[str],
    properties: Sequence[str],
    text: str,
    *,
    most_facts: int = MAX_FACTS,
    most_units: int = 0,
) -> str:
    """Write the GBNF that allows only subjects, properties and words that are really there."""
    units = list(_UNIT.finditer(text))
    lines = [
        f'root ::= "{NOTHING}" | line' + ' ("\\n" line)?' * (most_facts - 1),
        'line ::= who " | " property " | " value',
        "who ::= " + " | ".join(_literal(one) for one in subjects),
        "property ::= " + " | ".join(_literal(one) for one in properties),
        "value ::= " + " | ".join(f"w{i}" for i in range(len(units))),
    ]
    if most_units:
        lines += [f"w{i} ::= {_run(units[i : i + most_units])}" for i in range(len(units))]
    else:
        lines += [f"w{i} ::= {_endless(units, i)}" for i in range(len(units))]
    return "\n".join(lines)


def _endless(units: Sequence[re.Match[str]], i: int) -> str:
    """Allow a word and whatever follows it, by way of the next word's rule."""
    first = _literal(units[i].group())
    return first if i + 1 == len(units) else f"{first} ({_gap(*units[i : i + 2])}w{i + 1})?"


def _run(units: Sequence[re.Match[str]]) -> str:
    """Allow a word and what follows it, up to the last of these."""
    rule = _literal(units[-1].group())
    for one, after in reversed(list(pairwise(units))):
        rule = f"{_literal(one.group())} ({_gap(one, after)}{rule})?"
    return rule


def _gap(one: re.Match[str], after: re.Match[str]) -> str:
    return '" " ' if one.end() < after.start() else ""


def _literal(words: str) -> str:
    """Write words as a GBNF string: whatever is not plain goes in by its number."""
    return '"' + "".join(_escape(character) for character in words) + '"'


def _escape(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else f"\\U{ord(character):08X}"


def _subjects(speaker: str, text: str) -> list[str]:
    named = [m.group() for m in _NAME.finditer(text) if m.group().casefold() not in _NEVER_WHO]
    related = [m.group().casefold() for m in _RELATION.finditer(text)]
    return list(dict.fromkeys([speaker, *named, *related]))


def read_reply(
    turn: Turn, sentence: Sentence, reply: str, *, cut_off: bool = False
) -> list[Candidate]:
    """Turn the model's lines into candidates.

    Args:
        cut_off: The reply ended for want of room; its last line is then left out.
    """
    lines = reply.split("\n")
    candidates: dict[tuple[str, str, str], Candidate] = {}
    for line in lines[:-1] if cut_off else lines:
        parts = _line().fullmatch(line)
        candidate = _candidate(turn, sentence, *parts.groups()) if parts else None
        if candidate is not None:
            key = (candidate.who, candidate.property, candidate.value)
            candidates.setdefault(key, candidate)
    return list(candidates.values())


@lru_cache(maxsize=1)
def _line() -> re.Pattern[str]:
    """Match a line by its property, since a speaker's name may hold the mark between parts."""
    return re.compile(rf"(.+?) \| ({'|'.join(load_shapes())}) \| (.+)")


def _candidate(turn: Turn, sentence: Sentence, who: str, name: str, value: str) -> Candidate | None:
    who, value = who.strip(), value.strip().strip(".,!?;:。，！？；：\"'()“” ")
    place = _find_words(sentence.text, value)
    if not value or not who or place is None:
        return None
    start, end = find_object(sentence.text, *place)  # the model copies on into the next clause
    if start >= end:
        return None
    return Candidate(
        turn_id=turn.id, who=who, of_speaker=who.casefold() in RELATIONS, property=name,
        shape=name, value=sentence.text[start:end], value_start=sentence.start + start,
        value_end=sentence.start + end, sentence=sentence.text,
        sentence_start=sentence.start, by="model", confidence=PROPOSED,
    )  # fmt: skip


def _find_words(text: str, value: str) -> tuple[int, int] | None:
    """Find where the copied words stand, whatever white space stood between them."""
    pattern = r"\s+".join(re.escape(word) for word in value.split())
    whole = rf"(?<![^\W{_CJK}]){pattern}(?![^\W{_CJK}])" if pattern else ""
    match = re.search(whole, text) if pattern else None
    return match.span() if match else None
