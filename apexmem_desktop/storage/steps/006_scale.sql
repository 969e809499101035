-- Step 6: a million turns. Counts that would need a walk over everything are kept as things are added; where
-- something is removed the row goes, and a missing row means: count anew (storage.tallies).

CREATE TABLE entity_uses (          -- derived: what speaks of an entity, under this very number
    entity_id INTEGER PRIMARY KEY REFERENCES entities(id) ON DELETE CASCADE,
    facts INTEGER NOT NULL,         -- about it or with it as value; one that is both counts once
    mentions INTEGER NOT NULL,      -- turns
    first_at_ms INTEGER, last_at_ms INTEGER,            -- of those turns, NULL while none has a time
    first_local_ms INTEGER, last_local_ms INTEGER       -- the same by the clocks of those who said them
) STRICT;

INSERT INTO entity_uses
SELECT e.id, coalesce(f.n, 0), coalesce(m.n, 0), m.a, m.b, m.c, m.d
FROM entities e
LEFT JOIN (
    SELECT entity_id, count(*) AS n FROM (
        SELECT subject_id AS entity_id FROM facts
        UNION ALL SELECT value_entity_id FROM facts
            WHERE value_entity_id IS NOT NULL AND value_entity_id <> subject_id
    ) GROUP BY entity_id
) f ON f.entity_id = e.id
LEFT JOIN (
    SELECT m.entity_id, count(DISTINCT m.turn_id) AS n, min(t.said_at_ms) AS a, max(t.said_at_ms) AS b,
        min(t.said_at_ms + 60000 * t.offset_minutes) AS c, max(t.said_at_ms + 60000 * t.offset_minutes) AS d
    FROM mentions m JOIN turns t ON t.id = m.turn_id GROUP BY m.entity_id
) m ON m.entity_id = e.id;

CREATE TRIGGER entities_counted AFTER INSERT ON entities BEGIN
    INSERT INTO entity_uses (entity_id, facts, mentions) VALUES (NEW.id, 0, 0);
END;
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
    FROM turns t WHERE t.id = NEW.turn_id AND entity_uses.entity_id = NEW.entity_id;
END;
CREATE TRIGGER mentions_uncounted AFTER DELETE ON mentions BEGIN
    DELETE FROM entity_uses WHERE entity_id = OLD.entity_id;
END;

CREATE VIEW uses_kept AS            -- is_alone: no other entity is the same as this one, so its own counts are all
SELECT *, NOT EXISTS (SELECT 1 FROM entity_canon_known c
    WHERE c.canonical_id = entity_uses.entity_id AND c.entity_id <> entity_uses.entity_id) AS is_alone
FROM entity_uses;

CREATE TABLE chat_speakers (        -- derived: who speaks in a chat; '' for its notices
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    speaker TEXT NOT NULL,
    turns INTEGER NOT NULL,
    first_at_ms INTEGER, last_at_ms INTEGER,
    PRIMARY KEY (conversation_id, speaker)
) STRICT, WITHOUT ROWID;

INSERT INTO chat_speakers
SELECT conversation_id, speaker, count(*), min(said_at_ms), max(said_at_ms) FROM turns GROUP BY conversation_id, speaker;

CREATE TRIGGER turns_uncounted AFTER DELETE ON turns BEGIN
    DELETE FROM chat_speakers WHERE conversation_id = OLD.conversation_id;
END;

CREATE VIEW speakers_counted AS     -- as kept, or counted anew for a chat that nothing is kept of
SELECT conversation_id, speaker, turns, first_at_ms, last_at_ms FROM chat_speakers
UNION ALL
SELECT c.id, t.speaker, count(*), min(t.said_at_ms), max(t.said_at_ms)
FROM conversations c CROSS JOIN turns t ON t.conversation_id = c.id
WHERE NOT EXISTS (SELECT 1 FROM chat_speakers s WHERE s.conversation_id = c.id)
GROUP BY c.id, t.speaker;

-- The eight first digits of a key find it as surely, in a third of the room.
DROP INDEX turns_by_key;
CREATE INDEX turns_by_key ON turns(substr(turn_key, 1, 8));
-- Reading is once through the queue: what was read needs no place in an index.
DROP INDEX jobs_by_state;
CREATE INDEX jobs_unread ON jobs(state, priority) WHERE state <> 'read';
CREATE INDEX sessions_by_start ON sessions(started_at_ms);
-- A source is removed as a whole, by a walk over all turns; nothing else asks for the turns of one.
DROP INDEX turns_by_source;

CREATE INDEX entities_by_name ON entities(name);
CREATE INDEX events_by_place ON events(place_id) WHERE place_id IS NOT NULL;
CREATE INDEX turns_by_reply ON turns(reply_to_id) WHERE reply_to_id IS NOT NULL;

