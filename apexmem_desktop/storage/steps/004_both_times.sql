-- Step 4: both times, to the end. Who stood for whom is kept by what was known when; a plan is over once it came
-- true or was called off; and what an answer, a drop or a chat was is never changed either.

-- Derived from entity_links: who stood for whom, for one who had learned what was recorded until known_at_ms.
-- A merge of today does not change what was known yesterday.
CREATE TABLE entity_stood (
    entity_id INTEGER NOT NULL REFERENCES entities(id),
    since_ms INTEGER NOT NULL,      -- the first row of an entity begins before all time
    until_ms INTEGER NOT NULL,      -- exclusive; the last row never ends
    canonical_id INTEGER NOT NULL REFERENCES entities(id),  -- the oldest of those that were the same
    PRIMARY KEY (entity_id, since_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX entity_stood_by_canonical ON entity_stood(canonical_id);

INSERT INTO entity_stood
WITH RECURSIVE
link AS (SELECT a_id, b_id, recorded_at_ms FROM entity_links WHERE kind = 'same_as' OR undoes_id IS NOT NULL),
side(a, b) AS (SELECT a_id, b_id FROM link UNION SELECT b_id, a_id FROM link),
family(e, other) AS (SELECT id, id FROM entities UNION SELECT f.e, s.b FROM family f JOIN side s ON s.a = f.other),
moment(e, t) AS (
    SELECT id, -4611686018427387904 FROM entities
    UNION SELECT f.e, l.recorded_at_ms FROM family f JOIN link l ON l.a_id = f.other),
alive(t, a, b) AS (
    SELECT m.t, l.a_id, l.b_id FROM (SELECT DISTINCT t FROM moment) m
    JOIN entity_links l ON l.kind = 'same_as' AND l.undoes_id IS NULL AND l.recorded_at_ms <= m.t
    WHERE NOT EXISTS (SELECT 1 FROM entity_links u WHERE u.undoes_id = l.id AND u.recorded_at_ms <= m.t)),
joined(t, a, b) AS MATERIALIZED (SELECT t, a, b FROM alive UNION SELECT t, b, a FROM alive),
same(e, t, other) AS (
    SELECT e, t, e FROM moment
    UNION SELECT s.e, s.t, j.b FROM same s JOIN joined j ON j.t = s.t AND j.a = s.other)
SELECT e, t, lead(t, 1, 9223372036854775807) OVER (PARTITION BY e ORDER BY t), canonical
FROM (
    SELECT *, lag(canonical) OVER (PARTITION BY e ORDER BY t) AS before
    FROM (SELECT e, t, min(other) AS canonical FROM same GROUP BY e, t)
) WHERE before IS NOT canonical;

-- A session may still learn that it began earlier, when older turns arrive; nothing else of it changes.
CREATE TRIGGER conversations_no_update BEFORE UPDATE ON conversations BEGIN SELECT RAISE(ABORT, 'conversations are append-only'); END;
CREATE TRIGGER conversations_no_delete BEFORE DELETE ON conversations BEGIN SELECT RAISE(ABORT, 'conversations are append-only'); END;
CREATE TRIGGER sessions_no_update BEFORE UPDATE OF id, conversation_id, source_id ON sessions BEGIN SELECT RAISE(ABORT, 'sessions are append-only'); END;
CREATE TRIGGER sessions_no_delete BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'sessions are append-only'); END;
CREATE TRIGGER drops_no_update BEFORE UPDATE ON drops BEGIN SELECT RAISE(ABORT, 'drops are append-only'); END;
CREATE TRIGGER drops_no_delete BEFORE DELETE ON drops BEGIN SELECT RAISE(ABORT, 'drops are append-only'); END;
CREATE TRIGGER traces_no_update BEFORE UPDATE ON traces BEGIN SELECT RAISE(ABORT, 'traces are append-only'); END;
CREATE TRIGGER traces_no_delete BEFORE DELETE ON traces BEGIN SELECT RAISE(ABORT, 'traces are append-only'); END;

CREATE VIEW entity_canon_known AS   -- who stands for whom by what is known
SELECT entity_id, canonical_id FROM entity_stood
WHERE since_ms <= (SELECT known_at_ms()) AND until_ms > (SELECT known_at_ms());

DROP VIEW facts_said;
CREATE VIEW facts_said AS           -- what is known and was not refused; entities by who stands for them
SELECT
    f.*,
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
    (SELECT min(t.said_at_ms) FROM evidence e JOIN turns t ON t.id = e.turn_id
        WHERE e.fact_id = f.id) AS first_said_ms
FROM facts f
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
    FROM facts_said
);

CREATE VIEW facts_settled AS        -- when a plan came true or was called off: both end it, and it ends nothing
SELECT *,
    CASE WHEN lane % 8 = 1 THEN min(
        coalesce(CASE WHEN positive THEN said_from_then ELSE denied_from_then END, 9223372036854775807),
        coalesce(CASE WHEN positive THEN denied_later ELSE said_later END, 9223372036854775807)
    ) END AS settled_ms
