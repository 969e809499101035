"""Plain clauses about oneself: what the speaker did, does, has, wants or cares about. No model.

Patterns know some fifty properties; people tell of a thousand. Here the verb is the property: "I
joined a church nearby" becomes *joined · church nearby*. English only: there the subject stands
before its verb.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.confidence import BY_CLAUSE
from apexmem_desktop.building.grounding import fits_kind
from apexmem_desktop.building.objects import find_object
from apexmem_desktop.building.ontology import PropertyShape, load_shapes
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.building.taken_back import is_taken_back
from apexmem_desktop.chronology.words import find_time_spans
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Turn

# How often a clause was read right on a judged sample; see docs/quality.md.
CLAUSE_CONFIDENCE = BY_CLAUSE
DID, DOES, IS, WANTS, PLANS, LIKES = "did", "does", "is", "wants", "plans", "likes"

_ADVERBS = (
    r"(?:(?:just|also|really|finally|recently|actually|even|still|already|always|often|usually|"
    r"definitely|totally|truly|currently|now|sometimes|first|once|only|both|all|eventually|"
    r"lately|"
    r"generally|mostly|regularly|proudly|officially|quickly|slowly|accidentally|so|pretty|very|"
    r"super|absolutely|especially|particularly|do|too)\s+)*"
)
# "I" behind these begins a clause that depends on another: it may be what is only thought of.
_DEPENDENT = "".join(
    f"(?<!{word} )"
    for word in ("than", "what", "that", "which", "when", "if", "as", "where", "how", "who", "wish")
)
# What is told all the same: "the worst of it is that we had to sell the boat".
_TOLD_THAT = (
    r"(?:(?<=is that )|(?<=know that )|(?<=say that )|(?<=was that )|(?<=was when )|(?<=is when )|"
    + _DEPENDENT
    + ")"
)
_REST = r"(?=(?P<rest>[^.!?;:()\n…]*))"
_WHOLE = r"(?![\w'’])"
_AFTER_BE = (
    rf"{_ADVERBS}"
    r"(?:(?:[Gg]onna|(?:planning|going|getting\s+ready|gearing\s+up)\s+(?:to|on)\s+(?:be\s+)?)\s*"
    r"(?=(?P<planned>[a-z]+))"
    r"|(?:hoping|aiming|trying|saving\s+up|looking\s+forward)\s+(?:to|"
    r"for)\s+(?=(?P<wanted_now>[a-z]+))"
    rf"|(?:getting|gearing)\s+(?:ready|up)\s+for(?P<ahead>){_WHOLE}"
    rf"|(?:(?P<mood>(?!\w+ing\b)[a-z]+\s+(?:about|in|of|on|at|to|for|with|by)|into"
    rf"|thinking\s+(?:of|about)(?=\s+\w+ing\b))|(?P<gerund>[a-z]{{2,}}ing)|(?P<a>an?)){_WHOLE})"
)
_CLAUSE = re.compile(
    rf"(?<!\w){_TOLD_THAT}(?:I|[Ww]e|(?:[Mm]y [a-z]+(?: [a-z]+)?|[A-Z][a-z]+) and I)(?:"
    rf"(?:['’](?:m|re)\s+|\s+was\s+(?=thinking\b)|\s+am\s+|\s+are\s+|['’]ve\s+(?:just\s+|also\s+|"
    rf"really\s+|recently\s+|always\s+)?been\s+|\s+have\s+(?:just\s+|also\s+)?been\s+){_AFTER_BE}"
    r"|(?:['’]ll|\s+will)\s+be\s+(?=(?P<coming>[a-z]+ing))"
    rf"|\s+{_ADVERBS}(?:(?:plan|intend|decided)\s+(?:to|on)|(?:['’]ve\s+)?decided\s+to)\s+"
    r"(?=(?P<decided>[a-z]+))"
    rf"|\s+{_ADVERBS}(?:want|hope|aim|dream|(?P<past>wanted))\s+(?:to|of)\s+(?=(?P<wanted>[a-z]+))"
    rf"|\s+{_ADVERBS}(?P<like>love|like|enjoy|adore|prefer|loved|enjoyed|liked){_WHOLE}"
    r"|\s+(?:was|were|['’]ve\s+been|have\s+been)\s+(?:finally\s+|even\s+)?(?P<able>able)\s+to"
    r"(?=\s+[a-z]+)"
    rf"|\s+{_ADVERBS}(?P<was>was|were){_WHOLE}"
    r"(?=\s+(?:a|an|in|at|on|part|one|the|\w+ed (?:by|from|to|at|in))\b)"
    rf"|\s+(?P<once>used)\s+to(?=\s+[a-z]+)"
    r"|(?:['’]ve|\s+have"
    r"(?!\s+(?:an?|the|my|our|some|two|three|\d+|lots|many|this|that|these|those)\b))?"
    rf"\s+{_ADVERBS}(?P<verb>[a-z]+){_WHOLE}"
    rf"){_REST}"
)
# "Quite a week - had an interview": behind a dash too.
_DASHED = re.compile(
    rf"(?<=\s[-–—]\s)(?:just\s+)?(?P<verb>[a-z]+){_WHOLE}(?=\s+(?:an?|the|my|our|some|\d+)\s){_REST}"
)
# "Been tweaking a recipe", "Took the kids out": the speaker is left out, and the verb stands first.
_DROPPED = re.compile(
    rf"^(?:(?:[Jj]ust\s+)?(?:[Bb]een\s+|(?=[Gg]onna\b)|[Ss]till\s+){_AFTER_BE}|"
    rf"(?:[Jj]ust\s+)?(?P<verb>[A-Z]?[a-z]+){_WHOLE}){_REST}"
)
_ORDERS = frozenset({"read", "set", "cut", "hit", "put", "beat", "quit", "let", "spread"})
# "Not so long ago" and "not only" deny nothing.
_NOT = re.compile(
    r"^\s*(?:no\b|n['’]t)|\b(?:never|not(?! (?:(?:so|too|that|very) )?long ago| only| just))\b",
    re.IGNORECASE,
)
# Values that begin like this point at something that is not told here, or at the one spoken to.
_POINTING = re.compile(
    r"(?:(?:me|you|him|her|it|them|['’]em|us|i|we|he|she|they|myself|ourselves|yourself|one(?!-)|"
    r"ones|your|y['’]all)\b"
    r"|(?:that|this|these|those|so|such|there|here|well|good|great|better|what|how|why|whatever|"
    r"everything|anything|nothing|something|back|around|together|alone|away|home|down|off|over|"
    r"through|out|up|hearing|seeing|to|too|all|again|forward|like|ya|as|for|by|in|on|at)"
    r"\b(?! \w+ \w)"
    # How long it took is no thing that was done.
    r"|(?:a few|a couple of|several|two|three|four|five|ten|twenty|thirty|\d+) (?:minutes|hours)\b"
    r"|(?:another|some|any) (?:at|in|from|for|to|with)\b|make it\b|hard (?:and|on|at|for)\b"
    r"|(?:share|say|tell|ask|show|admit|mention)(?: you)? (?:something|someone|that|this)\b"
    r"|(?:that|how|all that|what|when)\s+(?:the|it|you|we|i|they|he|she|your)\b"
    r"|to (?:hear|see|you|it|say|be honest)\b)",
    re.IGNORECASE,
)
# "I'm gonna make it", "help them get over it": what is meant was told before.
# "We all go our own ways": said of everybody.
_OF_EVERYBODY = re.compile(r"we all (?:have|need|want|love|know|deserve|like)\b", re.IGNORECASE)
_LEFT_POINTING = re.compile(
    r"\s+(?:(?:to|in|on|at|for|with|about|of|from|through|into) )?(?:it|them)\b"
)
_EMPTY = re.compile(
    r"(?:an? |the |my |our |some |so much |lots? of |no )?(?:(?:really|super|very|"
    r"pretty) )?(?:great|good|well|alright|"
    r"okay|ok|fine|better|nice|awesome|amazing|tough|hard|rough|wonderful|fantastic|bad|crazy|"
    r"busy|lovely|fun|real)? ?"
    r"(?:time|blast|fun|day|week|one|ones|way|lot|bit|point|idea|thing|things|stuff|feeling|"
    r"while|"
    r"feelings|chance|luck|doubt|work|thoughts?|sense|care|look|mess|wreck|"
    r"(?:few |some |lots? of |many )?(?:plans|news|changes|ideas|things)(?: \w+ing)?|part|"
    r"something (?:to )?\w+|doing|going|getting|"
    r"(?:ok|okay|fine|good|well|great|alright)(?:, thanks.*| too)?|"
    r"every (?:single )?(?:day|week|month|year|night|time)|"
    r"(?:try|do) (?:my|our) best|something (?:i|we) \w+|(?:fill|let|tell|ask|give|thank) you\b.*|"
    r"(?:an? |the |some |this |new )*projects?|quite (?:the|an?) \w+|"
    r"(?:an? |the |such an? )?(?:\w+ )?(?:day|moment)s?|"
    r"(?:an? |some |great |good |real |big |huge |so much |lots? of |a lot of |the )*"
    r"(?:progress|differences?|impact|adventure|experience)|"
    r"tons?|last|be [a-z]+|this for \w+|unique \w+|"
    r"(?:a )?(?:few|couple|bunch)(?: more| things)?|grown|kid|child|teen|teenager|boy|girl|"
    r"bit of [a-z ]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Words:
    """The word lists of `resources/ontology/clauses.toml`."""

    never: frozenset[str]
    moods_of_now: frozenset[str]
    habits: frozenset[str]
    irregular: frozenset[str]
    particles: frozenset[str]
    no_things: frozenset[str]
    openers: frozenset[str]
    moods: dict[str, str]
    same: dict[str, str]


@lru_cache(maxsize=1)
def load_words() -> Words:
    """Read the word lists."""
    with (resources_dir() / "ontology" / "clauses.toml").open("rb") as file:
        table = tomllib.load(file)
    moods, same = table.pop("moods"), table.pop("same")
    listed = {name: frozenset(words.split()) for name, words in table.items()}
    return Words(moods=moods, same=same, **listed)


def read_clauses(turn: Turn, sentence: Sentence, told: Sequence[Candidate]) -> Iterator[Candidate]:
    """Read a sentence's clauses, but for those of which something was told already."""
    first = _DROPPED.match(sentence.text)
    clauses = [one for one in _CLAUSE.finditer(sentence.text) if _begins_a_clause(one)]
    dashed = _DASHED.finditer(sentence.text)
    for match in (*((first,) if first else ()), *clauses, *dashed):
        if is_taken_back(turn.text, sentence.start + match.start()):
            continue
        candidate = _candidate(turn, sentence, match)
        if candidate is None:
            continue
        begin, end = sentence.start + match.start(), candidate.value_end
        if not any(begin <= one.value_start < end for one in told):
            yield candidate


