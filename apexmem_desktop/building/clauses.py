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
from apexmem_desktop.building.ontology import PropertyShape, load_shapes
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.chronology.words import find_time_spans
from apexmem_desktop.domain.locations import resources_dir
from apexmem_desktop.domain.turn import Turn

# How often a clause was read right on a judged sample; see docs/quality.md.
CLAUSE_CONFIDENCE = BY_CLAUSE
MOST_WORDS = 12
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
# What is told all the same: "the hardest part is that we had to say goodbye".
_TOLD_THAT = (
    r"(?:(?<=is that )|(?<=know that )|(?<=say that )|(?<=was that )|(?<=was when )|(?<=is when )|" + _DEPENDENT + ")"
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
_END = re.compile(
    r"\s+[-–—]+\s*|(?<=\w)[-–]\s+(?!(?:and|or|to)\b)|--+|—|;|,(?!\s*(?:\w+,\s*)*(?:and|or)?\s*\w+(?:\s*$|,))"
    r"|,\s*(?:and|but|so|which|who|it|i|we|they|he|she|that|because|just|you|this|these|those)\b"
    r"|\s(?:but|because|['’]cause|cause(?= (?:i|we|it|they|he|she|you|there|my)\b)|while|when|"
    r"whenever|since|which|who|if|though|although|so|"
    r"where|"
    r"until|after|before|than|cuz|cos|(?<!stuff )(?<!things )like|how|what|why)\b"
    r"|\s(?:and|or)\s+(?:(?:eventually|finally|later)\s[a-z]+ed|hoping|thinking|wondering|wishing|i|we|it|they|he|she|my|our|now|am|it['’]s|that['’]s|this|been|have|had|"
    r"was|"
    r"is|there|you|[a-z]+ed|even|felt|hit|ate|spent|gave|saw|threw|read|drank|came|sat|sang|"
    r"found|went|got|made|took|saw|met|began|bought|built|led|left|ran|"
    r"won|wrote|looking|keep|gave|just|can|will|could)\b"
    r"|\s(?:and|or)\s+(?:the|some|all|most|everyone|people)(?:\s\w+)?\s(?:is|are|was|were|has|"
    r"have)\b"
    r"|\s(?:as|that)\s+(?:i|we|it|they|he|she|you|was|were|is|are|have|has|had|my|our)\b"
    r"|\s(?:it|they|he|she)(?:['’]s| is| was| were| are| have| has)\b",
    re.IGNORECASE,
)
_ORDERS = frozenset({"read", "set", "cut", "hit", "put", "beat", "quit", "let", "spread"})
# "A hard time with my shop, Jon": the one spoken to is called by name. "Lyon, France" keeps both.
_CALLED = re.compile(r"(?<!\S)[a-z][\w'’-]*(?P<name>,\s+[A-Z][a-z]+)$")
# "Looking at flats and picturing how …": what is pictured was cut off.
_HANGING = re.compile(r"\s(?:how|what|why|where|who|that)\b")
_LAST_DEED = re.compile(r"\s+(?:and|or)\s+\w+ing$")
_NEXT_CLAUSE = re.compile(
    r"\s*(?:and|but|so|which|who|it|i|we|they|he|she|that|because|just|you|this|these|those)\b",
    re.IGNORECASE,
)
# "Chilled by the lake, played cards": another deed. "Flour, eggs and a pinch of salt" is a list.
_NEXT_DEED = re.compile(
    r"\s*(?:and )?(?:[a-z]{2,}ed|went|had|ate|got|saw|took|made|did|came|ran|sang|swam|met|felt)\b"
)
_LIST = re.compile(
    r",\s*(?!(?:and|but|so|or|which|who|it|I|we|they|he|she|that|you|there|just|even|not|then|because|"
    r"is|are|was|were|has|have|like)\b)[\w'’-]+(?: [\w'’-]+){0,2},? and (?!(?:I|we|it|they|he|she|my|"
    r"that|then|so|just|even|now|there|you)\b)[\w'’-]+"
)
_LAST_OF_LIST = re.compile(
    r",\s*(?:and|or) (?!(?:I|we|it|they|he|she|my|that|then|so|just|even|now|there|you|also)\b)"
    r"(?!\w+ed\b)[a-z'’-]+"
)
_LIST_BEGUN = re.compile(r"(?: [a-z]+ed)? (?:by|like|including|of|such as) \w+$")
_WHO = re.compile(
    r"(?:['’](?:ve|re|s|d))?\s+(?!(?:I|we|you|knows|said|told)\b)[\w'’-]+"
    r"(?: (?!who\b|because\b)[\w'’-]+){0,8}(?=\s*[.,!?;:)]|\s*$)"
)
_HOW_TO = re.compile(r"\s+to\b")
_TEACHES = re.compile(r"\b(?:teach\w*|learn\w*|show\w*|know\w*)(?: \w+)?$")
_ADJECTIVE_BEFORE = re.compile(r"\b(?:an?|the|such an?|some|these|my|our) [a-z]+$")
# What is too long is cut where a part of it ends, not in the middle of "to mend the roof".
_LAST_JOINT = re.compile(
    r"(?P<whole>\S+(?: \S+){2,}) (?:to|and|or|for|in|with|at|by|from|about|while|as|on) .*",
    re.DOTALL,
)
# "A shelter I volunteer at" is whole.
_WORKS_AT = re.compile(
    r"\w (?:that |which )?(?:I|we) [a-z]+ (?:at|for|with|in|on|to)$|\bas (?:me|us)$"
    r"| with [\w -]+ (?:on|in) (?:it|them)$"
)
# "Not so long ago" and "not only" deny nothing.
_NOT = re.compile(
    r"^\s*(?:no\b|n['’]t)|\b(?:never|not(?! (?:(?:so|too|that|very) )?long ago| only| just))\b",
    re.IGNORECASE,
)
_LOOSE_END = re.compile(
    r"(?:^|,?\s+)(?:honestly|no matter|btw|anyway|actually|guys|by the way|and|or|to|in|on|at|for|with|about|"
    r"of|(?:that |which )?(?:i|we|you|they) (?:can|could|will|would|should|must)|"
    r"from|by|the|a|an|my|our|their|your|his|her|as|so|that|it|just|really|very|too|some|into|up|"
    r"then|there|here|again|not|though|yet|tbh|lol|haha|both|"
    r"(?:(?:a few|a couple of|several|many|one|two|three|four|five|six|seven|ten|\d+) )?"
    r"(?:days?|weeks?|weekends?|months?|years?) ago|to choose|recently|lately|nowadays|"
    r"these days|just to see|not (?:so|too|that) long ago|"
    r"the other day|a while (?:back|ago)|ago|also|been|against|through|me|while|now|soon|today|"
    r"yesterday|tonight|already|coming|last (?:week(?:end)?|month|year|night|summer|"
    r"spring|autumn|fall|winter)|"
    r"(?:last|on) (?:mon|tues|wednes|thurs|fri|satur|sun)(?:day)?)$",
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
# "I'm gonna make it", "help people go through it": what is meant was told before.
# "We all have our own paths": said of everybody.
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


# "I'm working on a new project - a thriller set in Oslo": the thing is named behind the dash.
_BARE_NOUN = re.compile(
    r"(?:an?|the|my|our|some|another) (?:(?:new|real|bit of an?|big|small|little|cool|great|other|first|"
    r"own) )*(?:project|hobby|setback|idea|surprise|plan|news|muses|goal|thing|gift|dream|one)s?"
)
_APPOSED = re.compile(
    r"(?: (?:recently|lately|too|today|now))?(?:\s+[-–—]+\s+(?=(?:an?|another|the|my|our)\s)|:\s+)"
    r"(?P<what>[^.!?;()\n…]+)"
)
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
    told = load_shapes().get(name)
    if told is not None and (shape == LIKES or fits_kind(sentence.text[start:end], told.value_kind)):
        shape = name  # "visited the beach" is no place that has a name, and a deed all the same
    if _BARE_NOUN.fullmatch(sentence.text[start:end]) and (
        said := _APPOSED.match(sentence.text, end)
    ):
        start, end = find_object(sentence.text, *said.span("what"))
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
    if parts.get("ahead") is not None:
        return IS, "looks_forward_to"
    if parts.get("mood"):
        name = words.moods.get(" ".join(match["mood"].split()))
        return None if name is None else (LIKES if name == LIKES else IS, name)
    if parts.get("gerund"):
        lasting = match["gerund"] not in words.moods_of_now
        return (DOES, f"is_{match['gerund']}") if lasting else None
    if parts.get("a"):
        return IS, "is_a"
    if parts.get("was"):
        return DID, "was"
    if parts.get("able"):
        return DID, "was_able_to"
    if parts.get("once"):
        return DID, "used_to"
    if parts.get("like"):
        return LIKES, LIKES
    return _of_verb(match["verb"].casefold(), dropped="like" not in parts)


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


def find_object(text: str, start: int, end: int) -> tuple[int, int]:
    """Find where the clause's object stands: before the next clause, and not in a loose word."""
    end = _first_stop(text, start, end)
    if _HANGING.match(text, end) and (last := _LAST_DEED.search(text[start:end])):
        end = start + last.start()
    words = [(m.start(), m.end()) for m in re.finditer(r"\S+", text[start:end])]
    if words:
        end = start + words[min(len(words), MOST_WORDS) - 1][1]
        start += words[0][0]
    if len(words) > MOST_WORDS and (joint := _LAST_JOINT.match(text[start:end])):
        end = start + joint.end("whole")
        if (comma := text.find(",", start, end)) > start:  # the rest of a list was cut off
            end = comma
            if begun := _LIST_BEGUN.search(text[start:end]):
                end = start + begun.start()
        # "to stay" of "to stay on track", "that hung" of "that hung on the wall"
        if left := re.search(r"\s+(?:to|that|which|who) \w+$", text[start:end]):
            end = start + left.start()
    without = re.search(r"\s+(?:on|of|with|in|about|for|to|from|at) (?:it|them)$", text[start:end])
    if without and not _WORKS_AT.search(text[start:end]):
        end = start + without.start()
    while (loose := _LOOSE_END.search(text[start:end])) and not _WORKS_AT.search(text[start:end]):
        end = start + loose.start()
    if called := _CALLED.search(text[start:end]):
        end = start + called.start("name")
    while end > start and text[end - 1] in " ,'\"-“”" and not _closes(text[start:end]):
        end -= 1
    # 'The Mill' Trilogy loses none of its marks, "The Mill" all.
    while start < end and text[start] in "\"“'" and not re.search('["”]', text[start + 1 : end]):
        start += 1
    return start, end


def _closes(value: str) -> bool:
    """Whether the last mark closes words that are quoted within: a piece called "Winter"."""
    return value.endswith('"') and value.count('"') == 2 and not value.startswith('"')


def _before_range(text: str, start: int, end: int) -> int:
    """Leave the years out of "Lumo from 2015 to 2018": they are when it was, not what."""
    for span in find_time_spans(text[start:end], anchor_ms=0, offset_minutes=0):
        if span.ends is not None and span.phrase_start + len(span.phrase) == end - start:
            return start + len(text[start : start + span.phrase_start].rstrip(" ,"))
    return end


def _first_stop(text: str, start: int, end: int) -> int:
    """Find the first end of an object ; the comma of "a safe, warm place" is none."""
    for stop in _END.finditer(text, start, end):
        if not _goes_on(text, start, stop):
            return stop.start()
    return end


def _goes_on(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether what looks like an object's end is none: adjectives, a list, "people who …"."""
    before, word = text[start : stop.start()], stop.group().strip().casefold()
    if word == ",":
        if _NEXT_CLAUSE.match(text, stop.end()) or _NEXT_DEED.match(text, stop.end()):
            return False
        if "," in before and _LAST_OF_LIST.match(text, stop.start()):
            return True
        return bool(_ADJECTIVE_BEFORE.search(before) or _LIST.match(text, stop.start()))
    if word == "who":
        theirs = _WHO.match(text, stop.end())
        return theirs is not None and len(text[start : theirs.end()].split()) <= MOST_WORDS
    return word == "how" and bool(_HOW_TO.match(text, stop.end()) and _TEACHES.search(before))


_HARD_AT = re.compile(r"(?:really |so |very )?hard\s+(?=(?:on|at|for)\s+(?:an?|the|my|our|another)\b)")


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
