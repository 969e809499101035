"""What is kept of judgements serves a question by what was known at a date, too.

Step 14 keeps how facts are judged by all that is known. Of whom nothing was learned since the date,
that is what was known then: only the others are judged anew. The views that say so are changed on
the one connection that asks; the file stays as it is.
"""

import re
import sqlite3

# Where nothing was learned since, the number of a subject is in none of these.
_LEARNED_SINCE = """
    SELECT subject_id FROM facts WHERE recorded_at_ms > :known
    UNION SELECT f.subject_id FROM evidence e JOIN facts f ON f.id = e.fact_id
        WHERE e.recorded_at_ms > :known
    UNION SELECT f.subject_id FROM fact_links l JOIN facts f ON f.id IN (l.from_id, l.to_id)
        WHERE l.recorded_at_ms > :known AND l.kind IN ('supersedes', 'corroborates')
    UNION SELECT f.subject_id FROM rulings r JOIN facts f
        ON f.id IN (r.fact_id, (SELECT u.fact_id FROM rulings u WHERE u.id = r.undoes_id))
        WHERE r.ruled_at_ms > :known
    UNION SELECT entity_id FROM stood_since
    UNION SELECT canonical_id FROM stood_since
    UNION SELECT f.subject_id FROM stood_since s JOIN facts f ON f.value_entity_id = s.entity_id
"""
_STOOD_SINCE = """
    SELECT entity_id, canonical_id FROM entity_stood
    WHERE since_ms > :known OR (until_ms > :known AND until_ms < :forever)
"""
_AND_THOSE = """
    UNION SELECT entity_id FROM learned_since
    UNION SELECT c.canonical_id FROM learned_since t
        JOIN entity_canon c ON c.entity_id = t.entity_id
    UNION SELECT c.canonical_id FROM learned_since t
        JOIN entity_canon_known c ON c.entity_id = t.entity_id
"""
_OUTDATED, _TO_JUDGE, _SHOWN = "subjects_outdated", "subjects_to_judge", "facts_shown"
_ALL_THEN = re.compile(
    r"\s+UNION ALL SELECT id FROM entities WHERE \(SELECT known_at_ms\(\)\).*$", re.DOTALL
)
_ONLY_NOW = "(SELECT known_at_ms()) >= 4611686018427387904 AND "


def keep_what_was_known(db: sqlite3.Connection, known_at_ms: int, forever_ms: int) -> None:
    """Put views that read what is kept in the place of those that judge everything anew."""
    db.execute("PRAGMA query_only = 0")  # the file itself is open for reading only
    db.execute("PRAGMA temp_store = MEMORY")
    given = {"known": known_at_ms, "forever": forever_ms}
    db.execute(f"CREATE TEMP TABLE stood_since AS {_STOOD_SINCE}", given)
    db.execute("CREATE TEMP TABLE learned_since (entity_id INTEGER PRIMARY KEY)")
    db.execute(f"INSERT OR IGNORE INTO learned_since {_LEARNED_SINCE}", given)
    for name, sql in _changed(dict(db.execute("SELECT name, sql FROM sqlite_master "
                                              "WHERE type = 'view'"))).items():  # fmt: skip
        db.execute(f"CREATE TEMP VIEW IF NOT EXISTS {name} AS {sql}")
    db.execute("PRAGMA query_only = 1")


def _changed(views: dict[str, str]) -> dict[str, str]:
    """Give the views that change, and all that read them: a view reads only its own schema's."""
    bodies = {name: _body(sql) for name, sql in views.items()}
    bodies[_OUTDATED] = _joined(bodies[_OUTDATED])
    bodies[_TO_JUDGE] = _ALL_THEN.sub("", bodies[_TO_JUDGE])
    bodies[_SHOWN] = bodies[_SHOWN].replace(_ONLY_NOW, "", 1)
    wanted = {_OUTDATED, _TO_JUDGE, _SHOWN}
    while True:
        words = re.compile(rf"\b(?:{'|'.join(sorted(wanted))})\b")
        more = {name for name, body in bodies.items() if words.search(body)} - wanted
        if not more:
            return {name: bodies[name] for name in bodies if name in wanted}
        wanted |= more


def _joined(body: str) -> str:
    """Add those of whom something was learned since, and who stands for them or stood then."""
    return f"{body}{_AND_THOSE}"


def _body(sql: str) -> str:
    return re.split(r"\bAS\b(?:\s+--[^\n]*\n)?", sql, maxsplit=1)[1]
