"""Where a contradiction or a doubtful date can be at all, found without reading every fact.

Both may find too much, never too little: what they find is judged by others.
"""

import json
from collections.abc import Collection, Mapping

from sqlalchemy import text

from apexmem_desktop.storage.vault import Connection

# Two facts contest each other only if they begin together. By when one began is worked out as in
# `recall.holding.order_ms`; a test holds the two together.
_CONTESTABLE = """
WITH said AS (
  SELECT e.fact_id, min(t.said_at_ms) AS at_ms
  FROM evidence e JOIN turns_said t ON t.id = e.turn_id
  WHERE e.fact_id IS NOT NULL GROUP BY e.fact_id
)
SELECT DISTINCT subject, topic FROM (
  SELECT c.canonical_id AS subject,
    coalesce((SELECT value FROM json_each(:topics) WHERE key = p.name), p.name) AS topic,
    CASE WHEN p.name IN (SELECT value FROM json_each(:lifelong)) THEN 0 ELSE coalesce(
      nullif(min(
        ifnull(f.from_latest_ms, :never),
        iif(said.at_ms >= ifnull(f.from_earliest_ms, said.at_ms), said.at_ms, :never),
        coalesce(f.to_earliest_ms, f.to_latest_ms, :never)
      ), :never), f.from_earliest_ms, f.recorded_at_ms) END AS began_ms,
    p.name || char(0) || f.value_normalised || char(0) || f.polarity || f.modality AS side
  FROM facts f
  JOIN properties p ON p.id = f.property_id
  JOIN entity_canon c ON c.entity_id = f.subject_id
  LEFT JOIN said ON said.fact_id = f.id
) GROUP BY subject, topic, began_ms HAVING min(side) <> max(side)
"""
_NEVER_MS = 2**62
_NUMERIC_DATES = """
SELECT id FROM facts WHERE from_precision = 'day' AND phrase GLOB '*[0-9][./-][0-9]*' ORDER BY id
"""


def find_contestable_topics(
    db: Connection, *, lifelong: Collection[str], topics: Mapping[str, str]
) -> list[tuple[int, str]]:
    """Find of whom (the number that stands for them) what is told in two ways from one time on.

    Args:
        lifelong: Properties that hold from the beginning, whenever they were told.
        topics: What a property is about, where that is not its own name.
    """
    values = {
        "lifelong": json.dumps(sorted(lifelong)),
        "topics": json.dumps(dict(topics)),
        "never": _NEVER_MS,
    }
    return [(row.subject, row.topic) for row in db.execute(text(_CONTESTABLE), values)]


def find_facts_of_numeric_dates(db: Connection) -> list[int]:
    """Find the facts dated to a day by words such as "5/6"."""
    return list(db.execute(text(_NUMERIC_DATES)).scalars())
