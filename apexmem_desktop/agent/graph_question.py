"""Questions that no turn answers by itself, and that the graph answers by one query.

"Which pets do my friends have?", "How many people moved in 2025?", "Who ran the most races?", "What
did she buy after she moved?": their answer lies in many turns at once. What such a question names
is looked up here, without a model: the properties it may be about, the values and times that must
stand in the query. A question with a word that nothing of this explains is left to the others.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from apexmem_desktop.agent.whose import kin_property
from apexmem_desktop.domain.graph import Fact, Property
from apexmem_desktop.domain.wall import WallClock
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.naming import Named, is_first_person
from apexmem_desktop.recall.question import Understood, content_words, hint_properties
from apexmem_desktop.recall.vocabulary import CJK, same_stem
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.names import normalise
from apexmem_desktop.storage.properties import find_properties
from apexmem_desktop.storage.vault import Connection

MAX_PROPERTIES = 4
MAX_FACTS = 3000
_EVERYBODY = re.compile(
    r"\b(?:people|persons|everyone|everybody|anyone|anybody|friends|contacts|who (?:of|among)"
    r"|which of (?:us|them))\b|哪些人|哪几个人|多少人|几个人|大家|朋友们|我认识的人",
    re.IGNORECASE,
)
_WHOM = re.compile(
    r"^\W*(?:and |so |but )?(?:who\b|which (?:of|people|friends|persons)\b"
    r"|how many (?:of|people|persons|friends)\b)|谁|哪些人|哪几个人|多少人|几个人",
    re.IGNORECASE,
)
_MOST = re.compile(r"\bmost\b(?! recent)|最多", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:first|earliest)\b(?! (?:name|language))|最早|第一次|最先", re.IGNORECASE)
_LAST = re.compile(
    r"\b(?:last|latest|most recent(?:ly)?|newest)\b"
    r"(?! (?:name|week|month|year|night|spring|summer|autumn|fall|winter|weekend|\w+day)\b)"
    r"|最后一次|最近一次",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?P<main>.+?),?\s+(?P<how>after|before|since)\s+"
    r"(?P<event>(?-i:[Hh]e|[Ss]he|[Tt]hey|I|[Ww]e|[A-Z]\w+)\s.+?)\W*$",
    re.IGNORECASE,
)
# "The siblings of my friends", "people's bosses": whom it is about is found through another fact.
_THEIRS = re.compile(
    r"\b(?P<kin>\w+) of (?:my|our|the|people|everybody|everyone)\b"
    r"|\b(?:people|friends|everybody|everyone)['’]s? (?P<owned>\w+)",
    re.IGNORECASE,
)
_MY_FRIENDS = re.compile(r"\b(?:my|our)\s+(?:\w+\s+)?friends\b|我的?朋友", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:is|are|does|do|has|have|lives?|works?|an?)\b", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:did|was|were|had|ever|been|have \w+(?:ed|n|ft)|has \w+(?:ed|n|ft))\b|[过了]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_OPEN = ("0001-01-01", "9999-12-31")
# Nouns of what is asked for that the property tells anyway, and words that ask for nothing.
_SAY_NOTHING = frozenset(
    """people people's person persons everyone everybody anyone anybody friend friends contact
    contacts among something anything things thing places place kinds kind sorts different cities
    city towns town countries country times time recently recent newest latest earliest often name
    names currently go went become became got total number 人""".split()  # noqa: SIM905
)


class Shape(StrEnum):
    """What a query does with the facts that it finds; also names its worked examples."""

    LIST = "list"
    COUNT = "count"
    MOST = "most"
    ORDER = "order"
    AROUND = "around"
    JOIN = "join"


@dataclass(frozen=True, slots=True)
class Sought:
    """Facts that a query looks for.

    Attributes:
        properties: Which it may be about, likeliest first; all of them are in the graph.
        words: Must stand in the value, in this order.
    """

    properties: tuple[str, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A question that the graph answers by one query.

    Attributes:
        column: What is asked for: "subject" or "value".
        counted: Whether their number is asked for.
        subject: Whose facts; "" for everybody's.
        without: Whose facts not: "my friends" are not who asks; "" for nobody's.
        beside: The event that they lie around, or what leads to whom they are about.
        is_after: Whether they lie after that event; of an order, whether the last is asked for.
        days: First day of the time asked about and the first after it, YYYY-MM-DD.
        is_now: Whether only what holds is asked for.
    """

    shape: Shape
    column: str
    sought: Sought
    counted: bool = False
    subject: str = ""
    without: str = ""
    beside: Sought | None = None
    is_after: bool = False
    days: tuple[str, str] | None = None
    is_now: bool = False


def read_graph_question(db: Connection, read: Understood) -> GraphQuestion | None:
    """Tell what is asked of the graph; None for a question that is none to it."""
    text = read.question
    named = [one for one in read.entities if one.speaker and not is_first_person(one.words)]
    if read.kind in (Kind.YES_NO, Kind.WHY, Kind.WHEN, Kind.HOW_LONG) or len(named) > 1:
        return None
    whose = _EVERYBODY.search(text) or (_WHOM.search(text) and _MOST.search(text))
    if not named and not whose:
        return None
    known = find_properties(db)
    around = _AROUND.match(text) if not read.spans else None
    if around is not None:
        return _around(db, read, around, named, known)
    shape = _shape(read, everybody=not named)
    return _of_shape(db, read, shape, named, known) if shape is not None else None


def _shape(read: Understood, *, everybody: bool) -> Shape | None:
    text = read.question
    if everybody and _MOST.search(text):
        return Shape.MOST
    if read.kind is not Kind.HOW_MANY and (_FIRST.search(text) or _LAST.search(text)):
        return Shape.ORDER
    if not everybody:
        return None
    if _leads_through(text):
        return Shape.JOIN
    return Shape.COUNT if read.kind is Kind.HOW_MANY else Shape.LIST