FROM (
    SELECT *,
        -- "I worked there until May" ends what was told of working there before, too.
        CASE WHEN stop_ms IS NULL THEN min(stop_ms) OVER same ELSE stop_ms END AS told_stop_ms,
        min(CASE WHEN asserted AND positive THEN key_ms END) OVER due AS said_from_then,
        min(CASE WHEN asserted AND NOT positive THEN key_ms END) OVER due AS denied_from_then,
        min(CASE WHEN asserted AND positive THEN key_ms END) OVER later AS said_later,
        min(CASE WHEN asserted AND NOT positive THEN key_ms END) OVER later AS denied_later
    FROM facts_raced
    WINDOW due AS (PARTITION BY subject, lane / 8, v ORDER BY come_true_after_ms
            GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
        same AS (PARTITION BY subject, lane, v, positive ORDER BY coalesce(stop_ms, key_ms)
            GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
        later AS (PARTITION BY subject, lane / 8, v ORDER BY called_off_after_ms
            GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
);

DROP VIEW facts_held;
CREATE VIEW facts_held AS           -- from begins_ms until ends_ms, as far as is known
SELECT f.id, f.subject, f.lane, f.asserted, f.positive, f.races, f.v, f.key_ms, f.begins_ms,
    coalesce(r.lost, 0) OR (NOT f.backed AND (f.races AND f.backed_here > f.backed_said
        OR CASE WHEN f.positive THEN f.backed_denied ELSE f.backed_said END > 0)) AS lost,
    nullif(min(
        coalesce(f.told_stop_ms, 9223372036854775807),
        coalesce(CASE WHEN f.races THEN
            CASE WHEN f.low_next = f.v AND f.high_next = f.v THEN f.begins_2 ELSE f.begins_1 END
            END, 9223372036854775807),
        coalesce(CASE WHEN f.positive THEN f.denied_next ELSE f.said_next END, 9223372036854775807),
        coalesce(r.by_link_ms, 9223372036854775807),
        coalesce(f.settled_ms, 9223372036854775807)
    ), 9223372036854775807) AS ends_ms
FROM facts_settled f LEFT JOIN facts_replaced r ON r.id = f.id;

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
    date(coalesce(f.from_earliest_ms, f.from_latest_ms) / 1000.0 + 60 * t.offset_minutes, 'unixepoch')
        AS valid_from,
    CASE WHEN f.from_earliest_ms IS NULL THEN 'unknown' ELSE f.from_precision END AS from_precision,
    date(coalesce(f.to_latest_ms, f.to_earliest_ms) / 1000.0 + 60 * t.offset_minutes, 'unixepoch')
        AS valid_to,
    date(j.ends_ms / 1000.0 + 60 * t.offset_minutes, 'unixepoch') AS effective_to,
    j.status IN ('current', 'contested') AS is_current,
    j.status,
    coalesce(holder.name, t.speaker) AS said_by,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * t.offset_minutes, 'unixepoch') AS said_at,
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
ORDER BY j.subject, p.name, j.key_ms, j.id;

DROP VIEW v_events;
CREATE VIEW v_events AS
SELECT
    ev.id AS event_id,
    ev.type,
    ev.summary,
    ev.modality,
    date(coalesce(ev.start_earliest_ms, ev.start_latest_ms) / 1000.0 + 60 * t.offset_minutes, 'unixepoch')
        AS starts_on,
    CASE WHEN ev.start_earliest_ms IS NULL THEN 'unknown' ELSE ev.start_precision END AS start_precision,
    date(coalesce(ev.end_latest_ms, ev.end_earliest_ms) / 1000.0 + 60 * t.offset_minutes, 'unixepoch')
        AS ends_on,
    place.name AS place,
    (SELECT group_concat(name, ', ') FROM (
        SELECT DISTINCT en.name FROM event_participants ep
        JOIN entity_canon_known c ON c.entity_id = ep.entity_id
        JOIN entities en ON en.id = c.canonical_id
        WHERE ep.event_id = ev.id)) AS participants,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * t.offset_minutes, 'unixepoch') AS said_at,
    e.quote,
    e.turn_id
FROM events ev
LEFT JOIN entity_canon_known pc ON pc.entity_id = ev.place_id
LEFT JOIN entities place ON place.id = pc.canonical_id
LEFT JOIN evidence e ON e.id = (SELECT min(id) FROM evidence WHERE event_id = ev.id)
LEFT JOIN turns t ON t.id = e.turn_id
WHERE ev.recorded_at_ms <= (SELECT known_at_ms());

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
    coalesce(m.mentions, 0) AS mentions,
    m.first_at,
    m.last_at
FROM entities en
JOIN entity_canon_known own ON own.entity_id = en.id AND own.canonical_id = en.id
LEFT JOIN (
    SELECT c.canonical_id, count(DISTINCT m.turn_id) AS mentions,
        date(min(t.said_at_ms / 1000.0 + 60 * t.offset_minutes), 'unixepoch') AS first_at,
        date(max(t.said_at_ms / 1000.0 + 60 * t.offset_minutes), 'unixepoch') AS last_at
    FROM mentions m
    JOIN entity_canon_known c ON c.entity_id = m.entity_id
    JOIN turns t ON t.id = m.turn_id
    GROUP BY c.canonical_id
) m ON m.canonical_id = en.id
WHERE en.recorded_at_ms <= (SELECT known_at_ms());
