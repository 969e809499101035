"""How long lay between two events of the graph, and which was first, by the phrases for them.

Where the graph does not know one of them, the question goes to the turns.
"""

import re
from collections.abc import Sequence

from apexmem_desktop.agent.events_named import find_event
from apexmem_desktop.agent.inquiry import Inquiry
from apexmem_desktop.agent.proposal import Proposal
from apexmem_desktop.agent.querying import judged
from apexmem_desktop.agent.reckoning import Dated, Reckoning, compare, read_reckoning
from apexmem_desktop.agent.timing import spell_length
from apexmem_desktop.chronology import spell
from apexmem_desktop.domain.graph import Fact
from apexmem_desktop.domain.wall import clock_of

_LONG = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bhow (?:long|much time)\b[^,]*?\bbetween (?P<a>.+?) and (?P<b>.+)",
        r"\bhow (?:long|much time) (?:after|before) (?P<a>.+?) (?:did|was|were|had) (?P<b>.+)",
        r"\bhow (?:long|much time)\b[^,]*?\bfrom (?P<a>.+?) (?:to|until|till) (?P<b>.+)",
    )
)
_LONG_ZH = re.compile(
    r"^从?(?P<a>.+?)(?:到|和|与|跟)(?P<b>.+?)(?:之间)?(?:一共|总共)?(?:隔了|相隔|过了|用了|花了|有|间隔)"
    r"(?:多久|多长时间)"
)
_WHEN = re.compile(
    r"^when (?:was it that|was|were|did|is|has|have)\s+|^.*?什么时候|[?？]\s*$", re.IGNORECASE
)
_TWO, _DAY_MS = 2, 86_400_000
_SHOWN_IN_DAYS = 120


def find_apart(inquiry: Inquiry) -> Proposal | None:
    """Compare two events of the graph; None for other questions, or where one is not there."""
    if "GraphSQL" not in inquiry.frame.allowed:
        return None
    what = _read(inquiry.read.question)
    if what is None or len(what.questions) != _TWO:
        return None
    found: list[Fact] = []
    for question in what.questions:
        phrase = _WHEN.sub("", _WHEN.sub("", question))
        ids = [n for one in inquiry.read.entities if one.speaker for n in one.entity_ids]
        fact = find_event(inquiry.frame, phrase, ids)
        if fact is None:
            return None
        found.append(fact)
    first, second = found
    if first.id == second.id:
        return None
    step = inquiry.use("GraphSQL", _query(first.id, second.id))
    facts = judged(inquiry, [first.id, second.id])
    if step.error or len(facts) != _TWO:
        return None
    answer = _answer(inquiry, what, found)
    return Proposal(answer, tuple(facts), "two events of the graph") if answer else None


def _read(question: str) -> Reckoning | None:
    what = read_reckoning(question)
    if what is not None:
        return what
    for pattern in (*_LONG, _LONG_ZH):
        found = pattern.search(question)
        if found is not None:
            return Reckoning((found["a"], found["b"].rstrip("?？ ")))
    return None


def _query(first: int, second: int) -> str:
    days = "SELECT a.valid_from, b.valid_from, days_between(a.valid_from, b.valid_from) AS days"
    both = f"a.fact_id = {first} AND b.fact_id = {second}"
    return f"{days} FROM v_facts AS a JOIN v_facts AS b ON {both}"


def _answer(inquiry: Inquiry, what: Reckoning, found: Sequence[Fact]) -> str:
    """Say it; "" where the days of the two overlap and it is asked which was first."""
    language = inquiry.read.language
    if what.choices or what.unit:
        return compare([_dated(fact) for fact in found], what, language)
    start, end = sorted(_middle(fact) for fact in found)
    days = round((end - start) / _DAY_MS)
    if days < _SHOWN_IN_DAYS:  # two and a half months would be told as three
        return spell.spell_duration(days * _DAY_MS, language, in_days=True)
    return spell_length(start, end, clock_of(found[0].evidence), language)


def _ends(fact: Fact) -> tuple[int, int]:
    known = (fact.valid_from.earliest_ms, fact.valid_from.latest_ms)
    (first, *_), last = [one for one in known if one is not None], known[1]
    return first, first if last is None else last


def _middle(fact: Fact) -> int:
    return sum(_ends(fact)) // _TWO


def _dated(fact: Fact) -> Dated:
    first, last = (clock_of(fact.evidence).day(at_ms) for at_ms in _ends(fact))
    return Dated(first, last, ())
