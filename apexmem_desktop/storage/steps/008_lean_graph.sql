-- Step 8: the same facts and events in a third of the room, as step 7 did with turns. What many of them share stands
-- once (fact_kinds, event_kinds). A proof is where it stands in its turn; a time that is the turn's own, a value that
-- is its entity's name and a summary that is the proof are NULL. facts_told and events_told show all as before.

CREATE TEMP TABLE facts_before AS   -- with the first proof, where it is what the turn says there
SELECT f.*, q.id AS quote_id, q.turn_id, q.start_char, q.end_char, t.said_at_ms,
    coalesce(f.from_earliest_ms, f.from_latest_ms) AS from_at_ms,
    coalesce(f.to_earliest_ms, f.to_latest_ms) AS to_at_ms,
    -- How long after its anchor a bound lies at the latest: only the usual lengths stand in a kind.
    CASE WHEN f.from_earliest_ms IS NULL THEN f.from_latest_ms - f.from_latest_ms
        WHEN f.from_latest_ms - f.from_earliest_ms BETWEEN 0 AND 31708800000
            AND (f.from_latest_ms - f.from_earliest_ms) % 3600000 IN (0, 3599999)
        THEN f.from_latest_ms - f.from_earliest_ms END AS from_after_ms,
    CASE WHEN f.to_earliest_ms IS NULL THEN f.to_latest_ms - f.to_latest_ms
        WHEN f.to_latest_ms - f.to_earliest_ms BETWEEN 0 AND 31708800000
            AND (f.to_latest_ms - f.to_earliest_ms) % 3600000 IN (0, 3599999)
        THEN f.to_latest_ms - f.to_earliest_ms END AS to_after_ms,
    CASE WHEN round(f.confidence, 2) = f.confidence THEN f.confidence END AS usual_confidence,
    CASE WHEN f.value = n.name THEN n.normalised END AS name_normalised
FROM facts f
LEFT JOIN evidence q ON q.id = (SELECT min(id) FROM evidence WHERE fact_id = f.id)
    AND q.quote = (SELECT substr(text, q.start_char + 1, q.end_char - q.start_char) FROM turns WHERE id = q.turn_id)
LEFT JOIN turns t ON t.id = q.turn_id
LEFT JOIN entities thing ON thing.id = f.value_entity_id
LEFT JOIN entity_names n ON n.entity_id = thing.id AND n.name = thing.name;

CREATE TEMP TABLE events_before AS
SELECT ev.*, q.id AS quote_id, q.quote, q.turn_id, q.start_char, q.end_char, t.said_at_ms,
    coalesce(ev.start_earliest_ms, ev.start_latest_ms) AS start_at_ms,
    coalesce(ev.end_earliest_ms, ev.end_latest_ms) AS end_at_ms,
    CASE WHEN ev.start_earliest_ms IS NULL THEN ev.start_latest_ms - ev.start_latest_ms
        WHEN ev.start_latest_ms - ev.start_earliest_ms BETWEEN 0 AND 31708800000
            AND (ev.start_latest_ms - ev.start_earliest_ms) % 3600000 IN (0, 3599999)
        THEN ev.start_latest_ms - ev.start_earliest_ms END AS start_after_ms,
    CASE WHEN ev.end_earliest_ms IS NULL THEN ev.end_latest_ms - ev.end_latest_ms
        WHEN ev.end_latest_ms - ev.end_earliest_ms BETWEEN 0 AND 31708800000
            AND (ev.end_latest_ms - ev.end_earliest_ms) % 3600000 IN (0, 3599999)
        THEN ev.end_latest_ms - ev.end_earliest_ms END AS end_after_ms
FROM events ev
LEFT JOIN evidence q ON q.id = (SELECT min(id) FROM evidence WHERE event_id = ev.id)
    AND q.quote = (SELECT substr(text, q.start_char + 1, q.end_char - q.start_char) FROM turns WHERE id = q.turn_id)
LEFT JOIN turns t ON t.id = q.turn_id;