# "After finishing the play I got a letter": a clause of time stands first.
_AFTER = re.compile(
    r"(?:[A-Z]\w+,? )?(?:[Aa]fter|[Bb]efore|[Ww]hile|[Ss]ince|[Bb]esides|[Ww]hen) \w+ing\b"
)


# "I'm working on a big idea - a radio play about owls": the thing is named behind the dash.
_BARE_NOUN = re.compile(
    r"(?:an?|the|my|our|some|another) (?:(?:new|real|bit of an?|big|small|little|cool|great|"
    r"other|first|"
    r"own) )*(?:project|hobby|setback|idea|surprise|plan|news|muses|goal|thing|gift|dream|one)s?"
)
_APPOSED = re.compile(
    r"(?: (?:recently|lately|too|today|now))?(?:\s+[-–—]+\s+(?=(?:an?|another|the|my|our)\s)|:\s+)"
    r"(?P<what>[^.!?;()\n…]+)"
)
# "I met this fine potter, Ida, who …": whom one met has a name.
_CALLED_SO = re.compile(r"(?:,| named| called) (?P<name>[A-Z][a-z]+)(?=,| who\b|[.!]|$)")
_AND_DOING = re.compile(r"(?:and|or) [a-z]+ing\s+(?!to\b|with\b|in\b|on\b|at\b)")
_TELLS = frozenset({"heard", "learned", "learnt", "found", "discovered", "decided"})


