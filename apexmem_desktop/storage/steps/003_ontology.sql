-- Step 3: the roles of entities, what upkeep works out, and the texts by which names and values are compared.
-- normalise() and normalise_value() are the program's own (storage.functions); the columns below hold what they give,
-- so a later change of either needs a step that does the same again.

-- speaker, listener, agent, mentioned: resources/ontology/graph.toml
ALTER TABLE entities ADD COLUMN role TEXT NOT NULL DEFAULT 'mentioned' CHECK (role IN ('speaker', 'listener', 'agent', 'mentioned'));
DROP TRIGGER entities_no_update;
UPDATE entities SET role = 'speaker' WHERE is_speaker;
CREATE TRIGGER entities_no_update BEFORE UPDATE ON entities BEGIN SELECT RAISE(ABORT, 'entities are append-only'); END;

-- Merging looks links up from either end, and asks of each whether it was taken back.
CREATE INDEX entity_links_by_a ON entity_links(a_id);
CREATE INDEX entity_links_by_b ON entity_links(b_id);
CREATE INDEX entity_links_by_undone ON entity_links(undoes_id) WHERE undoes_id IS NOT NULL;

-- What an earlier version wrote into these columns by its own rules is written anew by today's.
DROP TRIGGER entity_names_no_update;
UPDATE entity_names SET normalised = normalise(name) WHERE normalised <> normalise(name);
CREATE TRIGGER entity_names_no_update BEFORE UPDATE ON entity_names BEGIN SELECT RAISE(ABORT, 'entity names are append-only'); END;
DROP TRIGGER facts_no_update;
UPDATE facts SET value_normalised = normalise_value(value, value_type)
    WHERE value_normalised <> normalise_value(value, value_type);
CREATE TRIGGER facts_no_update BEFORE UPDATE ON facts BEGIN SELECT RAISE(ABORT, 'facts are append-only'); END;

-- Derived, like everything below: all of it can be worked out again from facts, rulings and traces.
CREATE TABLE importance (           -- how much a fact matters: ranks answers, never decides what is true
    fact_id INTEGER PRIMARY KEY REFERENCES facts(id),
    score REAL NOT NULL CHECK (score BETWEEN 0 AND 1),
    uses INTEGER NOT NULL,          -- answers that cited it, counted from the traces
    last_used_at_ms INTEGER,        -- NULL: no answer cited it yet
    worked_out_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE summaries (            -- what several facts of an entity come to, over a stretch of time
    id INTEGER PRIMARY KEY,
    entity_id INTEGER NOT NULL REFERENCES entities(id),
    from_ms INTEGER,                -- NULL: from the first fact on
    to_ms INTEGER,                  -- exclusive; NULL: up to the last fact
    text TEXT NOT NULL,
    fact_ids TEXT NOT NULL,         -- JSON list: what it was made of; when one of them goes, it goes
    run_id INTEGER REFERENCES runs(id),    -- NULL: put together by rule
    worked_out_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX summaries_by_entity ON summaries(entity_id, from_ms);

CREATE TABLE habits (               -- what an entity does again and again
    id INTEGER PRIMARY KEY,
    entity_id INTEGER NOT NULL REFERENCES entities(id),
    property_id INTEGER NOT NULL REFERENCES properties(id),
    value_normalised TEXT NOT NULL, -- as in facts
    times INTEGER NOT NULL,         -- on how many different days
    every_days REAL NOT NULL,       -- the middle distance between two of them
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    fact_ids TEXT NOT NULL,         -- JSON list, as in summaries
    worked_out_at_ms INTEGER NOT NULL,
    UNIQUE (entity_id, property_id, value_normalised)
) STRICT;