CREATE TEMP TABLE evidence_before AS    -- what stands in no row of its fact or event
SELECT e.id, e.fact_id, e.event_id, e.turn_id, e.start_char, e.end_char,
    nullif(e.quote, (SELECT substr(text, e.start_char + 1, e.end_char - e.start_char) FROM turns WHERE id = e.turn_id))
        AS quote
FROM evidence e
WHERE e.id NOT IN (SELECT quote_id FROM facts_before WHERE quote_id NOT NULL)
    AND e.id NOT IN (SELECT quote_id FROM events_before WHERE quote_id NOT NULL);

CREATE TEMP TABLE mentions_before AS SELECT * FROM mentions;

-- What points to these tables shall point to the new ones. Foreign keys are off while steps run.
DROP INDEX facts_by_subject;
DROP INDEX facts_by_value_entity;
DROP INDEX events_by_place;
DROP INDEX evidence_by_fact;
DROP INDEX evidence_by_event;
DROP INDEX evidence_by_turn;
DROP TABLE facts;
DROP TABLE events;
DROP TABLE evidence;
DROP TABLE mentions;

CREATE TABLE fact_kinds (           -- what many facts share
    id INTEGER PRIMARY KEY,
    value_type TEXT NOT NULL,
    polarity INTEGER NOT NULL,      -- 0: it is said not to be so
    modality TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    from_precision TEXT NOT NULL, from_source TEXT NOT NULL,
    from_has_earliest INTEGER NOT NULL,     -- 1: it began at from_ms at the earliest; 0: nobody knows how long before
    from_after_ms INTEGER,          -- it began so long after from_ms at the latest; NULL: from_latest_ms says it, if any
    to_precision TEXT, to_source TEXT,      -- NULL: nobody said that it ended
    to_has_earliest INTEGER NOT NULL,
    to_after_ms INTEGER,
    confidence REAL                 -- NULL: the fact's own, which has more than two places
) STRICT;
INSERT INTO fact_kinds (value_type, polarity, modality, memory_type, from_precision, from_source, from_has_earliest,
    from_after_ms, to_precision, to_source, to_has_earliest, to_after_ms, confidence)
SELECT DISTINCT value_type, polarity, modality, memory_type, from_precision, from_source, from_earliest_ms NOT NULL,
    from_after_ms, to_precision, to_source, to_earliest_ms NOT NULL, to_after_ms, usual_confidence
FROM facts_before;
CREATE INDEX fact_kinds_alike ON fact_kinds(value_type, from_after_ms, confidence, from_precision, from_source,
    memory_type, modality, polarity, from_has_earliest, to_after_ms, to_precision, to_source, to_has_earliest);

CREATE TABLE event_kinds (          -- what many events share
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,             -- 'statement' for an event that only carries facts
    modality TEXT NOT NULL,
    start_precision TEXT NOT NULL, start_source TEXT NOT NULL,
    start_has_earliest INTEGER NOT NULL,    -- as in fact_kinds
    start_after_ms INTEGER,
    end_precision TEXT, end_source TEXT,    -- NULL: nobody said that it ended
    end_has_earliest INTEGER NOT NULL,
    end_after_ms INTEGER
) STRICT;
INSERT INTO event_kinds (type, modality, start_precision, start_source, start_has_earliest, start_after_ms,
    end_precision, end_source, end_has_earliest, end_after_ms)
SELECT DISTINCT type, modality, start_precision, start_source, start_earliest_ms NOT NULL, start_after_ms,
    end_precision, end_source, end_earliest_ms NOT NULL, end_after_ms
FROM events_before;
CREATE INDEX event_kinds_alike ON event_kinds(type, start_after_ms, start_precision, start_source, modality,
    start_has_earliest, end_after_ms, end_precision, end_source, end_has_earliest);

CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    kind_id INTEGER NOT NULL REFERENCES event_kinds(id),
    summary TEXT,                   -- NULL: its first proof
    start_ms INTEGER,               -- NULL: when the turn that proves it was said
    start_latest_ms INTEGER,        -- only where the kind does not tell it
    end_ms INTEGER,                 -- NULL: as start_ms
    end_latest_ms INTEGER,
    phrase TEXT,                    -- the time words as they stood; NULL for none
    place_id INTEGER REFERENCES entities(id),
    turn_id INTEGER REFERENCES turns(id),   -- its first proof; NULL: all of it stands in evidence
    start_char INTEGER, end_char INTEGER,
    recorded_at_ms INTEGER NOT NULL,
    run_id INTEGER REFERENCES runs(id),
    CHECK (turn_id IS NULL OR end_char > start_char)
) STRICT;
INSERT INTO events
SELECT b.id, k.id, CASE WHEN b.quote_id IS NULL OR b.summary <> b.quote THEN b.summary END,
    nullif(b.start_at_ms, b.said_at_ms), CASE WHEN b.start_earliest_ms NOT NULL AND b.start_after_ms IS NULL
        THEN b.start_latest_ms END,
    nullif(b.end_at_ms, coalesce(b.start_at_ms, b.said_at_ms)),
    CASE WHEN b.end_earliest_ms NOT NULL AND b.end_after_ms IS NULL THEN b.end_latest_ms END,
    nullif(b.phrase, ''), b.place_id, b.turn_id, b.start_char, b.end_char, b.recorded_at_ms, b.run_id
FROM events_before b CROSS JOIN event_kinds k INDEXED BY event_kinds_alike
ON k.type = b.type AND k.start_after_ms IS b.start_after_ms AND k.start_precision = b.start_precision
    AND k.start_source = b.start_source AND k.modality = b.modality
    AND k.start_has_earliest = (b.start_earliest_ms NOT NULL) AND k.end_after_ms IS b.end_after_ms
    AND k.end_precision IS b.end_precision AND k.end_source IS b.end_source
    AND k.end_has_earliest = (b.end_earliest_ms NOT NULL)
ORDER BY b.id;
CREATE INDEX events_by_place ON events(place_id) WHERE place_id IS NOT NULL;

CREATE TABLE facts (
    id INTEGER PRIMARY KEY,
    subject_id INTEGER NOT NULL REFERENCES entities(id),
    property_id INTEGER NOT NULL REFERENCES properties(id),
    kind_id INTEGER NOT NULL REFERENCES fact_kinds(id),
    value TEXT,                     -- NULL: the name of its value_entity_id
    value_number REAL,              -- integer, float, boolean; for comparison in SQL
    value_normalised TEXT,          -- equal values have equal text here; NULL: it is the value, or the name's own
    value_entity_id INTEGER REFERENCES entities(id),
    from_ms INTEGER,                -- NULL: when the turn that proves it was said
    from_latest_ms INTEGER,         -- only where the kind does not tell it
    to_ms INTEGER,                  -- NULL: as from_ms
    to_latest_ms INTEGER,
    phrase TEXT,                    -- the time words as they stood; NULL for none
    confidence REAL CHECK (confidence BETWEEN 0 AND 1),     -- NULL: its kind's
    holder_id INTEGER REFERENCES entities(id),
    event_id INTEGER REFERENCES events(id),
    turn_id INTEGER REFERENCES turns(id),   -- its first proof; NULL: all of it stands in evidence
    start_char INTEGER, end_char INTEGER,
    recorded_at_ms INTEGER NOT NULL,
    run_id INTEGER REFERENCES runs(id),
    CHECK (value IS NOT NULL OR value_entity_id IS NOT NULL),
    CHECK (turn_id IS NULL OR end_char > start_char)
) STRICT;
INSERT INTO facts
SELECT b.id, b.subject_id, b.property_id, k.id, CASE WHEN b.name_normalised IS NULL THEN b.value END, b.value_number,
    nullif(b.value_normalised, coalesce(b.name_normalised, b.value)), b.value_entity_id,
    nullif(b.from_at_ms, b.said_at_ms), CASE WHEN b.from_earliest_ms NOT NULL AND b.from_after_ms IS NULL
        THEN b.from_latest_ms END,
    nullif(b.to_at_ms, coalesce(b.from_at_ms, b.said_at_ms)),
    CASE WHEN b.to_earliest_ms NOT NULL AND b.to_after_ms IS NULL THEN b.to_latest_ms END,
    nullif(b.phrase, ''), CASE WHEN b.usual_confidence IS NULL THEN b.confidence END, b.holder_id, b.event_id,
    b.turn_id, b.start_char, b.end_char, b.recorded_at_ms, b.run_id
