-- Step 7: the same turns in a third of the room. What many turns share stands once (voices); a turn's place in its chat
-- follows from its number and its stretch, not from indexes over every turn; plain work waits without a row of its own.
-- turn_key_bytes() is the program's own (storage.functions).

PRAGMA legacy_alter_table = ON;     -- what points to `turns` points to the new table, not to the one that is renamed
ALTER TABLE turns RENAME TO turns_before;
PRAGMA legacy_alter_table = OFF;
DROP INDEX turns_by_reply;
DROP INDEX turns_by_external_id;
DROP TRIGGER mentions_counted;      -- it reads columns that stand elsewhere now
DROP TRIGGER turns_no_update;
DROP TRIGGER turns_no_delete;
DROP TRIGGER turns_uncounted;

CREATE TABLE voices (               -- who said it, how, by which clock, in which chat, and with which import it came
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES sources(id),
    conversation_id INTEGER NOT NULL REFERENCES conversations(id),
    speaker TEXT NOT NULL,          -- as the export gives it; '' for a notice
    role TEXT NOT NULL,
    kind TEXT NOT NULL,
    offset_minutes INTEGER NOT NULL,
    first_number INTEGER NOT NULL,  -- what a turn's number has more than its position in the conversation
    is_read INTEGER NOT NULL        -- 0: tells nothing of a person, so the graph is not built from it
) STRICT;

INSERT INTO voices (source_id, conversation_id, speaker, role, kind, offset_minutes, first_number, is_read)
SELECT DISTINCT source_id, conversation_id, speaker, role, kind, offset_minutes, id - position,
    role IN ('person', 'user') AND kind IN ('message', 'media', 'poll')
FROM turns_before ORDER BY 1, 2, 7, 3, 4, 5, 6;
CREATE UNIQUE INDEX voices_alike
    ON voices(conversation_id, source_id, first_number, speaker, role, kind, offset_minutes);

CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions(id),
    voice_id INTEGER NOT NULL REFERENCES voices(id),
    text TEXT NOT NULL,
    said_at_ms INTEGER,
    apart_ms INTEGER,               -- what readers order by where it is not said_at_ms: the time of its neighbour
    external_id TEXT,               -- NULL: the export gives it none
    reply_to_id INTEGER REFERENCES turns(id) DEFERRABLE INITIALLY DEFERRED,
    attachments TEXT                -- JSON list of file names; NULL for none
) STRICT;

INSERT INTO turns
SELECT t.id, t.session_id, v.id, t.text, t.said_at_ms, nullif(t.order_ms, t.said_at_ms), nullif(t.external_id, ''),
    t.reply_to_id, nullif(t.attachments, '[]')
FROM turns_before t CROSS JOIN voices v INDEXED BY voices_alike
ON v.source_id = t.source_id AND v.conversation_id = t.conversation_id AND v.first_number = t.id - t.position
    AND v.speaker = t.speaker AND v.role = t.role AND v.kind = t.kind AND v.offset_minutes = t.offset_minutes
ORDER BY t.id;
CREATE INDEX turns_by_reply ON turns(reply_to_id) WHERE reply_to_id IS NOT NULL;
-- Twelve letters find it as surely as all: ids that differ do so at their end.
CREATE INDEX turns_by_external_id ON turns(substr(external_id, -12)) WHERE external_id IS NOT NULL;

CREATE TABLE turn_keys (            -- the same turn in another export has the same key
    conversation_id INTEGER NOT NULL REFERENCES conversations(id),
    key ANY NOT NULL,               -- 16 bytes; as text where it is not 32 digits of a digest
    turn_id INTEGER NOT NULL REFERENCES turns(id),
    PRIMARY KEY (conversation_id, key)
) STRICT, WITHOUT ROWID;

INSERT INTO turn_keys
SELECT conversation_id, turn_key_bytes(turn_key), id FROM turns_before ORDER BY 1, 2;

CREATE TABLE stretches (            -- derived: turns numbered in a row, of one session, in order of time; 256 at most
    conversation_id INTEGER NOT NULL REFERENCES conversations(id),
    first_ms INTEGER NOT NULL,      -- what its first and last are ordered by
    first_id INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    last_id INTEGER NOT NULL,       -- some between may have been erased
    session_id INTEGER NOT NULL REFERENCES sessions(id),
    PRIMARY KEY (conversation_id, first_ms, first_id)
) STRICT, WITHOUT ROWID;

INSERT INTO stretches
SELECT conversation_id, min(order_ms), min(id), max(order_ms), max(id), session_id
FROM (
    SELECT *, (row_number() OVER (PARTITION BY part ORDER BY id) - 1) / 256 AS piece
    FROM (
        SELECT id, conversation_id, session_id, order_ms, sum(is_first) OVER (ORDER BY id) AS part
        FROM (
            SELECT id, conversation_id, session_id, order_ms,
                lag(id) OVER w IS NOT id - 1 OR lag(session_id) OVER w <> session_id
                    OR lag(order_ms) OVER w > order_ms AS is_first
            FROM turns_before WINDOW w AS (ORDER BY id)
        )
    )
) GROUP BY part, piece;
CREATE INDEX stretches_by_session ON stretches(session_id);

