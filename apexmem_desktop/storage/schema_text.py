"""What SchemaViewer tells a model: the views, example queries, and advice on time."""

VIEWS: dict[str, tuple[str, ...]] = {
    "v_facts": (
        *("fact_id", "subject", "property", "value", "polarity", "modality", "memory_type"),
        *("valid_from", "from_precision", "valid_to", "effective_to", "is_current", "status"),
        *("said_by", "said_at", "quote", "confidence", "turn_id"),
    ),
    "v_history": (
        *("subject", "property", "value", "valid_from", "from_precision", "effective_to"),
        *("said_at", "said_by", "quote", "fact_id", "turn_id"),
    ),
    "v_events": (
        *("event_id", "type", "summary", "modality", "starts_on", "start_precision", "ends_on"),
        *("place", "participants", "said_at", "quote", "turn_id"),
    ),
    "v_turns": ("turn_id", "session", "speaker", "role", "said_at", "text"),
    "v_entities": ("entity_id", "name", "type", "facts", "mentions", "first_at", "last_at"),
}
_PURPOSES = {
    "v_facts": "one row a fact, all versions; is_current = 1 for what holds now",
    "v_history": "each value a property had, oldest first: when did it change, from what to what",
    "v_events": "what happened or is planned (modality), when and with whom",
    "v_turns": "every message as it was said",
    "v_entities": "people, places and things, and how often they are spoken of",
}
_ADVICE = """
Time
- Dates are text, YYYY-MM-DD; compare them as text. said_at is the speaker's own clock.
- from_precision tells how exact valid_from is: month or year means any day of it;
  unknown means that it held on that day and nobody said since when.
- effective_to is the first day on which it no longer held; NULL while it holds.
- What held on a day D: valid_from <= D AND (effective_to IS NULL OR effective_to > D).
- polarity 0 means: said not to be so. modality: asserted, planned, hypothetical, negated, asked.
- status: current, past, planned, contested (two values said with equal right: show both).
- days_between(a, b) and months_between(a, b) count from a to b.
Names
- Compare with normalise(name) = normalise('Ana'): case and marks do not count.

Examples
SELECT value, valid_from, quote FROM v_facts
  WHERE normalise(subject) = normalise('Ana') AND property = 'lives_in' AND is_current = 1;
SELECT value, valid_from, effective_to FROM v_history
  WHERE normalise(subject) = normalise('Ana') AND property = 'works_at';
SELECT value FROM v_facts WHERE subject = 'Ana' AND property = 'lives_in' AND modality = 'asserted'
  AND valid_from <= '2023-05-01' AND (effective_to IS NULL OR effective_to > '2023-05-01');
SELECT count(DISTINCT value) FROM v_facts WHERE subject = 'Ana' AND property = 'visited';
SELECT summary, starts_on FROM v_events WHERE participants LIKE '%Ana%'
  ORDER BY starts_on DESC LIMIT 5;
SELECT turn_id, said_at, text FROM v_turns WHERE speaker = 'Ana' AND text LIKE '%piano%';
"""


def views_line() -> str:
    """List the views and their columns in one line, for a model whose query was refused."""
    return "; ".join(f"{name}({', '.join(columns)})" for name, columns in VIEWS.items())


def schema_text() -> str:
    """Describe what GraphSQL can read, in words for a small model and for people."""
    views = "\n".join(
        f"{name}({', '.join(columns)})\n  {_PURPOSES[name]}" for name, columns in VIEWS.items()
    )
    return f"One SELECT (or WITH … SELECT) over these views:\n{views}\n{_ADVICE.rstrip()}\n"
