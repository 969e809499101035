-- Step 5: what is left of what the user erased: that it was, when, and how much. No word of it.

CREATE TABLE erasures (
    id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL CHECK (scope IN ('entity', 'source', 'all')),
    turns INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    events INTEGER NOT NULL,
    entities INTEGER NOT NULL,
    erased_at_ms INTEGER NOT NULL,
    finished INTEGER NOT NULL       -- 0 until the file was written anew without the erased bytes
) STRICT;

CREATE TABLE erased_turns (         -- so that the same export, imported again, does not bring them back unasked
    digest TEXT PRIMARY KEY,        -- storage.tombstones.digest: of the format, the chat's own id and the turn's key
    erasure_id INTEGER NOT NULL REFERENCES erasures(id)
) STRICT, WITHOUT ROWID;
