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
MOST_WORDS = 10
DID, DOING, DOES, WANTS, HAS, LIKES, IS = "did", "doing", "does", "wants", "has", "likes", "is"

_ADVERBS = (
    r"(?:(?:just|also|really|finally|recently|actually|even|still|already|always|often|usually|"
    r"definitely|totally|truly|currently|now|sometimes|first|once|only|both|all|eventually|lately|"
    r"generally|mostly|regularly|proudly|officially|quickly|slowly|accidentally|so|pretty|very|super|"
    r"absolutely|especially|particularly|especially|do|too)\s+)*"
)
# "I" after these begins a clause that depends on another: it may be what is only thought of.
_DEPENDS = "".join(
    f"(?<!{word} )" for word in ("than", "what", "that", "which", "when", "if", "as", "where", "how", "who", "wish")
)
_REST = r"(?![\w'’])(?=(?P<rest>[^.!?;:()\n…]*))"
_OBJECT_OF_BE = (
    rf"{_ADVERBS}"
    r"(?:(?P<plan>planning|hoping|aiming|trying|going|gonna|gearing\s+up|getting\s+ready|saving\s+up|"
    r"looking\s+forward)\s+(?:to|on|of)\s+(?:be\s+)?(?P<planned>[a-z]+)"
    r"|(?P<gerund>[a-z]{2,}ing)"
    r"|(?P<mood>passionate|interested|proud|excited|focused|into|good|allergic|afraid|scared|responsible|involved|"
    r"obsessed|grateful|keen|fond|addicted|stressed|worried|nervous|inspired|stoked|thrilled|lucky|happy|glad|committed|dedicated|determined|thinking)\s+(?P<of>about|in|of|on|at|to|for|with|by)"
    r"|(?P<is>an?))"
)
_CLAUSE = re.compile(
    rf"(?<!\w){_DEPENDS}(?:I|[Ww]e)(?:"
    rf"(?:['’](?:m|re)\s+|\s+am\s+|\s+are\s+|['’]ve\s+been\s+|\s+have\s+been\s+){_OBJECT_OF_BE}"
    rf"|\s+{_ADVERBS}(?P<want>want|hope|plan|aim|dream|intend|decided|wanted)\s+(?:to|of|on)\s+(?P<wanted>[a-z]+)"
    rf"|\s+{_ADVERBS}(?P<like>love|like|enjoy|adore|prefer|loved|enjoyed|liked)(?=\s)"
    rf"|(?:['’]ve|\s+have)?\s+{_ADVERBS}(?P<verb>[a-z]+)"
    rf"){_REST}"
)
# "Been tweaking a recipe", "Took the kids out": the speaker is left out, and the verb stands first.
_DROPPED = re.compile(
    rf"^(?:(?:[Jj]ust\s+)?[Bb]een\s+{_OBJECT_OF_BE}|(?:[Jj]ust\s+)?(?P<verb>[A-Z]?[a-z]+)){_REST}"
)
_END = re.compile(
    r"\s+[-–—]+\s*|--+|—|,(?!\s*(?:\w+,\s*)*(?:and|or)?\s*\w+(?:\s*$|,))"
    r"|,\s*(?:and|but|so|which|who|it|i|we|they|he|she|that|because|just|you|this|these|those)\b"
    r"|\s(?:but|because|['’]?cause|while|when|whenever|since|which|who|if|though|although|so|where|"
    r"until|after|before|than|cuz|cos|like|how|what|why)\b"
    r"|\s(?:and|or)\s+(?:i|we|it|they|he|she|my|our|now|am|it['’]s|that['’]s|this|been|have|had|was|is|"
    r"there|you|[a-z]+ed|even|found|went|got|made|took|saw|met|began|bought|built|led|left|ran|won|wrote|"
    r"looking|keep|gave|just|can|will|could)\b"
    r"|\s(?:as|that)\s+(?:i|we|it|they|he|she|you|was|were|is|are|have|has|had|my|our)\b"
    r"|\s(?:it|they|he|she)(?:['’]s| is| was| were| are| have| has)\b",
    re.IGNORECASE,
)
_NOT = re.compile(r"^\s*(?:not|never|no\b|n['’]t)|\b(?:never|not)\b", re.IGNORECASE)
_LOOSE_END = re.compile(
    r"\s+(?:and|or|to|in|on|at|for|with|about|of|from|by|the|a|an|my|our|their|your|his|her|as|so|"
    r"that|it|just|really|very|too|some|into|up|then|there|here|again|though|yet|tbh|lol|haha|recently|"
    r"lately|nowadays|these days|the other day|a while (?:back|ago)|ago|also|been|against|through|me|"
    r"while|now|soon|today|yesterday|tonight|already)$",
    re.IGNORECASE,
)
_TO_WHOM = re.compile(
    r"^(?:(?:me|you|him|her|it|them|us|myself|ourselves|yourself|one|ones)\b"
    r"|(?:that|this|these|those|so|such|there|here|well|good|great|better|what|how|why|whatever|"
    r"everything|anything|nothing|something|back|around|together|alone|away|home|down|off|over|through|out|"
    r"up|your|y['’]all|hearing|seeing|to|too|all|again|forward|like|ya|as|for|by|in|on|at)\b(?! \w+ \w)"
    r"|(?:that|how|all that|what|when)\s+(?:the|it|you|we|i|they|he|she|your)\b"
    r"|your\b|to (?:hear|see|you|it|say|be honest)\b)",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:an? |the |some |so much |lots? of |no )?(?:(?:really|super|very|pretty) )?(?:great|good|nice|awesome|amazing|tough|"
    r"hard|rough|wonderful|fantastic|bad|crazy|busy|lovely|fun|real)? ?(?:time|blast|fun|day|one|ones|way|lot|bit|"
    r"point|idea|thing|things|stuff|feeling|feelings|while|chance|luck|doubt|work|thoughts?|sense|care|look)",
    re.IGNORECASE,
)
_GERUND_NEVER = re.compile(
    r"(?:go|feel|hop|think|wonder|say|look|kidd|jok|be|hav|dy|do|com|gett|glow|lov|talk|mean|assum|"
    r"guess|struggl|lean|stay|cry|laugh|beam|freak|keep|know|see|hear|wish|let|mak|sett|tak|gonn|sort|"
    r"root|send|cheer|runn late|count|morn|even|anyth|everyth|noth|someth|amaz|interest|excit|"
    r"dur|k|th|br|str|spr|s|r|w|hold|manag|hang)(?:ing)?$"
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
    dropped = _DROPPED.match(sentence.text)
    for match in ([dropped] if dropped else []) + list(_CLAUSE.finditer(sentence.text)):
        named = _named(match)
        if named is None:
            continue
        shape, verb = named
        start, end = _value(sentence.text, *match.span("rest"))
        verb, start = _with_particle(verb, sentence.text, start, end)
        while start < end and sentence.text[start] in "\"“'":
            start += 1
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
    parts = match.groupdict()
    if _NOT.search(match["rest"]):
        return None
    if parts["gerund"]:
        return None if _GERUND_NEVER.match(match["gerund"]) else (DOING, f"is_{match['gerund']}")
    if parts["mood"]:
        return IS, f"is_{match['mood']}_{match['of']}"
    if parts["is"]:
        return IS, "is"
    wanted = parts["planned"] or parts.get("wanted")
    if wanted:
        return None if wanted in _verbs().never or wanted in ("be", "the", "a") else (WANTS, f"wants_to_{wanted}")
    if parts.get("like"):
        return LIKES, "likes"
    return _of_verb(match["verb"].casefold(), dropped="like" not in parts)


def _of_verb(verb: str, *, dropped: bool) -> tuple[str, str] | None:
    verbs = _verbs()
    if verb in ("have", "had", "got") and not dropped:
        return HAS, "has" if verb == "have" else verb
    if verb in verbs.never:
        return None
    if verb in verbs.irregular or (verb.endswith("ed") and len(verb) > 4):
        return DID, verb
    return (DOES, f"{verb}s") if verb in verbs.habits and not dropped else None


def _value(text: str, start: int, end: int) -> tuple[int, int]:
    """Find where the clause's object ends: before the next clause, and not in a loose word."""
    stop = _END.search(text, start, end)
    end = stop.start() if stop else end
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text[start:end])]
    if words:
        end = start + words[min(len(words), MOST_WORDS) - 1][1]
        start += words[0][0]
    while loose := _LOOSE_END.search(text[start:end]):
        end = start + loose.start()
    while end > start and text[end - 1] in " ,'\"-“”":
        end -= 1
    return start, end


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
    if letters < 3 or _TO_WHOM.match(value) or _EMPTY.fullmatch(value):
        return False
    return not value.endswith(("'s", "’s")) and value.casefold() not in _verbs().particles
