-- Step 1: the vault. Instants are UTC milliseconds (…_at_ms); offset_minutes is the clock the words were said by.
-- A released step is never edited: a change is a new file beside this one.

CREATE TABLE sources (              -- one row an import
    id INTEGER PRIMARY KEY,
    format TEXT NOT NULL,           -- the importer's name
    file_name TEXT NOT NULL,        -- without its folder: the path says where a user keeps things
    sha256 TEXT NOT NULL,
    zone TEXT NOT NULL,             -- IANA name the times were read with
    date_order TEXT NOT NULL,       -- dmy, mdy, ymd, or '' where the format leaves no doubt
    date_order_certain INTEGER NOT NULL,
    imported_at_ms INTEGER NOT NULL,
    turns_new INTEGER NOT NULL,
    turns_known INTEGER NOT NULL,
    problems TEXT NOT NULL          -- JSON list of {where, what}
) STRICT;

CREATE TABLE conversations (        -- one chat, over all exports it came in
    id INTEGER PRIMARY KEY,
    format TEXT NOT NULL,
    external_id TEXT NOT NULL,      -- '' where the export has none; then overlap of turn keys decides
    title TEXT NOT NULL,
    is_group INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (             -- a conversation, or a part of one between two long silences
    id INTEGER PRIMARY KEY,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id),
    source_id INTEGER NOT NULL REFERENCES sources(id),
    started_at_ms INTEGER           -- of its first turn; NULL when that has no time
) STRICT;
CREATE INDEX sessions_by_conversation ON sessions(conversation_id);

CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions(id),
    conversation_id INTEGER NOT NULL REFERENCES conversations(id),
    source_id INTEGER NOT NULL REFERENCES sources(id),
    position INTEGER NOT NULL,      -- in its conversation, from 0, in order of arrival
    speaker TEXT NOT NULL,          -- as the export gives it; '' for a notice
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    said_at_ms INTEGER,
    order_ms INTEGER NOT NULL,      -- said_at_ms, or the time of its neighbour: readers order by it, then position
    offset_minutes INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    reply_to_id INTEGER REFERENCES turns(id) DEFERRABLE INITIALLY DEFERRED,
    attachments TEXT NOT NULL,      -- JSON list of file names
    turn_key TEXT NOT NULL,         -- the same turn in another export has the same key
    UNIQUE (conversation_id, turn_key),
    UNIQUE (conversation_id, position)
) STRICT;
CREATE INDEX turns_by_session ON turns(session_id, order_ms, position);
CREATE INDEX turns_by_conversation ON turns(conversation_id, order_ms, position);
CREATE INDEX turns_by_source ON turns(source_id);
CREATE INDEX turns_by_external_id ON turns(external_id) WHERE external_id <> '';
CREATE INDEX turns_by_time ON turns(said_at_ms);
CREATE INDEX turns_by_speaker ON turns(speaker);
CREATE INDEX turns_by_key ON turns(turn_key);