CREATE TABLE waiting (              -- derived: how many turns of a session are to be read and have no row in jobs
    session_id INTEGER PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    turns INTEGER NOT NULL
) STRICT;

-- A turn that nothing happened to yet needs no job: it waits where its voice is read, else it is passed over.
DROP INDEX jobs_unread;
DELETE FROM jobs WHERE EXISTS (
    SELECT 1 FROM turns t JOIN voices v ON v.id = t.voice_id WHERE t.id = jobs.turn_id AND (
        v.is_read AND jobs.state = 'pending' AND jobs.priority = 1 AND jobs.attempts = 0 AND jobs.reason = ''
        OR NOT v.is_read AND jobs.state = 'gated' AND jobs.attempts = 0
            AND jobs.reason IN ('role ' || v.role, 'kind ' || v.kind)));
CREATE INDEX jobs_waiting ON jobs(state, priority) WHERE state IN ('pending', 'failed');

INSERT INTO waiting
SELECT t.session_id, count(*) FROM turns t JOIN voices v ON v.id = t.voice_id
WHERE v.is_read AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.turn_id = t.id) GROUP BY t.session_id;

CREATE TABLE job_counts (           -- derived: how many rows of jobs are in a state
    state TEXT PRIMARY KEY,
    jobs INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO job_counts SELECT state, count(*) FROM jobs GROUP BY state;

CREATE TRIGGER jobs_counted AFTER INSERT ON jobs BEGIN
    INSERT INTO job_counts VALUES (NEW.state, 1) ON CONFLICT (state) DO UPDATE SET jobs = jobs + 1;
    UPDATE waiting SET turns = turns - 1 WHERE session_id = (SELECT t.session_id
        FROM turns t JOIN voices v ON v.id = t.voice_id WHERE t.id = NEW.turn_id AND v.is_read);
END;
CREATE TRIGGER jobs_moved AFTER UPDATE OF state ON jobs WHEN NEW.state <> OLD.state BEGIN
    UPDATE job_counts SET jobs = jobs - 1 WHERE state = OLD.state;
    INSERT INTO job_counts VALUES (NEW.state, 1) ON CONFLICT (state) DO UPDATE SET jobs = jobs + 1;
END;
CREATE TRIGGER jobs_uncounted AFTER DELETE ON jobs BEGIN
    UPDATE job_counts SET jobs = jobs - 1 WHERE state = OLD.state;
    UPDATE waiting SET turns = turns + 1 WHERE session_id = (SELECT t.session_id
        FROM turns t JOIN voices v ON v.id = t.voice_id WHERE t.id = OLD.turn_id AND v.is_read);
END;

DROP TABLE turns_before;

CREATE VIEW turns_said AS           -- a turn with all that is known of it
SELECT t.id, t.session_id, t.voice_id, v.conversation_id, v.source_id, t.id - v.first_number AS position, v.speaker, v.role, v.kind,
    t.text, t.said_at_ms, coalesce(t.apart_ms, t.said_at_ms, 0) AS order_ms, v.offset_minutes,
    coalesce(t.external_id, '') AS external_id, t.reply_to_id, coalesce(t.attachments, '[]') AS attachments
FROM turns t LEFT JOIN voices v ON v.id = t.voice_id;

CREATE TRIGGER turns_no_update BEFORE UPDATE ON turns BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER turns_no_delete BEFORE DELETE ON turns BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER voices_no_update BEFORE UPDATE ON voices BEGIN SELECT RAISE(ABORT, 'voices are append-only'); END;
CREATE TRIGGER voices_no_delete BEFORE DELETE ON voices BEGIN SELECT RAISE(ABORT, 'voices are append-only'); END;
CREATE TRIGGER turn_keys_no_update BEFORE UPDATE ON turn_keys BEGIN SELECT RAISE(ABORT, 'turn keys are append-only'); END;
CREATE TRIGGER turn_keys_no_delete BEFORE DELETE ON turn_keys BEGIN SELECT RAISE(ABORT, 'turn keys are append-only'); END;

CREATE TRIGGER turns_uncounted AFTER DELETE ON turns BEGIN
    DELETE FROM chat_speakers WHERE conversation_id = (SELECT conversation_id FROM voices WHERE id = OLD.voice_id);
    UPDATE waiting SET turns = turns - 1 WHERE session_id = OLD.session_id
        AND (SELECT is_read FROM voices WHERE id = OLD.voice_id)
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE turn_id = OLD.id);
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

