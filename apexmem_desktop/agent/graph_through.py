"""Questions that lead through one fact to another: a sister's home, a pet owner's job."""

import re
from collections.abc import Sequence

from apexmem_desktop.agent.graph_shapes import GraphQuestion, Shape, Sought
from apexmem_desktop.agent.graph_words import (
    column,
    days,
    everybody,
    is_now,
    my_friends,
    subject_of,
)
from apexmem_desktop.agent.question_parts import blanked
from apexmem_desktop.agent.sought import find_sought
from apexmem_desktop.agent.whose import kin_property
from apexmem_desktop.domain.graph import Property
from apexmem_desktop.recall.kinds import Kind
from apexmem_desktop.recall.naming import Named, is_first_person
from apexmem_desktop.recall.question import Understood, content_words, hint_properties
from apexmem_desktop.storage.facts import find_facts
from apexmem_desktop.storage.vault import Connection

# Behind the name of whom it belongs to, and before "of" that name.
_BEHIND = re.compile(
    r"(?:['’]s?\s+|的)(?:\w+\s+)?(?P<kin>[a-z]+|[\u4e00-\u9fff]{2})(?=['’\s?？]|的|[^a-z])"
)
_AHEAD = re.compile(r"\b(?:the|a)\s+(?:\w+\s+)?(?P<kin>[a-z]+)\s+of\s+$", re.IGNORECASE)
_ITS_NAME = re.compile(r"\bnames?\b|\bcalled\b|叫什么|名字", re.IGNORECASE)
_KIN_SIGNS = re.compile(
    r"妹妹|姐姐|哥哥|弟弟|姐妹|兄弟|妈妈|爸爸|儿子|女儿|老婆|老公|女朋友|男朋友|室友|老板|表[哥姐弟妹]|堂[哥姐弟妹]"
)
# "The owner of Turnip", "the person who bought a kiln", "whoever adopted her".
_WHO_HAS = re.compile(
    r"\bthe owner of (?P<thing>[^,?]+?)"
    r"(?=\s+(?:work|live|like|eat|drink|do|have|study)\w*\b|[,?]|$)"
    r"|\b(?:the (?:person|one|friend|man|woman)|whoever|somebody|someone) (?:who|that|with) "
    r"(?P<deed>[^,?]+?)(?=[,?]|$)",
    re.IGNORECASE,
)
_WITH_KIN = re.compile(
    r"\b(?:has|have) (?:a|an) (?P<kin>\w+) (?:with|who (?:has|is)|that (?:has|is)) "
    r"(?P<rest>.+?)\W*$",
    re.IGNORECASE,
)
_AND = re.compile(
    r"^(?P<first>\W*(?:who|which)\b.+?)\s+and\s+(?:also\s+)?(?P<second>\w+(?:ed|s|d|t|n)?\b.+?)\W*$",
    re.IGNORECASE,
)


def through_people(
    db: Connection, read: Understood, known: Sequence[Property]
) -> GraphQuestion | None:
    """Tell what is asked through another fact; None where the question leads through none."""
    return (
        _of_kin(db, read, known)
        or _of_owner(db, read, known)
        or _with_kin(db, read, known)
        or _both(db, read, known)
    )


def _leads_to(word: str, known: Sequence[Property]) -> str:
    """Name the property that leads to somebody's "sister" or "cousin", where the graph has it."""
    exists = {one.name for one in known}
    found = [kin_property(word), *(h for h in hint_properties(word, ()) if h == "relative")]
    if word in ("姐妹", "兄弟"):
        found.append("sibling")
    return next((name for name in found if name in exists), "")