def _begins_a_clause(match: re.Match[str]) -> bool:
    before = match.string[: match.start()].rstrip()
    if _AFTER.match(before):
        return True
    if not before or not (before[-1].isalnum() or before[-1] in "'’\"”"):
        return True
    return before.split()[-1].casefold() in load_words().openers


def _candidate(turn: Turn, sentence: Sentence, match: re.Match[str]) -> Candidate | None:
    named = _named(match)
    if named is None or _OF_EVERYBODY.match(match.group()):
        return None
    shape, name = named
    start, end = find_object(sentence.text, *match.span("rest"))
    # "Relaxing and recharging at home": both have one object.
    if shape == DOES and (second := _AND_DOING.match(sentence.text, start, end)):
        start = second.end()
    if name in _TELLS and sentence.text.startswith("that ", start):
        return None  # what was learned is read as a view
    if _NOT.search(sentence.text[match.start("rest") : end]):
        return None  # "I've gone sailing but never rowed" denies the rowing alone
    end = _before_range(sentence.text, start, end)
    if _LEFT_POINTING.match(sentence.text, end):
        return None
    if shape not in (WANTS, PLANS):  # of these the verb is a part of what is wanted
        name, start = with_particle(name, sentence.text, start, end)
    name = load_words().same.get(name, name)
    start, end = _named_behind(sentence.text, name, start, end)
    told = load_shapes().get(name)
    if told is not None and (shape != DID or fits_kind(sentence.text[start:end], told.value_kind)):
        shape = name  # "visited the beach" is no place that has a name, and a deed all the same
    value = sentence.text[start:end]
    if not is_worth(value, load_shapes()[shape]):
        return None
    begin = sentence.start + start
    return Candidate(
        turn_id=turn.id, who=turn.speaker, of_speaker=False, property=name, shape=shape,
        value=value, value_start=begin, value_end=begin + len(value),
        sentence=sentence.text, sentence_start=sentence.start, by="rule",
        confidence=CLAUSE_CONFIDENCE,
    )  # fmt: skip