DROP VIEW speakers_counted;
CREATE VIEW speakers_counted AS     -- as kept, or counted anew for a chat that nothing is kept of
SELECT conversation_id, speaker, turns, first_at_ms, last_at_ms FROM chat_speakers
UNION ALL
SELECT c.id, v.speaker, count(*), min(t.said_at_ms), max(t.said_at_ms)
FROM conversations c CROSS JOIN stretches s ON s.conversation_id = c.id
CROSS JOIN turns t ON t.id BETWEEN s.first_id AND s.last_id
JOIN voices v ON v.id = t.voice_id
WHERE NOT EXISTS (SELECT 1 FROM chat_speakers s WHERE s.conversation_id = c.id)
GROUP BY c.id, v.speaker;

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
    e.quote,
    round(f.confidence, 2) AS confidence,
    e.turn_id
FROM facts_judged j
CROSS JOIN facts f ON f.id = j.id
JOIN properties p ON p.id = f.property_id
LEFT JOIN entity_canon_known vc ON vc.entity_id = f.value_entity_id
LEFT JOIN entities thing ON thing.id = vc.canonical_id
LEFT JOIN entity_canon_known hc ON hc.entity_id = f.holder_id
LEFT JOIN entities holder ON holder.id = hc.canonical_id
LEFT JOIN evidence e ON e.id = (SELECT min(id) FROM evidence WHERE fact_id = f.id)
LEFT JOIN turns t ON t.id = e.turn_id
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
        SELECT DISTINCT en.name FROM event_participants ep
        JOIN entity_canon_known c ON c.entity_id = ep.entity_id
        JOIN entities en ON en.id = c.canonical_id
        WHERE ep.event_id = ev.id)) AS participants,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * v.offset_minutes, 'unixepoch') AS said_at,
    e.quote,
    e.turn_id
FROM events ev
LEFT JOIN entity_canon_known pc ON pc.entity_id = ev.place_id
LEFT JOIN entities place ON place.id = pc.canonical_id
LEFT JOIN evidence e ON e.id = (SELECT min(id) FROM evidence WHERE event_id = ev.id)
LEFT JOIN turns t ON t.id = e.turn_id
LEFT JOIN voices v ON v.id = t.voice_id
WHERE ev.recorded_at_ms <= (SELECT known_at_ms());

DROP VIEW v_turns;
CREATE VIEW v_turns AS
SELECT
    t.id AS turn_id,
    c.title AS session,
    v.speaker,
    v.role,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * v.offset_minutes, 'unixepoch') AS said_at,
    t.text
FROM turns t
CROSS JOIN voices v ON v.id = t.voice_id
CROSS JOIN conversations c ON c.id = v.conversation_id
CROSS JOIN sources s ON s.id = v.source_id
WHERE s.imported_at_ms <= (SELECT known_at_ms());

DROP VIEW v_entities;
CREATE VIEW v_entities AS
SELECT
    en.id AS entity_id,
    en.name,
    en.type,
    (SELECT count(*) FROM facts f WHERE f.recorded_at_ms <= (SELECT known_at_ms()) AND (
        f.subject_id IN (SELECT entity_id FROM entity_canon_known WHERE canonical_id = en.id)
        OR f.value_entity_id IN (SELECT entity_id FROM entity_canon_known WHERE canonical_id = en.id)))
        AS facts,
    CASE WHEN u.entity_id IS NOT NULL AND u.is_alone THEN u.mentions ELSE (
        SELECT count(DISTINCT m.turn_id) FROM entity_canon_known c JOIN mentions m ON m.entity_id = c.entity_id
        WHERE c.canonical_id = en.id) END AS mentions,
    date(CASE WHEN u.entity_id IS NOT NULL AND u.is_alone THEN u.first_local_ms ELSE (
        SELECT min(t.said_at_ms + 60000 * v.offset_minutes) FROM entity_canon_known c
        JOIN mentions m ON m.entity_id = c.entity_id JOIN turns t ON t.id = m.turn_id JOIN voices v ON v.id = t.voice_id
        WHERE c.canonical_id = en.id) END / 1000.0, 'unixepoch') AS first_at,
    date(CASE WHEN u.entity_id IS NOT NULL AND u.is_alone THEN u.last_local_ms ELSE (
        SELECT max(t.said_at_ms + 60000 * v.offset_minutes) FROM entity_canon_known c
        JOIN mentions m ON m.entity_id = c.entity_id JOIN turns t ON t.id = m.turn_id JOIN voices v ON v.id = t.voice_id
        WHERE c.canonical_id = en.id) END / 1000.0, 'unixepoch') AS last_at
FROM entities en
JOIN entity_canon_known own ON own.entity_id = en.id AND own.canonical_id = en.id
LEFT JOIN uses_kept u ON u.entity_id = en.id
WHERE en.recorded_at_ms <= (SELECT known_at_ms());

-- As in step 6: what the planner should take any vault for. Voices are few, and never where a query begins.
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('turns', NULL, '1000000'),
    ('stretches', 'stretches_by_session', '10000 5'),
    ('voices', 'voices_alike', '1000 10 5 5 2 2 1 1');
