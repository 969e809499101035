"""The SQL of a graph question: all of it that is certain, and what is left for the model to choose.

A query is a row of slots, each with one text or a few. Quoted texts are the properties, names and
values of the graph, and the days of the question, so that nothing else can be asked for. Where each
slot has one text, the query is written; else the model writes from the first open slot to the last.
"""

import json
from collections.abc import Sequence

from apexmem_desktop.agent.graph_shapes import GraphQuestion, Shape, Sought

Slot = tuple[str, ...]

# What a query reads: what was told as so and not taken back. A plan is told as one.
TOLD = (
    "WITH told AS (SELECT fact_id, subject, property, value, valid_from, from_precision, "
    "effective_to, is_current FROM v_facts WHERE polarity = 1 AND status <> 'rejected' "
    "AND (modality = 'asserted' OR property = 'plans')) "
)
# What holds no longer: it was followed by another, or somebody said that it is over.
OVER = (
    "WITH told AS (SELECT fact_id, subject, property, value, valid_from, from_precision, "
    "is_current FROM v_facts AS f WHERE status <> 'rejected' AND modality = 'asserted' "
    "AND ((polarity = 1 AND is_current = 0) OR (polarity = 0 AND is_current = 1)) "
    "AND NOT EXISTS (SELECT 1 FROM v_facts AS n WHERE n.subject = f.subject "
    "AND n.property = f.property AND n.value = f.value AND n.polarity = 1 AND n.is_current = 1)) "
)
_DATED = "a.from_precision <> 'unknown'"
_FROM_TWO = " FROM told AS a JOIN told AS b ON "


def told(asked: GraphQuestion) -> str:
    """Write which facts a query reads."""
    return OVER if asked.is_over else TOLD


def slots(asked: GraphQuestion) -> list[Slot]:
    """Write the query for what is asked."""
    return [(f"SELECT {_result(asked)}",), *_rest(asked), (_order(asked),)]


def proof_query(asked: GraphQuestion, query: str) -> str:
    """Write the query for the facts behind another query's rows, the oldest first."""
    rest = query[query.index(" FROM told") : len(query) - len(_order(asked))]
    event = ", b.fact_id AS event_id" if asked.beside is not None else ""
    return (
        f"{told(asked)}SELECT a.fact_id, {'b' if asked.asks_owner else 'a'}.subject, a.value, "
        f"a.valid_from{event}{rest} "
        "ORDER BY a.valid_from, a.fact_id"
    )


def fixed_parts(query: Sequence[Slot]) -> tuple[str, list[Slot], str]:
    """Split into what comes before the first choice, the choices, and what comes after the last."""
    open_ones = [at for at, slot in enumerate(query) if len(slot) > 1]
    if not open_ones:
        return "".join(slot[0] for slot in query), [], ""
    first, last = open_ones[0], open_ones[-1] + 1
    before, after = query[:first], query[last:]
    return "".join(s[0] for s in before), list(query[first:last]), "".join(s[0] for s in after)


def grammar(choices: Sequence[Slot]) -> str:
    """Write the grammar in which nothing but one of the choices can be said."""
    parts = [f"({' | '.join(map(_quoted, slot))})" for slot in choices]
    return f"root ::= {' '.join(parts)}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _result(asked: GraphQuestion) -> str:
    column = f"{'b' if asked.asks_owner else 'a'}.{asked.column}"
    if asked.counted:
        return f"count(DISTINCT {column}) AS number"
    if asked.shape is Shape.MOST:
        return f"{column}, count(DISTINCT a.value) AS number"
    if asked.shape is Shape.ORDER or is_one(asked):
        return f"{column}, a.valid_from"
    return f"DISTINCT {column}"


def is_one(asked: GraphQuestion) -> bool:
    """Whether one row is asked for, by its place in time."""
    before = asked.shape is Shape.AROUND and asked.is_state and not asked.is_after
    return not asked.counted and (asked.shape is Shape.ORDER or asked.is_nearest or before)


def _rest(asked: GraphQuestion) -> list[Slot]:
    if asked.events:
        joint = " FROM told AS a"
        for place, (fact_id, sign) in enumerate(asked.events):
            joint += _lying(f"e{place}", fact_id, sign, asked)
        return [(f"{joint} WHERE ",), *_where("a", asked.sought), *_more(asked)]
    if asked.beside is None:
        return [(" FROM told AS a WHERE ",), *_where("a", asked.sought), *_more(asked)]
    if asked.shape is Shape.JOIN:
        joint = f"{_FROM_TWO}a.subject = b.{'subject' if asked.is_same else 'value'} WHERE "
    else:
        sign = ">" if asked.is_after else "<"
        joint = (
            f"{_FROM_TWO}a.subject = b.subject "
            f"AND days_between(b.valid_from, a.valid_from) {sign} 0 WHERE "
        )
    event = [(" AND ",), *_where("b", asked.beside)]
    return [(joint,), *_where("a", asked.sought), *event, *_more(asked)]


def _lying(name: str, fact_id: int, sign: str, asked: GraphQuestion) -> str:
    """Join an event: what is asked lies after it, or before; a state may begin on its day."""
    days = f"days_between({name}.valid_from, a.valid_from) {sign} 0"
    if asked.is_now:  # what held on the event's day, where nothing began after it
        ends = f"(a.effective_to IS NULL OR a.effective_to > {name}.valid_from)"
        days = f"a.valid_from <= {name}.valid_from AND {ends}"
    return f" JOIN v_facts AS {name} ON {name}.fact_id = {fact_id} AND {days}"


def _where(table: str, sought: Sought) -> list[Slot]:
    query: list[Slot] = [(f"{table}.property = ",), tuple(map(_text, sought.properties))]
    if sought.words:
        query.append((f" AND {table}.value LIKE {_text('%' + '%'.join(sought.words) + '%')}",))
    return query


def _more(asked: GraphQuestion) -> list[Slot]:
    terms = []
    if asked.owner:
        terms.append(f"b.subject = {_text(asked.owner)}")
    if asked.subjects:
        terms.append(f"a.subject IN ({', '.join(map(_text, asked.subjects))})")
    if asked.subject:
        terms.append(f"a.subject = {_text(asked.subject)}")
    if asked.without:
        terms.append(f"{'b' if asked.asks_owner else 'a'}.subject <> {_text(asked.without)}")
    if asked.days is not None:
        first, after = map(_text, asked.days)
        terms.append(f"a.valid_from >= {first} AND a.valid_from < {after}")
    by_order = asked.shape in (Shape.ORDER, Shape.AROUND) and not asked.is_state
    if asked.days is not None or by_order:
        terms.append(_DATED)
    if asked.is_now and not asked.events:
        terms.append("a.is_current = 1")
    return [("".join(f" AND {term}" for term in terms),)]


def _order(asked: GraphQuestion) -> str:
    if asked.shape is Shape.MOST:
        return f" GROUP BY a.{asked.column} ORDER BY number {'ASC' if asked.is_least else 'DESC'}"
    if is_one(asked):
        place = f" OFFSET {asked.place}" if asked.place else ""
        return f" ORDER BY a.valid_from {'DESC' if is_from_end(asked) else 'ASC'} LIMIT 1{place}"
    return ""


def is_from_end(asked: GraphQuestion) -> bool:
    """Whether the one row asked for is counted from the newest: of what lies before an event."""
    if asked.shape is Shape.AROUND:
        return not asked.is_after
    return asked.is_after or asked.is_over


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