def _named_behind(text: str, name: str, start: int, end: int) -> tuple[int, int]:
    """Find the name that is given behind: "a fine potter, Ida", "a project - a radio play"."""
    if name == "met" and (met := _CALLED_SO.match(text, end)):
        return met.span("name")
    if _BARE_NOUN.fullmatch(text[start:end]) and (said := _APPOSED.match(text, end)):
        return find_object(text, *said.span("what"))
    return start, end


def _named(match: re.Match[str]) -> tuple[str, str] | None:
    """Name the kind of clause and the property that it tells."""
    parts, words = match.groupdict(), load_words()
    if match.re is _DASHED:
        past = of_past_verb(match["verb"])
        return None if past is None else (DID, past)
    dropped = match.re is _DROPPED
    if dropped and (parts.get("a") or (parts.get("verb") or "").casefold() in _ORDERS):
        return None  # "Been a long road" tells how it was, "Read lots of books" is an order
    planned = parts.get("planned") or parts.get("coming") or parts.get("decided")
    wanted = parts.get("wanted") or parts.get("wanted_now")
    if planned or wanted:
        empty = (planned or wanted) in words.never - {"keep"} or (dropped and planned == "be")
        wants = "wanted" if parts.get("past") else WANTS  # what was wanted then may not be now
        return None if empty else (PLANS, PLANS) if planned else (WANTS, wants)
    return _named_by_part(match, parts) or (
        _of_verb(match["verb"].casefold(), dropped="like" not in parts)
        if parts.get("verb")
        else None
    )