def _of_kin(db: Connection, read: Understood, known: Sequence[Property]) -> GraphQuestion | None:
    """Read "where does Mira's sister live": first who she is, then what is told of her."""
    text = read.question
    people = [one for one in read.entities if one.speaker]
    if len({one.speaker for one in people}) != 1 or _ITS_NAME.search(text):
        return None
    for owner in people:
        found = _kin_at(text, owner)
        kin = _leads_to(found[0], known) if found is not None else ""
        if found is None or not kin:
            continue
        met = find_facts(db, subject_ids=owner.entity_ids, property_names=[kin])
        ids = [fact.value_entity_id for fact in met if fact.value_entity_id is not None]
        rest = blanked(text, found[1], found[2])
        sought = find_sought(
            db, rest, content_words(rest, (), read.spans), [], known, apart=(kin,), subject_ids=ids
        )
        if not met or sought is None or read.kind is Kind.HOW_MANY or len(read.spans) > 1:
            return None
        return GraphQuestion(
            Shape.JOIN, "value", sought, beside=Sought((kin,)), owner=subject_of(db, [owner]),
            days=days(read), is_now=is_now(read),
        )  # fmt: skip
    return None


def _kin_at(text: str, owner: Named) -> tuple[str, int, int] | None:
    """Find what somebody is to who is named: the word, and the place of both."""
    if is_first_person(owner.words) and owner.words.casefold() not in ("my", "我"):
        return None
    signs = _KIN_SIGNS.match(text, owner.end + text[owner.end :].startswith("的"))
    if signs is not None:
        return signs.group(), owner.start, signs.end()
    behind = _BEHIND.match(text, owner.end)
    if behind is not None:
        return behind["kin"], owner.start, behind.end()
    ahead = _AHEAD.search(text, 0, owner.start)
    if ahead is not None and not is_first_person(owner.words):
        return ahead["kin"], ahead.start(), owner.end
    mine = re.compile(r"\s+(?P<kin>[a-z]+)\b").match(text, owner.end)
    if mine is not None and owner.words.casefold() == "my":
        return mine["kin"], owner.start, mine.end()
    return None


def _of_owner(db: Connection, read: Understood, known: Sequence[Property]) -> GraphQuestion | None:
    """Read "where does the owner of Turnip work": who has or did one thing, and what else."""
    found = _WHO_HAS.search(read.question)
    if found is None or read.spans or any(one.speaker for one in read.entities):
        return None
    part = found["thing"] or found["deed"]
    main = blanked(read.question, *found.span())
    empty = ("own", "owns")
    beside = find_sought(db, part, content_words(part), [], known, empty=empty)
    sought = find_sought(db, main, content_words(main), [], known)
    if beside is None or not beside.words or sought is None:
        return None
    return GraphQuestion(
        Shape.JOIN, "value", sought, beside=beside, is_same=True, is_now=is_now(read)
    )


def _with_kin(db: Connection, read: Understood, known: Sequence[Property]) -> GraphQuestion | None:
    """Read "who has a brother with an allergy": those from whom a fact leads to another's."""
    found = _WITH_KIN.search(read.question)
    kin = _leads_to(found["kin"], known) if found is not None else ""
    if found is None or not kin or not everybody(read.question, ranks=True) or read.spans:
        return None
    rest = found["rest"]
    sought = find_sought(db, rest, content_words(rest), [], known, apart=(kin,))
    if sought is None:
        return None
    return GraphQuestion(
        Shape.JOIN, "subject", sought, counted=read.kind is Kind.HOW_MANY,
        without=my_friends(db, read), beside=Sought((kin,)), asks_owner=True,
    )  # fmt: skip


def _both(db: Connection, read: Understood, known: Sequence[Property]) -> GraphQuestion | None:
    """Read "who has a pet and moved in 2025": two facts of one and the same."""
    found = _AND.match(read.question)
    people = [one for one in read.entities if one.speaker and not is_first_person(one.words)]
    if found is None or people:
        return None
    if column(read.question) != "subject" or len(read.spans) > 1:
        return None
    spans = [s for s in read.spans if s.phrase_start >= found.start("second")]
    if len(spans) != len(read.spans):
        return None
    first, second = found["first"], read.question[found.start("second") :]
    words = content_words(read.question, (), read.spans)
    own = [word for word in content_words(second) if word in words]
    beside = find_sought(db, first, content_words(first), [], known)
    sought = find_sought(db, second, own, [], known)
    if beside is None or sought is None or beside == sought:
        return None
    return GraphQuestion(
        Shape.JOIN, "subject", sought, counted=read.kind is Kind.HOW_MANY,
        without=my_friends(db, read), beside=beside, days=days(read), is_same=True,
    )  # fmt: skip
