"""What the model reads from the sentences that no pattern covered.

The reply is held by a grammar made for the turn: the subject is the speaker, a name or a relation
that stands in the words; the property is one whose cue stands there; the value is a run of words
copied from them. So the model cannot say anything that was not said; it can only be wrong about it.
"""

import json
import re
from collections.abc import Sequence

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.ontology import PropertyShape, load_shapes
from apexmem_desktop.building.patterns import RELATIONS
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.turn import Turn
from apexmem_desktop.inference.language import GenerateRequest
from apexmem_desktop.inference.prompts import load_prompt

PROMPT = "extract"
MAX_FACTS = 3
MAX_TOKENS = 90
MAX_SENTENCE_CHARS = 400

_UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?")
_RELATION = re.compile(rf"\b(?:{'|'.join(r for r in RELATIONS if r.isascii())})\b", re.IGNORECASE)
_NEVER_WHO = frozenset("i we my our you he she it the this that but and so now yes".split())


def extract_request(
    turn: Turn, sentence: Sentence, shapes: Sequence[PropertyShape]
) -> GenerateRequest:
    """Ask for the facts of one sentence."""
    text = sentence.text[:MAX_SENTENCE_CHARS]
    prompt = load_prompt(PROMPT)
    return GenerateRequest(
        messages=prompt.render(speaker=turn.speaker, message=text),
        static_messages=len(prompt.static),
        grammar=reply_grammar(_subjects(turn.speaker, text), [s.name for s in shapes], text),
        max_tokens=MAX_TOKENS,
    )


def reply_grammar(subjects: Sequence[str], properties: Sequence[str], text: str) -> str:
    """Write the GBNF that allows only subjects, properties and words that are really there."""
    units = list(_UNIT.finditer(text))
    lines = [
        'root ::= "-" | line' + ' ("\\n" line)?' * (MAX_FACTS - 1),
        'line ::= who " | " property " | " value',
        "who ::= " + " | ".join(json.dumps(one, ensure_ascii=False) for one in subjects),
        "property ::= " + " | ".join(json.dumps(one) for one in properties),
        "value ::= " + " | ".join(f"w{i}" for i in range(len(units))),
    ]
    for i, unit in enumerate(units):
        word = json.dumps(unit.group(), ensure_ascii=False)
        after = ""
        if i + 1 < len(units):
            gap = json.dumps(text[unit.end() : units[i + 1].start()] and " ")
            after = f" ({gap} w{i + 1})?"
        lines.append(f"w{i} ::= {word}{after}")
    return "\n".join(lines)


def _subjects(speaker: str, text: str) -> list[str]:
    named = [m.group() for m in _NAME.finditer(text) if m.group().casefold() not in _NEVER_WHO]
    related = [m.group().casefold() for m in _RELATION.finditer(text)]
    return list(dict.fromkeys([speaker, *named, *related]))


def read_reply(turn: Turn, sentence: Sentence, reply: str) -> list[Candidate]:
    """Turn the model's lines into candidates; a line that was cut off is left out."""
    candidates: dict[tuple[str, str], Candidate] = {}
    for line in reply.splitlines():
        who, _, rest = line.partition(" | ")
        name, _, value = rest.partition(" | ")
        candidate = _candidate(turn, sentence, who.strip(), name.strip(), value)
        if candidate is not None:
            candidates.setdefault((candidate.property, candidate.value), candidate)
    return list(candidates.values())


def _candidate(
    turn: Turn, sentence: Sentence, who: str, name: str, value: str
) -> Candidate | None:
    value = value.strip().strip(".,!?;:。，！？；：\"'()“” ")
    place = _find_words(sentence.text, value)
    if not value or not who or name not in load_shapes() or place is None:
        return None
    start, end = place
    return Candidate(
        turn_id=turn.id, who=who, of_speaker=who.casefold() in RELATIONS, property=name,
        shape=name, value=sentence.text[start:end], value_start=sentence.start + start,
        value_end=sentence.start + end, sentence=sentence.text,
        sentence_start=sentence.start, by="model", confidence=0.5,
    )  # fmt: skip


def _find_words(text: str, value: str) -> tuple[int, int] | None:
    """Find where the copied words stand, whatever white space stood between them."""
    pattern = r"\s+".join(re.escape(word) for word in value.split())
    match = re.search(pattern, text) if pattern else None
    return match.span() if match else None