FROM facts_before b CROSS JOIN fact_kinds k INDEXED BY fact_kinds_alike
ON k.value_type = b.value_type AND k.from_after_ms IS b.from_after_ms AND k.confidence IS b.usual_confidence
    AND k.from_precision = b.from_precision AND k.from_source = b.from_source AND k.memory_type = b.memory_type
    AND k.modality = b.modality AND k.polarity = b.polarity
    AND k.from_has_earliest = (b.from_earliest_ms NOT NULL) AND k.to_after_ms IS b.to_after_ms
    AND k.to_precision IS b.to_precision AND k.to_source IS b.to_source
    AND k.to_has_earliest = (b.to_earliest_ms NOT NULL)
ORDER BY b.id;
CREATE INDEX facts_by_subject ON facts(subject_id, property_id);
CREATE INDEX facts_by_value_entity ON facts(value_entity_id) WHERE value_entity_id IS NOT NULL;
CREATE INDEX facts_by_turn ON facts(turn_id);

CREATE TABLE evidence (             -- further proof than the one that stands in the row of a fact or an event
    id INTEGER PRIMARY KEY,
    fact_id INTEGER REFERENCES facts(id),
    event_id INTEGER REFERENCES events(id),
    turn_id INTEGER NOT NULL REFERENCES turns(id),
    start_char INTEGER NOT NULL,
    end_char INTEGER NOT NULL,
    quote TEXT,                     -- NULL: what the turn says there
    CHECK ((fact_id IS NULL) <> (event_id IS NULL)),
    CHECK (end_char > start_char)
) STRICT;
INSERT INTO evidence SELECT * FROM evidence_before ORDER BY id;
CREATE INDEX evidence_by_fact ON evidence(fact_id) WHERE fact_id IS NOT NULL;
CREATE INDEX evidence_by_event ON evidence(event_id) WHERE event_id IS NOT NULL;
CREATE INDEX evidence_by_turn ON evidence(turn_id);

CREATE TABLE mentions (             -- derived: which turn speaks of or is spoken by whom
    entity_id INTEGER NOT NULL REFERENCES entities(id),
    turn_id INTEGER NOT NULL REFERENCES turns(id),
    role INTEGER NOT NULL,          -- 0 mentioned, 1 speaker, 2 listener, 3 agent
    PRIMARY KEY (entity_id, turn_id, role)
) STRICT, WITHOUT ROWID;
INSERT INTO mentions SELECT entity_id, turn_id,
    CASE role WHEN 'speaker' THEN 1 WHEN 'listener' THEN 2 WHEN 'agent' THEN 3 ELSE 0 END
FROM mentions_before ORDER BY 1, 2, 3;

DROP TABLE facts_before;
DROP TABLE events_before;
DROP TABLE evidence_before;
DROP TABLE mentions_before;

-- Who takes part in an event that only carries facts is told by these.
DROP TRIGGER event_participants_no_delete;
DELETE FROM event_participants WHERE role IN ('subject', 'speaker') AND EXISTS (
    SELECT 1 FROM events ev JOIN event_kinds k ON k.id = ev.kind_id AND k.type = 'statement'
    JOIN facts f ON f.turn_id = ev.turn_id AND f.event_id = ev.id
    WHERE ev.id = event_participants.event_id AND event_participants.entity_id
        = CASE event_participants.role WHEN 'subject' THEN f.subject_id ELSE f.holder_id END);