CREATE TABLE runs (                 -- one row a model call: what produced what
    id INTEGER PRIMARY KEY,
    purpose TEXT NOT NULL,          -- prompt name, or 'rules'
    prompt_version INTEGER NOT NULL,
    prompt_sha256 TEXT NOT NULL,
    model_sha256 TEXT NOT NULL,     -- '' for rules
    turn_ids TEXT NOT NULL,         -- JSON list: what was read
    output TEXT NOT NULL,           -- raw
    prompt_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    ms INTEGER NOT NULL,
    started_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE entities (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,             -- one of the 35 in resources/ontology/entity_types.toml
    name TEXT NOT NULL,             -- as first seen; entity_names holds every form
    is_speaker INTEGER NOT NULL,
    recorded_at_ms INTEGER NOT NULL,
    run_id INTEGER REFERENCES runs(id)
) STRICT;

CREATE TABLE entity_names (         -- every form an entity was called by
    id INTEGER PRIMARY KEY,
    entity_id INTEGER NOT NULL REFERENCES entities(id),
    name TEXT NOT NULL,
    normalised TEXT NOT NULL,       -- storage.names.normalise(name); lookups use only this
    turn_id INTEGER REFERENCES turns(id),   -- where it was seen first; NULL for the user's own
    UNIQUE (entity_id, name)
) STRICT;
CREATE INDEX entity_names_by_normalised ON entity_names(normalised);

CREATE TABLE entity_links (         -- the same, or surely not the same; undone by a later row
    id INTEGER PRIMARY KEY,
    a_id INTEGER NOT NULL REFERENCES entities(id),
    b_id INTEGER NOT NULL REFERENCES entities(id),
    kind TEXT NOT NULL CHECK (kind IN ('same_as', 'not_same_as')),
    by TEXT NOT NULL CHECK (by IN ('rule', 'model', 'user')),
    reason TEXT NOT NULL,
    undoes_id INTEGER REFERENCES entity_links(id),   -- set: this row only takes that one back
    recorded_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE entity_canon (         -- derived from entity_links: who stands for whom
    entity_id INTEGER PRIMARY KEY REFERENCES entities(id),
    canonical_id INTEGER NOT NULL REFERENCES entities(id)   -- the oldest of those that are the same
) STRICT;
CREATE INDEX entity_canon_by_canonical ON entity_canon(canonical_id);

CREATE TABLE mentions (             -- derived: which turn speaks of or is spoken by whom
    entity_id INTEGER NOT NULL REFERENCES entities(id),
    turn_id INTEGER NOT NULL REFERENCES turns(id),
    role TEXT NOT NULL,             -- speaker, mentioned
    PRIMARY KEY (entity_id, turn_id, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_turn ON mentions(turn_id);

CREATE TABLE properties (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,      -- snake_case, e.g. 'works_at'
    value_type TEXT NOT NULL,
    single_valued INTEGER NOT NULL, -- only these end their earlier values
    recorded_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE property_names (
    property_id INTEGER NOT NULL REFERENCES properties(id),
    normalised TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL
) STRICT;
CREATE INDEX property_names_by_property ON property_names(property_id);

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,             -- 'statement' for an event that only carries facts
    summary TEXT NOT NULL,
    modality TEXT NOT NULL,
    start_earliest_ms INTEGER, start_latest_ms INTEGER,
    start_precision TEXT NOT NULL, start_source TEXT NOT NULL,
    end_earliest_ms INTEGER, end_latest_ms INTEGER,
    end_precision TEXT, end_source TEXT,   -- NULL: nobody said that it ended
    phrase TEXT NOT NULL,           -- the time words as they stood
    place_id INTEGER REFERENCES entities(id),
    recorded_at_ms INTEGER NOT NULL,
    run_id INTEGER REFERENCES runs(id)
) STRICT;
CREATE INDEX events_by_time ON events(start_earliest_ms);

CREATE TABLE event_participants (
    event_id INTEGER NOT NULL REFERENCES events(id),
    entity_id INTEGER NOT NULL REFERENCES entities(id),
    role TEXT NOT NULL,
    PRIMARY KEY (event_id, entity_id, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_participants_by_entity ON event_participants(entity_id);

CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    subject_id INTEGER NOT NULL REFERENCES entities(id),
    property_id INTEGER NOT NULL REFERENCES properties(id),
    value TEXT NOT NULL,
    value_type TEXT NOT NULL,
    value_number REAL,              -- integer, float, boolean; for comparison in SQL
    value_normalised TEXT NOT NULL, -- equal values have equal text here
    value_entity_id INTEGER REFERENCES entities(id),
    polarity INTEGER NOT NULL,      -- 0: it is said not to be so
    modality TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    from_earliest_ms INTEGER, from_latest_ms INTEGER,
    from_precision TEXT NOT NULL, from_source TEXT NOT NULL,
    to_earliest_ms INTEGER, to_latest_ms INTEGER,
    to_precision TEXT, to_source TEXT,     -- NULL: nobody said that it ended
    phrase TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    holder_id INTEGER REFERENCES entities(id),
    event_id INTEGER REFERENCES events(id),
    recorded_at_ms INTEGER NOT NULL,
    run_id INTEGER REFERENCES runs(id)
) STRICT;
CREATE INDEX facts_by_subject ON facts(subject_id, property_id, from_earliest_ms);
CREATE INDEX facts_by_value_entity ON facts(value_entity_id);
CREATE INDEX facts_by_property ON facts(property_id, value_normalised);

CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    fact_id INTEGER REFERENCES facts(id),
    event_id INTEGER REFERENCES events(id),
    turn_id INTEGER NOT NULL REFERENCES turns(id),
    start_char INTEGER NOT NULL,
    end_char INTEGER NOT NULL,
    quote TEXT NOT NULL,
    CHECK ((fact_id IS NULL) <> (event_id IS NULL)),
    CHECK (end_char > start_char)
) STRICT;
CREATE INDEX evidence_by_fact ON evidence(fact_id);
CREATE INDEX evidence_by_event ON evidence(event_id);
CREATE INDEX evidence_by_turn ON evidence(turn_id);

CREATE TABLE fact_links (
    id INTEGER PRIMARY KEY,
    from_id INTEGER NOT NULL REFERENCES facts(id),
    to_id INTEGER NOT NULL REFERENCES facts(id),
    kind TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('rule', 'model', 'user')),
    reason TEXT NOT NULL,
    recorded_at_ms INTEGER NOT NULL,
    UNIQUE (from_id, to_id, kind)
) STRICT;
CREATE INDEX fact_links_by_to ON fact_links(to_id);

CREATE TABLE rulings (              -- what the user decided; undone by a later row
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,             -- confirm, reject, correct, prefer, merge, split, pin, hide, undo
    fact_id INTEGER REFERENCES facts(id),
    entity_id INTEGER REFERENCES entities(id),
    detail TEXT NOT NULL,           -- JSON
    reason TEXT NOT NULL,
    undoes_id INTEGER REFERENCES rulings(id),
    ruled_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX rulings_by_fact ON rulings(fact_id);

CREATE TABLE jobs (                 -- the work queue: one row a turn to be read; changes as work goes on
    turn_id INTEGER PRIMARY KEY REFERENCES turns(id),
    state TEXT NOT NULL CHECK (state IN ('pending', 'read', 'gated', 'failed')),
    priority INTEGER NOT NULL,      -- higher first: 2 asked about, 1 new, 0 old
    attempts INTEGER NOT NULL,
    reason TEXT NOT NULL,           -- why it failed, or why it was passed over
    changed_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_by_state ON jobs(state, priority DESC, turn_id DESC);

CREATE TABLE drops (                -- candidates that did not stand: inspectable, never answers
    id INTEGER PRIMARY KEY,
    turn_id INTEGER NOT NULL REFERENCES turns(id),
    run_id INTEGER REFERENCES runs(id),
    reason TEXT NOT NULL,
    candidate TEXT NOT NULL,
    recorded_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE traces (               -- each answer with every step that led to it
    id INTEGER PRIMARY KEY,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,           -- JSON of the whole Answer
    asked_at_ms INTEGER NOT NULL
) STRICT;

-- Derived. Ids grow with arrival: who has read up to one knows what is new. Vectors of two embedders stand side by
-- side while one replaces the other; they never mix.
CREATE TABLE turn_vectors (
    id INTEGER PRIMARY KEY,
    turn_id INTEGER NOT NULL REFERENCES turns(id),
    embedder TEXT NOT NULL,         -- model id and dimension
    vector BLOB NOT NULL,           -- float16, little-endian, unit length
    UNIQUE (embedder, turn_id)
) STRICT;
CREATE INDEX turn_vectors_by_turn ON turn_vectors(turn_id);

CREATE TABLE fact_vectors (
    id INTEGER PRIMARY KEY,
    fact_id INTEGER NOT NULL REFERENCES facts(id),
    embedder TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (embedder, fact_id)
) STRICT;
CREATE INDEX fact_vectors_by_fact ON fact_vectors(fact_id);

-- Derived; text is storage.words.indexable(text). Marks are letters here: without them Hindi and Thai words fall apart.
CREATE VIRTUAL TABLE turn_words USING fts5(
    text, content='', tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);

CREATE VIRTUAL TABLE fact_words USING fts5(
    text, content='', tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);

-- What was said, and what was made of it, is never changed: a correction is a new row and a link.
CREATE TRIGGER turns_no_update BEFORE UPDATE ON turns BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER turns_no_delete BEFORE DELETE ON turns BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER event_participants_no_update BEFORE UPDATE ON event_participants BEGIN SELECT RAISE(ABORT, 'event participants are append-only'); END;
CREATE TRIGGER event_participants_no_delete BEFORE DELETE ON event_participants BEGIN SELECT RAISE(ABORT, 'event participants are append-only'); END;
CREATE TRIGGER facts_no_update BEFORE UPDATE ON facts BEGIN SELECT RAISE(ABORT, 'facts are append-only'); END;
CREATE TRIGGER facts_no_delete BEFORE DELETE ON facts BEGIN SELECT RAISE(ABORT, 'facts are append-only'); END;
CREATE TRIGGER evidence_no_update BEFORE UPDATE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER fact_links_no_update BEFORE UPDATE ON fact_links BEGIN SELECT RAISE(ABORT, 'fact links are append-only'); END;
CREATE TRIGGER fact_links_no_delete BEFORE DELETE ON fact_links BEGIN SELECT RAISE(ABORT, 'fact links are append-only'); END;
CREATE TRIGGER rulings_no_update BEFORE UPDATE ON rulings BEGIN SELECT RAISE(ABORT, 'rulings are append-only'); END;
CREATE TRIGGER rulings_no_delete BEFORE DELETE ON rulings BEGIN SELECT RAISE(ABORT, 'rulings are append-only'); END;
CREATE TRIGGER entities_no_update BEFORE UPDATE ON entities BEGIN SELECT RAISE(ABORT, 'entities are append-only'); END;
CREATE TRIGGER entities_no_delete BEFORE DELETE ON entities BEGIN SELECT RAISE(ABORT, 'entities are append-only'); END;
CREATE TRIGGER entity_links_no_update BEFORE UPDATE ON entity_links BEGIN SELECT RAISE(ABORT, 'entity links are append-only'); END;
CREATE TRIGGER entity_links_no_delete BEFORE DELETE ON entity_links BEGIN SELECT RAISE(ABORT, 'entity links are append-only'); END;
CREATE TRIGGER sources_no_update BEFORE UPDATE ON sources BEGIN SELECT RAISE(ABORT, 'sources are append-only'); END;
CREATE TRIGGER sources_no_delete BEFORE DELETE ON sources BEGIN SELECT RAISE(ABORT, 'sources are append-only'); END;
CREATE TRIGGER entity_names_no_update BEFORE UPDATE ON entity_names BEGIN SELECT RAISE(ABORT, 'entity names are append-only'); END;
CREATE TRIGGER entity_names_no_delete BEFORE DELETE ON entity_names BEGIN SELECT RAISE(ABORT, 'entity names are append-only'); END;
CREATE TRIGGER properties_no_update BEFORE UPDATE ON properties BEGIN SELECT RAISE(ABORT, 'properties are append-only'); END;
CREATE TRIGGER properties_no_delete BEFORE DELETE ON properties BEGIN SELECT RAISE(ABORT, 'properties are append-only'); END;
CREATE TRIGGER property_names_no_update BEFORE UPDATE ON property_names BEGIN SELECT RAISE(ABORT, 'property names are append-only'); END;
CREATE TRIGGER property_names_no_delete BEFORE DELETE ON property_names BEGIN SELECT RAISE(ABORT, 'property names are append-only'); END;
CREATE TRIGGER runs_no_update BEFORE UPDATE ON runs BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
CREATE TRIGGER runs_no_delete BEFORE DELETE ON runs BEGIN SELECT RAISE(ABORT, 'runs are append-only'); END;
