"""Which model, prompt and input produced what."""

import json
from collections.abc import Sequence

from sqlalchemy import text

from apexmem_desktop.storage.rows import append_row
from apexmem_desktop.storage.tables import runs
from apexmem_desktop.storage.vault import Connection


def append_run(
    db: Connection,
    *,
    purpose: str,
    prompt_version: int,
    prompt_sha256: str,
    schema_sha256: str,
    model_sha256: str,
    turn_ids: Sequence[int],
    output: str,
    prompt_tokens: int,
    output_tokens: int,
    ms: int,
    started_at_ms: int,
) -> int:
    """Record one call of a model, or one pass of rules (model_sha256 ""), and return its number.

    Args:
        schema_sha256: Of the grammar, schema or choices that held the reply; "" when any would do.
    """
    return append_row(
        db,
        runs,
        purpose=purpose,
        prompt_version=prompt_version,
        prompt_sha256=prompt_sha256,
        schema_sha256=schema_sha256,
        model_sha256=model_sha256,
        turn_ids=json.dumps(list(turn_ids)),
        output=output,
        prompt_tokens=prompt_tokens,
        output_tokens=output_tokens,
        ms=ms,
        started_at_ms=started_at_ms,
    )


_OF_OTHERS = text("""
SELECT j.turn_id FROM jobs j WHERE j.state = 'read' AND j.turn_id IN (
    SELECT given.value FROM runs r, json_each(r.turn_ids) given
    WHERE r.purpose = 'extract' AND r.model_sha256 <> '' AND r.model_sha256 <> :model
) AND j.turn_id NOT IN (
    SELECT given.value FROM runs r, json_each(r.turn_ids) given
    WHERE r.purpose = 'extract' AND r.model_sha256 = :model
) ORDER BY j.turn_id
""")
_FACTS_OF_OTHERS = text("""
SELECT f.id FROM facts f JOIN runs r ON r.id = f.run_id
WHERE f.turn_id IN (SELECT value FROM json_each(:turns))
    AND r.model_sha256 <> '' AND r.model_sha256 <> :model
    AND NOT EXISTS (
        SELECT 1 FROM evidence e LEFT JOIN runs again ON again.id = e.run_id
        WHERE e.fact_id = f.id AND e.recorded_at_ms NOT NULL AND NOT (
            e.turn_id IN (SELECT value FROM json_each(:turns))
            AND coalesce(again.model_sha256, '') NOT IN ('', :model)))
ORDER BY f.id
""")


def find_turns_of_others(db: Connection, model_sha256: str) -> list[int]:
    """Find the turns that were read by other models than this one, and not by it."""
    return list(db.execute(_OF_OTHERS, {"model": model_sha256}).scalars())


def find_facts_of_others(db: Connection, turn_ids: Sequence[int], model_sha256: str) -> list[int]:
    """Find the facts that other models than this one took from these turns, and only from these.

    What was said again elsewhere, or read again by rule, does not hang on one reading.
    """
    given = {"turns": json.dumps(list(turn_ids)), "model": model_sha256}
    return list(db.execute(_FACTS_OF_OTHERS, given).scalars())
