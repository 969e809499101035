-- Step 12: the words of short messages are packed, 64 turns together, and the keys of turns, 336 together, 12 bytes of
-- each. A text of more than 500 letters is compressed alone. turn_text() gives words back; it and what packs here are
-- the program's own (storage.packs).

PRAGMA legacy_alter_table = ON;     -- what points to `turns` points to the new table, not to the one that is renamed
ALTER TABLE turns RENAME TO turns_before;
PRAGMA legacy_alter_table = OFF;
DROP INDEX turns_by_reply;
DROP INDEX turns_by_external_id;
DROP TRIGGER turns_no_update;
DROP TRIGGER turns_no_delete;
DROP TRIGGER turns_uncounted;

CREATE TABLE text_packs (
    id INTEGER PRIMARY KEY,         -- the turns' numbers, divided by 64
    texts BLOB NOT NULL             -- zlib stream of 64 texts with a zero byte between them; empty: not one of them
) STRICT;
INSERT INTO text_packs
SELECT id, texts FROM (
    SELECT id / 64 AS id, packed_texts(id, CASE WHEN length(text) > 500 THEN '' ELSE text END) AS texts
    FROM turns_before GROUP BY id / 64
) WHERE texts NOT NULL;

CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions(id),
    voice_id INTEGER NOT NULL REFERENCES voices(id),
    text ANY,                       -- TEXT; or the zlib stream of a long one; NULL: it stands in its pack
    said_at_ms INTEGER,
    apart_ms INTEGER,               -- what readers order by where it is not said_at_ms: the time of its neighbour
    external_id TEXT,               -- NULL: the export gives it none
    reply_to_id INTEGER REFERENCES turns(id) DEFERRABLE INITIALLY DEFERRED,
    attachments TEXT,               -- JSON list of file names; NULL for none
    CHECK (typeof(text) IN ('text', 'blob', 'null'))
) STRICT;
INSERT INTO turns
SELECT id, session_id, voice_id,
    CASE WHEN length(text) > 500 THEN shrunk(text)
        WHEN text <> '' AND EXISTS (SELECT 1 FROM text_packs p WHERE p.id = b.id / 64) THEN NULL ELSE text END,
    said_at_ms, apart_ms, external_id, reply_to_id, attachments
FROM turns_before b ORDER BY id;
DROP TABLE turns_before;

CREATE INDEX turns_by_reply ON turns(reply_to_id) WHERE reply_to_id IS NOT NULL;
-- Twelve letters find it as surely as all: ids that differ do so at their end.
CREATE INDEX turns_by_external_id ON turns(substr(external_id, -12)) WHERE external_id IS NOT NULL;

CREATE TABLE key_packs (            -- the same turn in another export has the same key
    id INTEGER PRIMARY KEY,         -- the number of the first turn
    conversation_id INTEGER NOT NULL REFERENCES conversations(id),
    keys BLOB NOT NULL              -- the first 12 bytes of each turn's, from that number on; zeros: none, or one in turn_keys
) STRICT;
INSERT INTO key_packs
SELECT min(turn_id), conversation_id, packed_keys(turn_id, substr(key, 1, 12))
FROM (
    SELECT *, (row_number() OVER (PARTITION BY part ORDER BY turn_id) - 1) / 336 AS piece
    FROM (
        SELECT *, sum(is_first) OVER (ORDER BY turn_id) AS part
        FROM (
            SELECT *, lag(turn_id) OVER w IS NOT turn_id - 1
                OR lag(conversation_id) OVER w <> conversation_id AS is_first
            FROM (
                SELECT turn_id, min(conversation_id) AS conversation_id, min(key) AS key FROM turn_keys
                WHERE typeof(key) = 'blob' AND length(key) = 16 GROUP BY turn_id HAVING count(*) = 1
            ) WINDOW w AS (ORDER BY turn_id)
        )
    )
) GROUP BY part, piece;
CREATE INDEX key_packs_by_conversation ON key_packs(conversation_id);

-- What is left there: keys that are no digest.
DROP TRIGGER turn_keys_no_delete;
DELETE FROM turn_keys WHERE typeof(key) = 'blob' AND turn_id < (
    SELECT p.id + length(p.keys) / 12 FROM key_packs p WHERE p.id <= turn_id ORDER BY p.id DESC LIMIT 1);
CREATE TRIGGER turn_keys_no_delete BEFORE DELETE ON turn_keys BEGIN SELECT RAISE(ABORT, 'turn keys are append-only'); END;

CREATE TRIGGER turns_no_update BEFORE UPDATE ON turns BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER turns_no_delete BEFORE DELETE ON turns BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER text_packs_no_update BEFORE UPDATE ON text_packs BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER text_packs_no_delete BEFORE DELETE ON text_packs BEGIN SELECT RAISE(ABORT, 'turns are append-only'); END;
CREATE TRIGGER key_packs_no_update BEFORE UPDATE ON key_packs BEGIN SELECT RAISE(ABORT, 'turn keys are append-only'); END;
CREATE TRIGGER key_packs_no_delete BEFORE DELETE ON key_packs BEGIN SELECT RAISE(ABORT, 'turn keys are append-only'); END;
CREATE TRIGGER turns_uncounted AFTER DELETE ON turns BEGIN
    DELETE FROM chat_speakers WHERE conversation_id = (SELECT conversation_id FROM voices WHERE id = OLD.voice_id);
    UPDATE waiting SET turns = turns - 1 WHERE session_id = OLD.session_id
        AND (SELECT is_read FROM voices WHERE id = OLD.voice_id)
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE turn_id = OLD.id);
END;

