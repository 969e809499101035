"""What is told by the name of its property: "my shoe size is 39", 我的血型是O型. No model.

The names are those of `ontology/everyday.toml`, so that what is told in other words meets under one
name. The value must look like one: a name, a number, a thing with its article; "my job is hard" is
a view of the job and none.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from apexmem_desktop.building.candidates import Candidate
from apexmem_desktop.building.confidence import BY_PATTERN
from apexmem_desktop.building.ontology import load_shapes
from apexmem_desktop.building.patterns import CHINESE_RELATIONS, RELATIONS
from apexmem_desktop.building.statements import Sentence
from apexmem_desktop.domain.everyday import canonical_name, load_everyday
from apexmem_desktop.domain.graph import ValueType
from apexmem_desktop.domain.turn import Turn

NAMED = "named"  # the shape of a property that has none of its own
# Read by narrower rules, or too wide to be told by their name.
_NOT_BY_NAME = frozenset(
    ("birthday", "likes", "dislikes", "plans", "wants", "thinks", "feels", "needs", "advises",
     "values", "owns", "visited", "bought", "sold", "made", "status", "met", "won", "found",
     "lost", "received", "gave", "team", "client", "health", "booking", "exam", "grade",
     "promotion", "appointment", "interview", "took_place_on", "good_at", "friend", "eats",
     "drinks", "works_on", "personality", "hair", "salary", "weight", "passport", "flight", "debt",
     "bank", "insurance", "budget", "computer", "phone_model", "surgery", "medication", "therapy")
)  # fmt: skip
_ACTIVITIES = frozenset({"practises", "collects", "afraid_of", "favourite_sport"})
_PEOPLE = frozenset(RELATIONS.values())
_RELATED = "|".join(sorted((r for r in RELATIONS if r[0].isascii()), key=len, reverse=True))
_NO_THING = (
    r"(?:mess|disaster|nightmare|joke|pain|problem|bit|lot|long|good|bad|great|total|real|huge|big"
    r"|little|secret|mystery|must|thing|challenge|struggle|dream)"
)
_VALUE = (
    r"(?P<value>[A-ZÀ-Þ0-9+][^,;!?()\n]*?|[\w.+-]+@[\w.-]+\w"
    rf"|an? (?!{_NO_THING}\b)\w[\w-]*(?: [\w-]+){{0,3}}?|(?P<bare>[a-z][\w-]+(?: [\w-]+){{0,2}}?))"
)
_ENGLISH_END = (
    r"(?=\s*(?:[,;!?()\n]|\.(?:\s|$)|-\s|$)|\s+(?:and|but|because|so|since|now|if|when|which|or)\b)"
)
_BARE_ACTIVITY = re.compile(
    r"[a-z]+ [a-z]{3,}ing|[a-z]{3,}ing [a-z]+|chess|yoga|pottery|photography|football|tennis|karate"
    r"|(?!(?:go|tak|do|mak|kill|gett|com|leav|chang|end|start|driv|bor|amaz|excit)ing\b)[a-z]{3,}ing"
)
_BARE_COLOUR = re.compile(r"(?:[a-z]+ )?(?:black|brown|blond|blonde|red|grey|green|blue|hazel)")
_HAN_VALUE = (
    r"(?P<value>(?![很不没我你他她它这那有要在太挺最])[\u4e00-\u9fffA-Za-z0-9@.+·-]{1,20}?)"
)
_HAN_END = r"(?=(?:了|哦|啊|呀|哈)*(?:$|[,，。!！、；;\s]))"


@lru_cache(maxsize=1)
def _english() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, _english_names()), key=len, reverse=True))
    return re.compile(
        rf"(?:^|(?<=[,;] )|(?<=\band )|(?<=\bbut )|(?<=\bbtw ))(?:[Mm]y (?:(?P<relation>{_RELATED})"
        rf"['’]s )?|(?P<name>[A-Z][a-z]+)['’]s )(?P<what>{names})(?: is|['’]s|:)"
        rf"(?: (?:now|still|actually|currently|called))? {_VALUE}{_ENGLISH_END}"
    )


@lru_cache(maxsize=1)
def _chinese() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, _chinese_names()), key=len, reverse=True))
    return re.compile(
        rf"(?:^|(?<=[,，;；。\s]))我(?P<relation>{CHINESE_RELATIONS})?的?(?P<what>{names})"
        rf"(?:现在)?(?:是|[:：]|叫|(?=\d)){_HAN_VALUE}{_HAN_END}"
    )


def _english_names() -> list[str]:
    found = []
    for one in load_everyday().values():
        if one.name not in _NOT_BY_NAME | _PEOPLE:
            names = (one.name.replace("_", " "), *one.en)
            found += [name for name in names if not name.startswith(("is ", "was ", "has "))]
    return found


def _chinese_names() -> list[str]:
    known = load_everyday().values()
    return [name for one in known if one.name not in _NOT_BY_NAME | _PEOPLE for name in one.zh]


def read_named(turn: Turn, sentence: Sentence) -> Iterator[Candidate]:
    """Read what a sentence tells of the speaker, or of theirs, by the name of the property."""
    for pattern in (_english(), _chinese()):
        for match in pattern.finditer(sentence.text):
            groups = match.groupdict()
            name = canonical_name(match["what"])
            if not _can_be(name, groups):
                continue
            relation = (groups["relation"] or "").casefold()
            who = groups.get("name") or relation or turn.speaker
            start = sentence.start + match.start("value")
            yield Candidate(
                turn_id=turn.id, who=who, of_speaker=bool(relation), property=name,
                shape=name if name in load_shapes() else NAMED, value=match["value"],
                value_start=start, value_end=start + len(match["value"]), sentence=sentence.text,
                sentence_start=sentence.start, by="rule", confidence=BY_PATTERN,
            )  # fmt: skip


def _can_be(name: str, groups: dict[str, str | None]) -> bool:
    """Whether the value can be one of the property."""
    value, bare = groups["value"] or "", groups.get("bare")
    known = load_everyday()[name]
    if bare is not None:
        if name.endswith("colour"):
            return _BARE_COLOUR.fullmatch(bare) is not None
        if name == "job_title":
            return " " not in bare and bare.endswith(("er", "or", "ist", "ian", "nurse"))
        return name in _ACTIVITIES and _BARE_ACTIVITY.fullmatch(bare) is not None
    if known.value_type is ValueType.INTEGER:
        return value[:1].isdigit()
    if known.value_type is ValueType.ENTITY:
        return not value.startswith(("a ", "an "))
    return len(value.split()) <= 6
