-- Step 15: what holds is judged once, when facts come, and kept as far as it does not depend on when one asks. A query
-- over a whole memory then reads rows where it had to order all facts a dozen times (docs/decisions/0024).

CREATE TABLE facts_kept (           -- derived: a fact among its rivals, by all that is known; made of facts_to_keep
    lane INTEGER NOT NULL,          -- begins with who stands for its subject: times 524288
    key_ms INTEGER NOT NULL,        -- by when it had surely begun
    fact_id INTEGER NOT NULL,       -- no reference: what is erased is taken out by its subject
    begins_ms INTEGER,              -- NULL: key_ms
    ends_ms INTEGER,                -- NULL: nothing ends it
    value INTEGER,                  -- equal values of a lane have equal numbers here
    traits INTEGER NOT NULL,        -- 1 asserted, 2 positive, 4 races, 8 lost, 16 may be contested, 32 may be said again
    PRIMARY KEY (lane, key_ms, fact_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE subjects_touched (     -- derived: of these, what is kept is not all of what is known
    entity_id INTEGER PRIMARY KEY   -- as facts name it, or who stood for it; perhaps erased since
) STRICT;

-- Whatever a judgement rests on touches the subject: facts, further proof, links, rulings, merges, names of values.
CREATE TRIGGER facts_touch AFTER INSERT ON facts BEGIN
    INSERT OR IGNORE INTO subjects_touched VALUES (NEW.subject_id);
END;
CREATE TRIGGER facts_touch_changed AFTER UPDATE ON facts BEGIN
    INSERT OR IGNORE INTO subjects_touched VALUES (OLD.subject_id), (NEW.subject_id);
END;
CREATE TRIGGER facts_touch_gone AFTER DELETE ON facts BEGIN
    INSERT OR IGNORE INTO subjects_touched VALUES (OLD.subject_id);
    INSERT OR IGNORE INTO subjects_touched SELECT canonical_id FROM entity_canon WHERE entity_id = OLD.subject_id;
END;
CREATE TRIGGER evidence_touches AFTER INSERT ON evidence BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts WHERE id = NEW.fact_id;
END;
CREATE TRIGGER evidence_touches_changed AFTER UPDATE ON evidence BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts WHERE id IN (OLD.fact_id, NEW.fact_id);
END;
CREATE TRIGGER evidence_touches_gone AFTER DELETE ON evidence BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts WHERE id = OLD.fact_id;
END;
CREATE TRIGGER fact_links_touch AFTER INSERT ON fact_links WHEN NEW.kind IN ('supersedes', 'corroborates') BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts WHERE id IN (NEW.from_id, NEW.to_id);
END;
CREATE TRIGGER fact_links_touch_gone AFTER DELETE ON fact_links BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts WHERE id IN (OLD.from_id, OLD.to_id);
END;
CREATE TRIGGER rulings_touch AFTER INSERT ON rulings BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts
        WHERE id IN (NEW.fact_id, (SELECT fact_id FROM rulings WHERE id = NEW.undoes_id));
END;
CREATE TRIGGER rulings_touch_gone AFTER DELETE ON rulings BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts
        WHERE id IN (OLD.fact_id, (SELECT fact_id FROM rulings WHERE id = OLD.undoes_id));
END;
CREATE TRIGGER entity_stood_touches AFTER INSERT ON entity_stood BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts
        WHERE subject_id IN (NEW.entity_id, NEW.canonical_id) OR value_entity_id = NEW.entity_id;
END;
CREATE TRIGGER entity_stood_touches_gone AFTER DELETE ON entity_stood BEGIN
    INSERT OR IGNORE INTO subjects_touched VALUES (OLD.entity_id), (OLD.canonical_id);
    INSERT OR IGNORE INTO subjects_touched SELECT subject_id FROM facts WHERE value_entity_id = OLD.entity_id;
END;
CREATE TRIGGER entity_names_touch AFTER INSERT ON entity_names WHEN NOT EXISTS (
    SELECT 1 FROM entity_names n WHERE n.entity_id = NEW.entity_id AND n.id < NEW.id
) BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT f.subject_id
        FROM entity_stood s CROSS JOIN facts f ON f.value_entity_id = s.entity_id WHERE s.canonical_id = NEW.entity_id;
END;
CREATE TRIGGER entity_names_touch_changed AFTER UPDATE OF normalised ON entity_names BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT f.subject_id
        FROM entity_stood s CROSS JOIN facts f ON f.value_entity_id = s.entity_id WHERE s.canonical_id = NEW.entity_id;
END;
CREATE TRIGGER entity_names_touch_gone AFTER DELETE ON entity_names BEGIN
    INSERT OR IGNORE INTO subjects_touched SELECT f.subject_id
        FROM entity_stood s CROSS JOIN facts f ON f.value_entity_id = s.entity_id WHERE s.canonical_id = OLD.entity_id;
END;

CREATE VIEW subjects_outdated AS    -- of whom nothing kept may be read
SELECT entity_id FROM subjects_touched
UNION SELECT c.canonical_id FROM subjects_touched t JOIN entity_canon c ON c.entity_id = t.entity_id;

CREATE VIEW subjects_to_judge AS    -- whose facts are judged when one asks: all, if by what was known at a date
SELECT entity_id FROM entity_canon WHERE canonical_id IN (SELECT entity_id FROM subjects_outdated)
UNION ALL SELECT id FROM entities WHERE (SELECT known_at_ms()) < 4611686018427387904;

-- From here on to facts_shown: as before, but only of these.
DROP VIEW facts_said;
CREATE VIEW facts_said AS           -- what is known and was not refused; entities by who stands for them
SELECT
    f.id, f.subject_id, f.recorded_at_ms, f.from_earliest_ms, f.from_latest_ms, f.to_earliest_ms, f.to_latest_ms,
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
        UNION ALL SELECT t.said_at_ms FROM evidence e JOIN turns t ON t.id = e.turn_id
            WHERE e.fact_id = f.id AND coalesce(e.recorded_at_ms, 0) <= (SELECT known_at_ms())
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

DROP VIEW facts_keyed;
CREATE VIEW facts_keyed AS          -- key_ms: by when it had surely begun; this orders the facts of a lane
SELECT *,
    -- A plan is settled by what is told after it: coming true not before the time it was made for.
    CASE WHEN asserted THEN key_ms ELSE coalesce(first_said_ms, key_ms) + 1 END AS called_off_after_ms,
    CASE WHEN asserted THEN key_ms ELSE max(coalesce(first_said_ms, key_ms) + 1,
        CASE WHEN single_valued OR earliest_ms IS NULL THEN coalesce(first_said_ms, key_ms) ELSE earliest_ms END
        ) END AS come_true_after_ms
FROM (
    SELECT id, subject, lane, asserted, positive, v, backed, single_valued, first_said_ms,
        -- Two values of a single-valued property race: the next ends the one before.
        asserted AND positive AND single_valued AS races,
        CASE WHEN lifelong THEN NULL ELSE from_earliest_ms END AS earliest_ms,
        coalesce(to_latest_ms, to_earliest_ms) AS stop_ms,
        CASE WHEN lifelong THEN -9007199254740992 ELSE coalesce(nullif(min(
            coalesce(from_latest_ms, 9223372036854775807),
            coalesce(CASE WHEN from_earliest_ms IS NULL OR first_said_ms >= from_earliest_ms
                THEN first_said_ms END, 9223372036854775807),
            coalesce(to_earliest_ms, to_latest_ms, 9223372036854775807)
        ), 9223372036854775807), from_earliest_ms, recorded_at_ms) END AS key_ms
    FROM facts_said WHERE subject_id IN (SELECT entity_id FROM subjects_to_judge)
);

CREATE VIEW facts_to_keep AS        -- what facts_kept should hold of those who are to be judged
SELECT lane, key_ms, id AS fact_id, nullif(begins_ms, key_ms) AS begins_ms, ends_ms, value,
    1 * asserted + 2 * positive + 4 * races + 8 * lost + 16 * (races AND min(value) OVER race <> max(value) OVER race
        OR min(positive) OVER twin <> max(positive) OVER twin)
    + 32 * (EXISTS (SELECT 1 FROM fact_links l WHERE l.from_id = h.id AND l.kind = 'corroborates'
            UNION ALL SELECT 1 FROM fact_links l WHERE l.to_id = h.id AND l.kind = 'corroborates')
        AND EXISTS (SELECT 1 FROM facts f JOIN fact_kinds k ON k.id = f.kind_id
            WHERE f.id = h.id AND NOT k.from_has_earliest AND k.from_source = 'message_time')) AS traits
FROM (
    SELECT *, CASE WHEN v NOT NULL THEN dense_rank() OVER (PARTITION BY subject, lane ORDER BY v) END AS value
    FROM facts_held
) h
WINDOW race AS (PARTITION BY subject, lane, races, key_ms), twin AS (PARTITION BY subject, lane, value, key_ms);

CREATE VIEW facts_kept_judged AS    -- as facts_judged says it, of what is kept
SELECT fact_id AS id, lane, key_ms, ends_ms, value, traits, CASE
    WHEN traits & 8 OR ends_ms <= (SELECT now_ms()) THEN 'past'
    WHEN NOT traits & 1 OR coalesce(begins_ms, key_ms) > (SELECT now_ms()) THEN 'planned'
    WHEN NOT traits & 16 THEN 'current'
    WHEN (traits & 4 AND (
        SELECT min(r.value) <> max(r.value) FROM facts_kept r
        WHERE r.lane = k.lane AND r.key_ms = k.key_ms AND r.traits & 4 AND NOT r.traits & 8
            AND coalesce(r.begins_ms, r.key_ms) <= (SELECT now_ms())
            AND (r.ends_ms IS NULL OR r.ends_ms > (SELECT now_ms()))
    )) OR (
        SELECT min(r.traits & 2) <> max(r.traits & 2) FROM facts_kept r
        WHERE r.lane = k.lane AND r.key_ms = k.key_ms AND r.value IS k.value AND NOT r.traits & 8
            AND coalesce(r.begins_ms, r.key_ms) <= (SELECT now_ms())
            AND (r.ends_ms IS NULL OR r.ends_ms > (SELECT now_ms()))
    ) THEN 'contested'
    ELSE 'current' END AS status
FROM facts_kept k;

DROP VIEW facts_shown;
CREATE VIEW facts_shown AS          -- without what an earlier version kept as a fact of its own: the same, said again
SELECT who.name AS subject, k.id, k.key_ms, k.ends_ms, k.status
FROM entities who CROSS JOIN facts_kept_judged k ON k.lane >= who.id * 524288 AND k.lane < who.id * 524288 + 524288
WHERE (SELECT known_at_ms()) >= 4611686018427387904 AND who.id NOT IN (SELECT entity_id FROM subjects_outdated)
    AND NOT (k.traits & 32 AND EXISTS (
        SELECT 1 FROM (SELECT to_id AS id FROM fact_links WHERE from_id = k.id AND kind = 'corroborates'
            UNION ALL SELECT from_id FROM fact_links WHERE to_id = k.id AND kind = 'corroborates') l
        CROSS JOIN facts_kept_judged o ON o.lane = k.lane AND o.id = l.id
        WHERE (o.key_ms < k.key_ms OR o.key_ms = k.key_ms AND o.id <= k.id) AND o.value IS k.value
            AND (o.traits & 2) = (k.traits & 2) AND o.ends_ms IS k.ends_ms AND o.status = k.status))
UNION ALL
SELECT subject, id, key_ms, ends_ms, status FROM (
    SELECT *, ',' || group_concat(id) OVER alike || ',' AS alike_so_far FROM facts_judged
    WINDOW alike AS (PARTITION BY subject, lane, v, positive, ends_ms, status ORDER BY key_ms, id)
) j
WHERE NOT EXISTS (
    SELECT 1 FROM fact_links l
    WHERE l.from_id = j.id AND l.kind = 'corroborates' AND l.recorded_at_ms <= (SELECT known_at_ms())
        AND instr(j.alike_so_far, ',' || l.to_id || ',')
    UNION ALL SELECT 1 FROM fact_links l
    WHERE l.to_id = j.id AND l.kind = 'corroborates' AND l.recorded_at_ms <= (SELECT known_at_ms())
        AND instr(j.alike_so_far, ',' || l.from_id || ',')
) OR NOT EXISTS (
    SELECT 1 FROM facts f CROSS JOIN fact_kinds k ON k.id = f.kind_id
    WHERE f.id = j.id AND NOT k.from_has_earliest AND k.from_source = 'message_time'
);

CREATE VIEW fact_voices AS          -- by whom and when the first proof of a fact was said
SELECT f.id AS fact_id, t.id AS turn_id, t.said_at_ms, v.offset_minutes, v.speaker,
    coalesce((SELECT json_extract(r.detail, '$.zone') FROM rulings r
        WHERE r.kind = 'chat_zone' AND json_extract(r.detail, '$.conversation_id') = v.conversation_id
        ORDER BY r.id DESC LIMIT 1), (SELECT s.zone FROM sources s WHERE s.id = v.source_id)) AS zone
FROM facts f CROSS JOIN turns t ON t.id = coalesce(f.turn_id, (SELECT turn_id FROM evidence
    WHERE id = (SELECT min(id) FROM evidence WHERE fact_id = f.id)))
CROSS JOIN voices v ON v.id = t.voice_id;

-- Without an order, SQLite works out only the columns that a query asks for: what counts facts reads these.
CREATE VIEW facts_flat AS           -- and scalar queries in place of joins: what nobody asks for is not looked up
SELECT
    j.id AS fact_id,
    j.subject,
    p.name AS property,
    coalesce((SELECT name FROM entities WHERE id = (SELECT canonical_id FROM entity_canon_known
        WHERE entity_id = f.value_entity_id)), f.value) AS value,
    f.polarity,
    f.modality,
    f.memory_type,
    local_day(coalesce(f.from_earliest_ms, min(f.from_latest_ms, CASE WHEN f.from_source = 'message_time' THEN (
        SELECT min(a.said_at_ms) FROM evidence again JOIN turns a ON a.id = again.turn_id
        WHERE again.fact_id = f.id AND again.recorded_at_ms <= (SELECT known_at_ms())) END), f.from_latest_ms
        ), f.from_precision, (SELECT v.offset_minutes FROM fact_voices v WHERE v.fact_id = f.id),
        (SELECT v.zone FROM fact_voices v WHERE v.fact_id = f.id),
        (SELECT v.said_at_ms FROM fact_voices v WHERE v.fact_id = f.id)) AS valid_from,
    CASE WHEN f.from_earliest_ms IS NULL THEN 'unknown' ELSE f.from_precision END AS from_precision,
    local_day(coalesce(f.to_latest_ms, f.to_earliest_ms), f.to_precision,
        (SELECT v.offset_minutes FROM fact_voices v WHERE v.fact_id = f.id),
        (SELECT v.zone FROM fact_voices v WHERE v.fact_id = f.id),
        (SELECT v.said_at_ms FROM fact_voices v WHERE v.fact_id = f.id)) AS valid_to,
    local_day(j.ends_ms, 'day', (SELECT v.offset_minutes FROM fact_voices v WHERE v.fact_id = f.id),
        (SELECT v.zone FROM fact_voices v WHERE v.fact_id = f.id),
        (SELECT v.said_at_ms FROM fact_voices v WHERE v.fact_id = f.id)) AS effective_to,
    j.status IN ('current', 'contested') AS is_current,
    j.status,
    coalesce((SELECT name FROM entities WHERE id = (SELECT canonical_id FROM entity_canon_known
        WHERE entity_id = f.holder_id)), (SELECT v.speaker FROM fact_voices v WHERE v.fact_id = f.id)) AS said_by,
    (SELECT strftime('%Y-%m-%d %H:%M', v.said_at_ms / 1000.0 + 60 * v.offset_minutes, 'unixepoch')
        FROM fact_voices v WHERE v.fact_id = f.id) AS said_at,
    CASE WHEN f.turn_id IS NOT NULL
        THEN (SELECT substr(t.text, f.start_char + 1, f.end_char - f.start_char) FROM turns_unpacked t WHERE t.id = f.turn_id)
        ELSE (SELECT coalesce(e.quote, substr(t.text, e.start_char + 1, e.end_char - e.start_char))
            FROM evidence e CROSS JOIN turns_unpacked t ON t.id = e.turn_id
            WHERE e.id = (SELECT min(id) FROM evidence WHERE fact_id = f.id)) END AS quote,
    -- Said again: domain.confidence.said_again says why.
    round(coalesce((SELECT 1 - (1 - max(f.confidence, max(again.confidence))) * 0.7 FROM evidence again
        WHERE again.fact_id = f.id AND again.recorded_at_ms <= (SELECT known_at_ms())), f.confidence), 2) AS confidence,
    (SELECT v.turn_id FROM fact_voices v WHERE v.fact_id = f.id) AS turn_id,
    j.key_ms
FROM facts_shown j
CROSS JOIN facts_told f ON f.id = j.id
CROSS JOIN properties p ON p.id = f.property_id;

DROP VIEW v_facts;
CREATE VIEW v_facts AS
SELECT fact_id, subject, property, value, polarity, modality, memory_type, valid_from, from_precision, valid_to,
    effective_to, is_current, status, said_by, said_at, quote, confidence, turn_id
FROM facts_flat ORDER BY subject, property, key_ms, fact_id;

DROP VIEW v_turns;
CREATE VIEW v_turns AS              -- text_at_hand(): from the pack that was just unpacked, not handed over 64 times
SELECT
    t.id AS turn_id,
    c.title AS session,
    v.speaker,
    v.role,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * v.offset_minutes, 'unixepoch') AS said_at,
    CASE typeof(t.text) WHEN 'text' THEN t.text WHEN 'blob' THEN turn_text(t.text, NULL, t.id)
        ELSE coalesce(text_at_hand(t.id), turn_text(NULL, (SELECT p.texts FROM text_packs p WHERE p.id = t.id / 64), t.id))
        END AS text
FROM turns t
CROSS JOIN voices v ON v.id = t.voice_id
CROSS JOIN conversations c ON c.id = v.conversation_id
CROSS JOIN sources s ON s.id = v.source_id
WHERE s.imported_at_ms <= (SELECT known_at_ms());

-- All that was there before this step is judged and kept now.
INSERT INTO subjects_touched SELECT DISTINCT subject_id FROM facts;
INSERT INTO facts_kept SELECT * FROM facts_to_keep;
DELETE FROM subjects_touched;
