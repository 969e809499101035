"""Which model, prompt and input produced what."""

import json
from collections.abc import Sequence

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
