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
SELECT DISTINCT subject, topic FROM (
  SELECT lane / 524288 AS subject,
    coalesce((SELECT value FROM json_each(:topics) WHERE key = property), property) AS topic,
    CASE WHEN property IN (SELECT value FROM json_each(:lifelong)) THEN 0 ELSE coalesce(
      nullif(min(
        ifnull(from_latest_ms, :never),
        ifnull(iif(first_said_ms >= ifnull(from_earliest_ms, first_said_ms), first_said_ms, NULL),
          :never),
        coalesce(to_earliest_ms, to_latest_ms, :never)
      ), :never), from_earliest_ms, recorded_at_ms) END AS began_ms,
    v || char(0) || positive AS side
  FROM facts_said WHERE asserted
) GROUP BY subject, topic, began_ms HAVING min(side) <> max(side)
"""
_NEVER_MS = 2**62
_NUMERIC_DATES = """
SELECT id FROM facts WHERE phrase GLOB '*[0-9][./-][0-9]*' ORDER BY id
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
    """Find the facts of which the time words hold something like "5/6"."""
    return list(db.execute(text(_NUMERIC_DATES)).scalars())