CREATE TRIGGER event_participants_no_delete BEFORE DELETE ON event_participants BEGIN SELECT RAISE(ABORT, 'event participants are append-only'); END;

CREATE TRIGGER fact_kinds_no_update BEFORE UPDATE ON fact_kinds BEGIN SELECT RAISE(ABORT, 'fact kinds are append-only'); END;
CREATE TRIGGER fact_kinds_no_delete BEFORE DELETE ON fact_kinds BEGIN SELECT RAISE(ABORT, 'fact kinds are append-only'); END;
CREATE TRIGGER event_kinds_no_update BEFORE UPDATE ON event_kinds BEGIN SELECT RAISE(ABORT, 'event kinds are append-only'); END;
CREATE TRIGGER event_kinds_no_delete BEFORE DELETE ON event_kinds BEGIN SELECT RAISE(ABORT, 'event kinds are append-only'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER facts_no_update BEFORE UPDATE ON facts BEGIN SELECT RAISE(ABORT, 'facts are append-only'); END;
CREATE TRIGGER facts_no_delete BEFORE DELETE ON facts BEGIN SELECT RAISE(ABORT, 'facts are append-only'); END;
CREATE TRIGGER evidence_no_update BEFORE UPDATE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;
CREATE TRIGGER evidence_no_delete BEFORE DELETE ON evidence BEGIN SELECT RAISE(ABORT, 'evidence is append-only'); END;

CREATE TRIGGER facts_counted AFTER INSERT ON facts BEGIN
    UPDATE entity_uses SET facts = facts + 1 WHERE entity_id IN (NEW.subject_id, NEW.value_entity_id);
END;
CREATE TRIGGER facts_uncounted AFTER DELETE ON facts BEGIN
    DELETE FROM entity_uses WHERE entity_id IN (OLD.subject_id, OLD.value_entity_id);
END;
CREATE TRIGGER mentions_counted AFTER INSERT ON mentions BEGIN
    UPDATE entity_uses SET
        mentions = mentions + NOT EXISTS (SELECT 1 FROM mentions m
            WHERE m.entity_id = NEW.entity_id AND m.turn_id = NEW.turn_id AND m.role <> NEW.role),
        first_at_ms = coalesce(min(first_at_ms, t.said_at_ms), first_at_ms, t.said_at_ms),
        last_at_ms = coalesce(max(last_at_ms, t.said_at_ms), last_at_ms, t.said_at_ms),
        first_local_ms = coalesce(min(first_local_ms, t.said_at_ms + 60000 * t.offset_minutes),
            first_local_ms, t.said_at_ms + 60000 * t.offset_minutes),
        last_local_ms = coalesce(max(last_local_ms, t.said_at_ms + 60000 * t.offset_minutes),
            last_local_ms, t.said_at_ms + 60000 * t.offset_minutes)
    FROM turns_said t WHERE t.id = NEW.turn_id AND entity_uses.entity_id = NEW.entity_id;
END;
CREATE TRIGGER mentions_uncounted AFTER DELETE ON mentions BEGIN
    DELETE FROM entity_uses WHERE entity_id = OLD.entity_id;
END;

-- No LEFT JOIN in these two: SQLite reads a view with one as a whole where it stands at the right of a join.
CREATE VIEW facts_told AS           -- a fact with all that is known of it, but for its proof
SELECT f.id, f.subject_id, f.property_id,
    coalesce(f.value, (SELECT name FROM entities WHERE id = f.value_entity_id)) AS value,
    k.value_type, f.value_number,
    coalesce(f.value_normalised, f.value, (SELECT n.normalised FROM entities e
        JOIN entity_names n ON n.entity_id = e.id AND n.name = e.name WHERE e.id = f.value_entity_id))
        AS value_normalised,
    f.value_entity_id, k.polarity, k.modality, k.memory_type,
    CASE WHEN k.from_has_earliest
        THEN coalesce(f.from_ms, (SELECT said_at_ms FROM turns WHERE id = f.turn_id)) END AS from_earliest_ms,
    coalesce(f.from_latest_ms, k.from_after_ms + coalesce(f.from_ms,
        (SELECT said_at_ms FROM turns WHERE id = f.turn_id))) AS from_latest_ms,
    k.from_precision, k.from_source,
    CASE WHEN k.to_has_earliest
        THEN coalesce(f.to_ms, f.from_ms, (SELECT said_at_ms FROM turns WHERE id = f.turn_id)) END AS to_earliest_ms,
    coalesce(f.to_latest_ms, k.to_after_ms + coalesce(f.to_ms, f.from_ms,
        (SELECT said_at_ms FROM turns WHERE id = f.turn_id))) AS to_latest_ms,
    k.to_precision, k.to_source,
    coalesce(f.phrase, '') AS phrase, coalesce(f.confidence, k.confidence) AS confidence,
    f.holder_id, f.event_id, f.recorded_at_ms, f.run_id, f.turn_id, f.start_char, f.end_char
FROM facts f CROSS JOIN fact_kinds k ON k.id = f.kind_id;

CREATE VIEW events_told AS          -- an event, likewise
SELECT ev.id, k.type,
    coalesce(ev.summary, (SELECT substr(text, ev.start_char + 1, ev.end_char - ev.start_char)
        FROM turns WHERE id = ev.turn_id)) AS summary,
    k.modality,
    CASE WHEN k.start_has_earliest
        THEN coalesce(ev.start_ms, (SELECT said_at_ms FROM turns WHERE id = ev.turn_id)) END AS start_earliest_ms,
    coalesce(ev.start_latest_ms, k.start_after_ms + coalesce(ev.start_ms,
        (SELECT said_at_ms FROM turns WHERE id = ev.turn_id))) AS start_latest_ms,
    k.start_precision, k.start_source,
    CASE WHEN k.end_has_earliest
        THEN coalesce(ev.end_ms, ev.start_ms, (SELECT said_at_ms FROM turns WHERE id = ev.turn_id)) END
        AS end_earliest_ms,
    coalesce(ev.end_latest_ms, k.end_after_ms + coalesce(ev.end_ms, ev.start_ms,
        (SELECT said_at_ms FROM turns WHERE id = ev.turn_id))) AS end_latest_ms,
    k.end_precision, k.end_source,
    coalesce(ev.phrase, '') AS phrase, ev.place_id, ev.recorded_at_ms, ev.run_id, ev.turn_id, ev.start_char, ev.end_char
FROM events ev CROSS JOIN event_kinds k ON k.id = ev.kind_id;

CREATE VIEW fact_quotes AS          -- what proves facts; place: in which order, 0 is the one in the fact's row
SELECT f.id AS fact_id, 0 AS place, f.turn_id, f.start_char, f.end_char,
    substr(t.text, f.start_char + 1, f.end_char - f.start_char) AS quote
FROM facts f JOIN turns t ON t.id = f.turn_id
UNION ALL
SELECT e.fact_id, e.id, e.turn_id, e.start_char, e.end_char,
    coalesce(e.quote, substr(t.text, e.start_char + 1, e.end_char - e.start_char))
FROM evidence e JOIN turns t ON t.id = e.turn_id WHERE e.fact_id IS NOT NULL;

CREATE VIEW event_quotes AS         -- what proves events
SELECT ev.id AS event_id, 0 AS place, ev.turn_id, ev.start_char, ev.end_char,
    substr(t.text, ev.start_char + 1, ev.end_char - ev.start_char) AS quote
FROM events ev JOIN turns t ON t.id = ev.turn_id
UNION ALL
SELECT e.event_id, e.id, e.turn_id, e.start_char, e.end_char,
    coalesce(e.quote, substr(t.text, e.start_char + 1, e.end_char - e.start_char))
FROM evidence e JOIN turns t ON t.id = e.turn_id WHERE e.event_id IS NOT NULL;

DROP VIEW facts_said;
CREATE VIEW facts_said AS           -- what is known and was not refused; entities by who stands for them
SELECT
    f.id, f.recorded_at_ms, f.from_earliest_ms, f.from_latest_ms, f.to_earliest_ms, f.to_latest_ms,
    who.name AS subject,
    p.name AS property,
    -- Facts of one lane can end each other: one entity, one topic ("hates" denies "likes"), one sense.
    (sc.canonical_id * 65536 + CASE WHEN p.name IN (
            'likes', 'dislikes', 'hates', 'loves', 'enjoys', 'does_not_like') THEN 0 ELSE p.id END
        ) * 8 + CASE f.modality WHEN 'asserted' THEN 0 WHEN 'negated' THEN 0 WHEN 'planned' THEN 1
            WHEN 'hypothetical' THEN 2 ELSE 3 END AS lane,
    f.modality IN ('asserted', 'negated') AS asserted,
    (p.name IN ('dislikes', 'hates', 'does_not_like')) <> (f.polarity <> 0 AND f.modality <> 'negated')
        AS positive,
    p.single_valued,
    p.name IN ('birthday', 'birth_date', 'date_of_birth', 'born_on', 'born_in', 'birthplace',
        'birth_year', 'comes_from', 'took_place_on') AS lifelong,
    vc.canonical_id AS value_id,
    CASE WHEN vc.canonical_id IS NULL THEN f.value_normalised ELSE (
        SELECT n.normalised FROM entity_names n WHERE n.entity_id = vc.canonical_id ORDER BY n.id LIMIT 1
    ) END AS v,
    coalesce(r.kind IN ('confirm', 'prefer', 'pin'), 0) AS backed,
    (SELECT min(said_at_ms) FROM (
        SELECT t.said_at_ms FROM turns t WHERE t.id = f.turn_id
        UNION ALL SELECT t.said_at_ms FROM evidence e JOIN turns t ON t.id = e.turn_id WHERE e.fact_id = f.id
    )) AS first_said_ms
FROM facts_told f
JOIN properties p ON p.id = f.property_id
JOIN entity_canon_known sc ON sc.entity_id = f.subject_id
JOIN entities who ON who.id = sc.canonical_id
LEFT JOIN entity_canon_known vc ON vc.entity_id = f.value_entity_id
LEFT JOIN (SELECT fact_id, kind, max(id) FROM standing_rulings   -- the newest of a fact counts
    WHERE fact_id IS NOT NULL GROUP BY fact_id) r ON r.fact_id = f.id
WHERE f.recorded_at_ms <= (SELECT known_at_ms())
  AND coalesce(r.kind, '') NOT IN ('reject', 'correct', 'hide');

DROP VIEW v_facts;
CREATE VIEW v_facts AS
SELECT
    j.id AS fact_id,
    j.subject,
    p.name AS property,
    coalesce(thing.name, f.value) AS value,
    f.polarity,
    f.modality,
    f.memory_type,
    date(coalesce(f.from_earliest_ms, f.from_latest_ms) / 1000.0 + 60 * v.offset_minutes, 'unixepoch')
        AS valid_from,
    CASE WHEN f.from_earliest_ms IS NULL THEN 'unknown' ELSE f.from_precision END AS from_precision,
    date(coalesce(f.to_latest_ms, f.to_earliest_ms) / 1000.0 + 60 * v.offset_minutes, 'unixepoch')
        AS valid_to,
    date(j.ends_ms / 1000.0 + 60 * v.offset_minutes, 'unixepoch') AS effective_to,
    j.status IN ('current', 'contested') AS is_current,
    j.status,
    coalesce(holder.name, v.speaker) AS said_by,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * v.offset_minutes, 'unixepoch') AS said_at,
    CASE WHEN f.turn_id IS NOT NULL THEN substr(t.text, f.start_char + 1, f.end_char - f.start_char)
        ELSE coalesce(e.quote, substr(t.text, e.start_char + 1, e.end_char - e.start_char)) END AS quote,
    round(f.confidence, 2) AS confidence,
    coalesce(f.turn_id, e.turn_id) AS turn_id