_LIKED = {"loved": "love", "enjoyed": "enjoy", "liked": "like"}
_LONG_AGO = re.compile(
    r"\bwhen (?:I|we) (?:was|were) (?:younger|young|little|small|an? )"
    r"|\bback then\b|\bas a (?:kid|child)\b"
)
# What a clause's first words tell by themselves: "I was a …", "I used to …".
_BY_PART = {
    "a": (IS, "is_a"),
    "was": (DID, "was"),
    "able": (DID, "was_able_to"),
    "once": (DID, "used_to"),
    "like": (LIKES, LIKES),
}


def _named_by_part(match: re.Match[str], parts: dict[str, str | None]) -> tuple[str, str] | None:
    words = load_words()
    if parts.get("ahead") is not None:
        return IS, "looks_forward_to"
    if parts.get("mood"):
        name = words.moods.get(" ".join(match["mood"].split()))
        return None if name is None else (LIKES if name == LIKES else IS, name)
    if parts.get("gerund"):
        lasting = match["gerund"] not in words.moods_of_now
        return (DOES, f"is_{match['gerund']}") if lasting else None
    if parts.get("like") and match["like"].endswith("ed") and _LONG_AGO.search(match.string):
        return DID, f"used_to_{_LIKED[match['like']]}"  # what was loved then may not be now
    return next((told for part, told in _BY_PART.items() if parts.get(part)), None)


def of_past_verb(verb: str) -> str | None:
    """Give the property that a verb of the past tells; None where it is none that tells one."""
    words = load_words()
    if verb in ("had", "got"):
        return verb
    irregular = verb in words.irregular or verb.removeprefix("re") in words.irregular
    past = irregular or (verb.endswith("ed") and len(verb) > 4)
    return verb if past and verb not in words.never else None


def _of_verb(verb: str, *, dropped: bool) -> tuple[str, str] | None:
    words = load_words()
    if verb == "have" and not dropped:
        return IS, "has"
    if past := of_past_verb(verb):
        return DID, past
    if verb in words.never:
        return None
    return (DOES, f"{verb}s") if verb in words.habits and not dropped else None


def _before_range(text: str, start: int, end: int) -> int:
    """Leave the years out of "Lumo from 2015 to 2018": they are when it was, not what."""
    for span in find_time_spans(text[start:end], anchor_ms=0, offset_minutes=0):
        if span.ends is not None and span.phrase_start + len(span.phrase) == end - start:
            return start + len(text[start : start + span.phrase_start].rstrip(" ,"))
    return end


_HARD_AT = re.compile(
    r"(?:really |so |very )?hard\s+(?=(?:on|at|for)\s+(?:an?|the|my|our|another)\b)"
)


def with_particle(verb: str, text: str, start: int, end: int) -> tuple[str, int]:
    """Take "up for" in "signed up for a class" to the verb."""
    if hard := _HARD_AT.match(text, start, end):  # "worked hard on a script"
        start = hard.end()
    for _ in range(2):
        word, _, rest = text[start:end].partition(" ")
        if word not in load_words().particles or not rest.strip():
            break
        verb = f"{verb}_{word}"
        start = end - len(rest.lstrip())
    return verb, start


def is_worth(value: str, shape: PropertyShape) -> bool:
    """Tell whether words are a value that says something by itself."""
    if shape.not_value is not None and shape.not_value.fullmatch(value):
        return False
    if not fits_kind(value, shape.value_kind):
        return False
    if sum(character.isalpha() for character in value) < 3 or not value.lstrip('"“')[:1].isalnum():
        return False
    if value.endswith(("'s", "’s")):
        return False
    half = re.search(
        r"\bboth (?!.*\band\b)|\bget rid$|['’]em\b|\b(?:looks?|feels?|sounds?)$"
        r"|\b(?:from|of|in|at|on|to|for|about|with) (?:that|this|those|these) \w+$|^that stuff\b"
        r"|\bdo (?:it|this|that)\b|^that \w+ing\b"
        r"|\b(?:it|that|this|them) (?:on|up|out|happen|work|back|off|through|over)\b",
        value,
    )
    pointing = half or _POINTING.match(value) or _EMPTY.fullmatch(value)
    return not pointing and value.casefold() not in load_words().particles | load_words().never