CREATE VIEW turns_unpacked AS       -- a turn's row with its words
SELECT id, session_id, voice_id,
    CASE typeof(text) WHEN 'text' THEN text     -- what stands in no pack is not looked for in one
        ELSE turn_text(text, (SELECT p.texts FROM text_packs p WHERE p.id = turns.id / 64), id) END AS text,
    text IS NOT '' AS has_words, said_at_ms, apart_ms, external_id, reply_to_id, attachments
FROM turns;

-- What reads a turn's words reads them there. Else as in steps 7 and 8.
DROP VIEW turns_said;
CREATE VIEW turns_said AS           -- a turn with all that is known of it
SELECT t.id, t.session_id, t.voice_id, v.conversation_id, v.source_id, t.id - v.first_number AS position, v.speaker, v.role, v.kind,
    t.text, t.has_words, t.said_at_ms, coalesce(t.apart_ms, t.said_at_ms, 0) AS order_ms, v.offset_minutes,
    coalesce(t.external_id, '') AS external_id, t.reply_to_id, coalesce(t.attachments, '[]') AS attachments
FROM turns_unpacked t LEFT JOIN voices v ON v.id = t.voice_id;

DROP VIEW events_told;
CREATE VIEW events_told AS          -- an event, likewise
SELECT ev.id, k.type,
    coalesce(ev.summary, (SELECT substr(text, ev.start_char + 1, ev.end_char - ev.start_char)
        FROM turns_unpacked WHERE id = ev.turn_id)) AS summary,
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

DROP VIEW fact_quotes;
CREATE VIEW fact_quotes AS          -- what proves facts; place: in which order, 0 is the one in the fact's row
SELECT f.id AS fact_id, 0 AS place, f.turn_id, f.start_char, f.end_char,
    substr(t.text, f.start_char + 1, f.end_char - f.start_char) AS quote
FROM facts f JOIN turns_unpacked t ON t.id = f.turn_id
UNION ALL
SELECT e.fact_id, e.id, e.turn_id, e.start_char, e.end_char,
    coalesce(e.quote, substr(t.text, e.start_char + 1, e.end_char - e.start_char))
FROM evidence e JOIN turns_unpacked t ON t.id = e.turn_id WHERE e.fact_id IS NOT NULL;

DROP VIEW event_quotes;
CREATE VIEW event_quotes AS         -- what proves events
SELECT ev.id AS event_id, 0 AS place, ev.turn_id, ev.start_char, ev.end_char,
    substr(t.text, ev.start_char + 1, ev.end_char - ev.start_char) AS quote
FROM events ev JOIN turns_unpacked t ON t.id = ev.turn_id
UNION ALL
SELECT e.event_id, e.id, e.turn_id, e.start_char, e.end_char,
    coalesce(e.quote, substr(t.text, e.start_char + 1, e.end_char - e.start_char))
FROM evidence e JOIN turns_unpacked t ON t.id = e.turn_id WHERE e.event_id IS NOT NULL;

-- Days are those of the zone a chat was kept in, whose offset changes with the season, no longer those of the
-- offset that its turn was said at. local_day() is our own function (storage/functions.py): it takes the day
-- of a bound set before this step as it was set, so that no stored fact moves.
CREATE INDEX rulings_of_clocks ON rulings(json_extract(detail, '$.conversation_id'), id) WHERE kind = 'chat_zone';
CREATE VIEW voice_zones AS          -- by which zone's calendar a voice means its days: the chat's own, else the import's
SELECT v.id, coalesce((SELECT json_extract(r.detail, '$.zone') FROM rulings r
    WHERE r.kind = 'chat_zone' AND json_extract(r.detail, '$.conversation_id') = v.conversation_id
    ORDER BY r.id DESC LIMIT 1), s.zone) AS zone
FROM voices v LEFT JOIN sources s ON s.id = v.source_id;

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
    local_day(coalesce(f.from_earliest_ms, f.from_latest_ms), f.from_precision, v.offset_minutes, z.zone, t.said_at_ms)
        AS valid_from,
    CASE WHEN f.from_earliest_ms IS NULL THEN 'unknown' ELSE f.from_precision END AS from_precision,
    local_day(coalesce(f.to_latest_ms, f.to_earliest_ms), f.to_precision, v.offset_minutes, z.zone, t.said_at_ms)
        AS valid_to,
    local_day(j.ends_ms, 'day', v.offset_minutes, z.zone, t.said_at_ms) AS effective_to,
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
LEFT JOIN turns_unpacked t ON t.id = coalesce(f.turn_id, e.turn_id)
LEFT JOIN voices v ON v.id = t.voice_id
LEFT JOIN voice_zones z ON z.id = v.id
ORDER BY j.subject, p.name, j.key_ms, j.id;

DROP VIEW v_events;
CREATE VIEW v_events AS
SELECT
    ev.id AS event_id,
    ev.type,
    ev.summary,
    ev.modality,
    local_day(coalesce(ev.start_earliest_ms, ev.start_latest_ms), ev.start_precision, v.offset_minutes, z.zone, t.said_at_ms)
        AS starts_on,
    CASE WHEN ev.start_earliest_ms IS NULL THEN 'unknown' ELSE ev.start_precision END AS start_precision,
    local_day(coalesce(ev.end_latest_ms, ev.end_earliest_ms), ev.end_precision, v.offset_minutes, z.zone, t.said_at_ms)
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
LEFT JOIN turns_unpacked t ON t.id = coalesce(ev.turn_id, e.turn_id)
LEFT JOIN voices v ON v.id = t.voice_id
LEFT JOIN voice_zones z ON z.id = v.id
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
FROM turns_unpacked t
CROSS JOIN voices v ON v.id = t.voice_id
CROSS JOIN conversations c ON c.id = v.conversation_id
CROSS JOIN sources s ON s.id = v.source_id
WHERE s.imported_at_ms <= (SELECT known_at_ms());