FROM facts_judged j
CROSS JOIN facts_told f ON f.id = j.id
JOIN properties p ON p.id = f.property_id
LEFT JOIN entity_canon_known vc ON vc.entity_id = f.value_entity_id
LEFT JOIN entities thing ON thing.id = vc.canonical_id
LEFT JOIN entity_canon_known hc ON hc.entity_id = f.holder_id
LEFT JOIN entities holder ON holder.id = hc.canonical_id
LEFT JOIN evidence e ON f.turn_id IS NULL AND e.id = (SELECT min(id) FROM evidence WHERE fact_id = f.id)
LEFT JOIN turns t ON t.id = coalesce(f.turn_id, e.turn_id)
LEFT JOIN voices v ON v.id = t.voice_id
ORDER BY j.subject, p.name, j.key_ms, j.id;

DROP VIEW v_events;
CREATE VIEW v_events AS
SELECT
    ev.id AS event_id,
    ev.type,
    ev.summary,
    ev.modality,
    date(coalesce(ev.start_earliest_ms, ev.start_latest_ms) / 1000.0 + 60 * v.offset_minutes, 'unixepoch')
        AS starts_on,
    CASE WHEN ev.start_earliest_ms IS NULL THEN 'unknown' ELSE ev.start_precision END AS start_precision,
    date(coalesce(ev.end_latest_ms, ev.end_earliest_ms) / 1000.0 + 60 * v.offset_minutes, 'unixepoch')
        AS ends_on,
    place.name AS place,
    (SELECT group_concat(name, ', ') FROM (
        SELECT DISTINCT en.name FROM (
            SELECT ep.entity_id FROM event_participants ep WHERE ep.event_id = ev.id
            UNION ALL SELECT f.subject_id FROM facts f
                WHERE ev.type = 'statement' AND f.turn_id = ev.turn_id AND f.event_id = ev.id
            UNION ALL SELECT f.holder_id FROM facts f
                WHERE ev.type = 'statement' AND f.turn_id = ev.turn_id AND f.event_id = ev.id
        ) who
        JOIN entity_canon_known c ON c.entity_id = who.entity_id
        JOIN entities en ON en.id = c.canonical_id)) AS participants,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * v.offset_minutes, 'unixepoch') AS said_at,
    CASE WHEN ev.turn_id IS NOT NULL THEN substr(t.text, ev.start_char + 1, ev.end_char - ev.start_char)
        ELSE coalesce(e.quote, substr(t.text, e.start_char + 1, e.end_char - e.start_char)) END AS quote,
    coalesce(ev.turn_id, e.turn_id) AS turn_id