def _of_shape(
    db: Connection,
    read: Understood,
    shape: Shape,
    named: Sequence[Named],
    known: Sequence[Property],
) -> GraphQuestion | None:
    through = _leads_through(read.question) if shape is Shape.JOIN else ""
    kin = (through,) if through else ()
    sought = _sought(db, read.question, read.words, named, known, apart=kin)
    beside = Sought(kin) if kin else None
    if sought is None or (beside and not _are_known(beside.properties, known)):
        return None
    if len(read.spans) > 1:
        return None
    return GraphQuestion(
        shape,
        _column(read.question),
        sought,
        counted=read.kind is Kind.HOW_MANY,
        subject=_subject(db, named),
        without=_asker(db, read),
        beside=beside,
        is_after=_FIRST.search(read.question) is None,
        days=_days(read),
        is_now=shape in (Shape.LIST, Shape.COUNT, Shape.JOIN) and _is_now(read),
    )


def _leads_through(text: str) -> str:
    """Name the property through which those are found whom a question is about; "" for none."""
    theirs = _THEIRS.search(text)
    return kin_property(theirs["kin"] or theirs["owned"]) if theirs is not None else ""


def _around(
    db: Connection,
    read: Understood,
    parts: re.Match[str],
    named: Sequence[Named],
    known: Sequence[Property],
) -> GraphQuestion | None:
    main, event = parts["main"], parts["event"]
    sought = _sought(db, main, content_words(main), named, known)
    beside = _sought(db, event, content_words(event), named, known)
    # An event without a value of its own is any of its kind: which one, nobody can tell.
    if sought is None or beside is None or not beside.words:
        return None
    return GraphQuestion(
        Shape.AROUND,
        _column(main),
        sought,
        counted=read.kind is Kind.HOW_MANY,
        subject=_subject(db, named),
        beside=beside,
        is_after=parts["how"].casefold() != "before",
    )


def _sought(
    db: Connection,
    text: str,
    words: Sequence[str],
    named: Sequence[Named],
    known: Sequence[Property],
    *,
    apart: Sequence[str] = (),
) -> Sought | None:
    """Find the properties and the words of values; None where a word is left that means neither."""
    hints = [name for name in hint_properties(text, known) if name not in apart]
    names = [name for name in hints if _are_known((name,), known) and not _is_loose(name)]
    names = names[:MAX_PROPERTIES]
    mine = {normalise(part) for one in named for part in (*one.words.split(), *one.name.split())}
    left = [w for w in words if normalise(w) not in mine and normalise(w) not in _SAY_NOTHING]
    left = [w for w in left if not _tells_property(w, (*names, *apart), known)]
    # "Became team lead" names no property: the value does.
    found = find_facts(db, property_names=names or None, limit=MAX_FACTS) if names or left else []
    values = [w for w in left if not CJK.search(w)]
    having = [fact for fact in found if _has(fact, values)]
    if values and not having:
        return None
    if values and not names:
        of_them = dict.fromkeys(fact.property for fact in having if not _is_loose(fact.property))
        names = list(of_them)[:MAX_PROPERTIES]
    elif values:
        names = [name for name in names if any(fact.property == name for fact in having)]
    called = [name for name in names if _is_called(name, text)]
    return Sought(tuple(called or names), tuple(values)) if names else None


def _is_loose(name: str) -> bool:
    """Whether a property is a turn of phrase that was kept as it was told: is_running_out_of."""
    return name.startswith("is_")


def _is_called(name: str, text: str) -> bool:
    """Whether all of a property's name stands in the question: nothing is left to choose then.

    A small model that may choose takes "bought" for a pet.
    """
    parts = [part for part in name.split("_") if part not in ("in", "at", "on", "to", "from")]
    words = _WORD.findall(text)
    return all(any(same_stem(part, word) for word in words) for part in parts)


def _tells_property(word: str, names: Iterable[str], known: Sequence[Property]) -> bool:
    if any(same_stem(word, part) for name in names for part in name.split("_")):
        return True
    return bool(set(hint_properties(word, known)) & set(names)) or kin_property(word) in names


def _has(fact: Fact, words: Sequence[str]) -> bool:
    value = normalise(fact.value)
    return all(normalise(word) in value for word in words)


def _are_known(names: Sequence[str], known: Sequence[Property]) -> bool:
    return {*names} <= {one.name for one in known}


def _column(text: str) -> str:
    return "subject" if _WHOM.search(text) else "value"


def _subject(db: Connection, named: Sequence[Named]) -> str:
    ids = [number for one in named for number in one.entity_ids]
    facts = find_facts(db, subject_ids=ids, limit=1) if ids else []
    return facts[0].subject if facts else "".join(one.name for one in named)


def _asker(db: Connection, read: Understood) -> str:
    """Name who asks about "my friends"; "" where nobody knows, or others are asked about too."""
    if not _MY_FRIENDS.search(read.question):
        return ""
    own = [one for one in read.entities if one.speaker and is_first_person(one.words)]
    return _subject(db, own[:1])


def _days(read: Understood) -> tuple[str, str] | None:
    if not read.spans:
        return None
    span = read.spans[0]
    first, after = (
        WallClock(span.offset_minutes, span.zone).day(at_ms).isoformat()
        for at_ms in (span.start_ms, span.end_ms)
    )
    return _OPEN[0] if span.role == "until" else first, _OPEN[1] if span.role == "since" else after


def _is_now(read: Understood) -> bool:
    if read.spans:
        return False
    text = read.question
    return read.asks_now or (bool(_PRESENT.search(text)) and not _PAST.search(text))