-- One row a fact, worked out only for those asked about: these two were made for all links of the vault at once.
DROP VIEW facts_after_link;
CREATE VIEW facts_after_link AS     -- when the other side of a "takes its place" was said to hold, before this one
SELECT f.id, (
    SELECT max(b.key_ms)
    FROM (
        SELECT from_id AS other_id FROM fact_links
            WHERE to_id = f.id AND kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
        UNION ALL SELECT to_id FROM fact_links
            WHERE from_id = f.id AND kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
    ) l
    CROSS JOIN facts_keyed a ON a.id = f.id
    CROSS JOIN facts_keyed b ON b.id = l.other_id AND b.lane = a.lane AND b.key_ms < a.key_ms
) AS linked_last
FROM facts f;

DROP VIEW facts_replaced;
CREATE VIEW facts_replaced AS       -- said outright to take another's place: these two exclude each other
SELECT f.id, (
    SELECT min(CASE WHEN b.earliest_ms IS NULL THEN b.key_ms
        ELSE max(min(b.earliest_ms, b.key_ms), a.key_ms) END)
    FROM (
        SELECT from_id AS other_id FROM fact_links
            WHERE to_id = f.id AND kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
        UNION ALL SELECT to_id FROM fact_links
            WHERE from_id = f.id AND kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
    ) l
    CROSS JOIN facts_keyed a ON a.id = f.id
    CROSS JOIN facts_keyed b ON b.id = l.other_id AND b.lane = a.lane AND b.key_ms > a.key_ms
) AS by_link_ms, (
    SELECT max(b.backed > a.backed OR l.is_old AND b.backed = a.backed)
    FROM (
        SELECT from_id AS other_id, 1 AS is_old FROM fact_links
            WHERE to_id = f.id AND kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
        UNION ALL SELECT to_id, 0 FROM fact_links
            WHERE from_id = f.id AND kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
    ) l
    CROSS JOIN facts_keyed a ON a.id = f.id
    CROSS JOIN facts_keyed b ON b.id = l.other_id AND b.lane = a.lane AND b.key_ms = a.key_ms
) AS lost
FROM facts f;

-- SQLite hands the subject down only where all windows of a SELECT share their partition, so `same` stands by itself.
DROP VIEW facts_settled;
CREATE VIEW facts_settled AS        -- when a plan came true or was called off: both end it, and it ends nothing
SELECT *,
    CASE WHEN lane % 8 = 1 THEN min(
        coalesce(CASE WHEN positive THEN said_from_then ELSE denied_from_then END, 9223372036854775807),
        coalesce(CASE WHEN positive THEN denied_later ELSE said_later END, 9223372036854775807)
    ) END AS settled_ms
FROM (
    SELECT *,
        min(CASE WHEN asserted AND positive THEN key_ms END) OVER due AS said_from_then,
        min(CASE WHEN asserted AND NOT positive THEN key_ms END) OVER due AS denied_from_then,
        min(CASE WHEN asserted AND positive THEN key_ms END) OVER later AS said_later,
        min(CASE WHEN asserted AND NOT positive THEN key_ms END) OVER later AS denied_later
    FROM (
        SELECT *,
            -- "I worked there until May" ends what was told of working there before, too.
            CASE WHEN stop_ms IS NULL THEN min(stop_ms) OVER same ELSE stop_ms END AS told_stop_ms
        FROM facts_raced
        WINDOW same AS (PARTITION BY subject, lane, v, positive ORDER BY coalesce(stop_ms, key_ms)
            GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
    )
    WINDOW due AS (PARTITION BY subject, lane / 8, v ORDER BY come_true_after_ms
            GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
        later AS (PARTITION BY subject, lane / 8, v ORDER BY called_off_after_ms
            GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
);

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
        SELECT min(t.said_at_ms + 60000 * t.offset_minutes) FROM entity_canon_known c
        JOIN mentions m ON m.entity_id = c.entity_id JOIN turns t ON t.id = m.turn_id
        WHERE c.canonical_id = en.id) END / 1000.0, 'unixepoch') AS first_at,
    date(CASE WHEN u.entity_id IS NOT NULL AND u.is_alone THEN u.last_local_ms ELSE (
        SELECT max(t.said_at_ms + 60000 * t.offset_minutes) FROM entity_canon_known c
        JOIN mentions m ON m.entity_id = c.entity_id JOIN turns t ON t.id = m.turn_id
        WHERE c.canonical_id = en.id) END / 1000.0, 'unixepoch') AS last_at
FROM entities en
JOIN entity_canon_known own ON own.entity_id = en.id AND own.canonical_id = en.id
LEFT JOIN uses_kept u ON u.entity_id = en.id
WHERE en.recorded_at_ms <= (SELECT known_at_ms());

-- What SQLite's planner should take a vault for, whatever its size today: many facts and turns, few entities. Without
-- this it walks over all facts to find those of one subject when the name stands inside normalise().
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('entities', 'entities_by_name', '20000 1'),
    ('entity_canon', 'entity_canon_by_canonical', '20000 1'),
    ('entity_stood', 'entity_stood_by_canonical', '20000 1'),
    ('facts', 'facts_by_subject', '300000 15 3 1');