FROM events_told ev
LEFT JOIN entity_canon_known pc ON pc.entity_id = ev.place_id
LEFT JOIN entities place ON place.id = pc.canonical_id
LEFT JOIN evidence e ON ev.turn_id IS NULL AND e.id = (SELECT min(id) FROM evidence WHERE event_id = ev.id)
LEFT JOIN turns t ON t.id = coalesce(ev.turn_id, e.turn_id)
LEFT JOIN voices v ON v.id = t.voice_id
WHERE ev.recorded_at_ms <= (SELECT known_at_ms());

-- As in steps 6 and 7: what the planner should take any vault for. Kinds are few, and never where a query begins.
DELETE FROM sqlite_stat1 WHERE tbl = 'facts';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('facts', 'facts_by_subject', '300000 15 3'),
    ('facts', 'facts_by_turn', '300000 1'),
    ('facts', 'facts_by_value_entity', '100000 5'),
    ('events', NULL, '300000'),
    ('evidence', 'evidence_by_fact', '1000 1'),
    ('evidence', 'evidence_by_event', '1000 1'),
    ('evidence', 'evidence_by_turn', '2000 1'),
    ('fact_kinds', 'fact_kinds_alike', '1000 100 10 5 4 3 3 2 2 2 2 1 1 1'),
    ('event_kinds', 'event_kinds_alike', '200 20 5 4 3 3 2 2 1 1 1');
