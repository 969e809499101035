-- Step 2: flat views for GraphSQL: names instead of numbers, dates as text by the clock of whoever said it.
-- They need two functions that each connection gets from storage.functions: now_ms() and known_at_ms().
-- v_facts decides what holds by the rules of recall.holding; tests/storage/test_views.py holds the two together.

CREATE VIEW standing_rulings AS     -- those not taken back
SELECT r.* FROM rulings r
WHERE r.undoes_id IS NULL AND r.ruled_at_ms <= (SELECT known_at_ms())
  AND NOT EXISTS (
    SELECT 1 FROM rulings u WHERE u.undoes_id = r.id AND u.ruled_at_ms <= (SELECT known_at_ms())
  );
CREATE INDEX rulings_by_undone ON rulings(undoes_id) WHERE undoes_id IS NOT NULL;

CREATE VIEW facts_said AS           -- known and not refused; entities by who stands for them; with the first quote
WITH ruled AS (                     -- the newest standing ruling of a fact counts
    SELECT fact_id, kind, max(id) FROM standing_rulings WHERE fact_id IS NOT NULL GROUP BY fact_id
)
SELECT
    f.*,
    sc.canonical_id AS who_id,
    CASE p.name WHEN 'dislikes' THEN 'likes' WHEN 'hates' THEN 'likes' WHEN 'loves' THEN 'likes'
        WHEN 'enjoys' THEN 'likes' WHEN 'does_not_like' THEN 'likes' ELSE p.name END AS topic,
    p.name AS property_name,
    p.single_valued,
    p.name IN ('birthday', 'birth_date', 'date_of_birth', 'born_on', 'born_in', 'birthplace',
        'birth_year') AS lifelong,
    CASE WHEN p.name IN ('dislikes', 'hates', 'does_not_like')
        THEN f.polarity = 0 OR f.modality = 'negated'
        ELSE f.polarity <> 0 AND f.modality <> 'negated' END AS positive,
    CASE f.modality WHEN 'negated' THEN 'asserted' ELSE f.modality END AS sense,
    vc.canonical_id AS value_id,
    coalesce(r.kind IN ('confirm', 'prefer', 'pin'), 0) AS backed,
    (SELECT min(t.said_at_ms) FROM evidence e JOIN turns t ON t.id = e.turn_id
        WHERE e.fact_id = f.id) AS first_said_ms,
    (SELECT min(e.id) FROM evidence e WHERE e.fact_id = f.id) AS evidence_id
FROM facts f
JOIN properties p ON p.id = f.property_id
JOIN entity_canon sc ON sc.entity_id = f.subject_id
LEFT JOIN entity_canon vc ON vc.entity_id = f.value_entity_id
LEFT JOIN ruled r ON r.fact_id = f.id
WHERE f.recorded_at_ms <= (SELECT known_at_ms())
  AND coalesce(r.kind, '') NOT IN ('reject', 'correct', 'hide');

CREATE VIEW facts_held AS           -- from when and until when each fact held: begins_ms, ends_ms
WITH keyed AS (                     -- key_ms: by when it had surely begun; the order of facts
    SELECT *,
        CASE WHEN lifelong THEN -9007199254740992 ELSE coalesce(nullif(min(
            coalesce(from_latest_ms, 9223372036854775807),
            coalesce(CASE WHEN from_earliest_ms IS NULL OR first_said_ms >= from_earliest_ms
                THEN first_said_ms END, 9223372036854775807),
            coalesce(to_earliest_ms, to_latest_ms, 9223372036854775807)
        ), 9223372036854775807), from_earliest_ms, recorded_at_ms) END AS key_ms,
        CASE WHEN value_id IS NULL THEN value_normalised ELSE first_value(value_normalised) OVER (
            PARTITION BY who_id, topic, sense = 'asserted', value_id ORDER BY id
        ) END AS v,
        sense = 'asserted' AND positive AND single_valued AS races   -- the next such value ends it
    FROM facts_said
),
tied AS (                           -- values with the same start stand together
    SELECT *,
        min(v) OVER same AS low, max(v) OVER same AS high,
        min(v) OVER earlier AS low_before, max(v) OVER earlier AS high_before,
        races AND sum(backed) OVER same
            > sum(backed) OVER (PARTITION BY who_id, topic, sense, races, key_ms, v)
            AND NOT backed AS outranked
    FROM keyed
    WINDOW same AS (PARTITION BY who_id, topic, sense, races, key_ms),
        earlier AS (PARTITION BY who_id, topic, sense, races ORDER BY key_ms
            GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING)
),
numbered AS (                       -- a run: one value, however often it was said in a row
    SELECT *,
        sum(low <> high OR low_before IS NOT low OR high_before IS NOT high) OVER (
            PARTITION BY who_id, topic, sense, races ORDER BY key_ms
        ) AS run
    FROM tied
),
beside AS (                         -- what stood before and after, of other values and of the same denied
    SELECT *,
        max(key_ms) OVER before_1 AS last_1, max(key_ms) OVER before_2 AS last_2,
        min(v) OVER before_1 AS low_1, max(v) OVER before_1 AS high_1,
        min(v) OVER after_1 AS low_next, max(v) OVER after_1 AS high_next,
        max(CASE WHEN positive THEN key_ms END) OVER said_before AS said_last,
        max(CASE WHEN NOT positive THEN key_ms END) OVER said_before AS denied_last
    FROM numbered
    WINDOW before_1 AS (PARTITION BY who_id, topic, sense, races ORDER BY run
            GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING),
        before_2 AS (PARTITION BY who_id, topic, sense, races ORDER BY run
            GROUPS BETWEEN 2 PRECEDING AND 2 PRECEDING),
        after_1 AS (PARTITION BY who_id, topic, sense, races ORDER BY run
            GROUPS BETWEEN 1 FOLLOWING AND 1 FOLLOWING),
        said_before AS (PARTITION BY who_id, topic, sense, v ORDER BY key_ms
            GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),
begun AS (                          -- while a rival was said to hold, this had not begun
    SELECT *,
        CASE WHEN lifelong OR from_earliest_ms IS NULL THEN key_ms ELSE max(
            min(from_earliest_ms, key_ms),
            CASE WHEN NOT races THEN min(from_earliest_ms, key_ms)
                WHEN low_1 = v AND high_1 = v THEN coalesce(last_2, min(from_earliest_ms, key_ms))
                ELSE coalesce(last_1, min(from_earliest_ms, key_ms)) END,
            coalesce(CASE WHEN positive THEN denied_last ELSE said_last END,
                min(from_earliest_ms, key_ms))
        ) END AS begins_ms
    FROM beside
),
followed AS (
    SELECT *,
        CASE WHEN NOT races THEN NULL
            WHEN low_next = v AND high_next = v
            THEN min(begins_ms) OVER after_2 ELSE min(begins_ms) OVER after_1 END AS next_value_ms,
        CASE WHEN positive THEN min(CASE WHEN NOT positive THEN begins_ms END) OVER said_after
            ELSE min(CASE WHEN positive THEN begins_ms END) OVER said_after END AS opposite_ms
    FROM begun
    WINDOW after_1 AS (PARTITION BY who_id, topic, sense, races ORDER BY run
            GROUPS BETWEEN 1 FOLLOWING AND 1 FOLLOWING),
        after_2 AS (PARTITION BY who_id, topic, sense, races ORDER BY run
            GROUPS BETWEEN 2 FOLLOWING AND 2 FOLLOWING),
        said_after AS (PARTITION BY who_id, topic, sense, v ORDER BY key_ms
            GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
),
replaced AS (                       -- said outright to be replaced, whatever the values
    SELECT old.id, min(CASE WHEN new.key_ms > old.key_ms THEN new.begins_ms END) AS by_link_ms,
        max(new.key_ms = old.key_ms AND new.backed >= old.backed) AS lost
    FROM fact_links l
    JOIN begun new ON new.id = l.from_id
    JOIN begun old ON old.id = l.to_id
    WHERE l.kind = 'supersedes' AND l.recorded_at_ms <= (SELECT known_at_ms())
      AND new.who_id = old.who_id AND new.topic = old.topic AND new.sense = old.sense
    GROUP BY old.id
)
SELECT f.*,
    f.outranked OR coalesce(r.lost, 0) AS lost,
    nullif(min(
        coalesce(f.to_latest_ms, f.to_earliest_ms, 9223372036854775807),
        coalesce(f.next_value_ms, 9223372036854775807),
        coalesce(f.opposite_ms, 9223372036854775807),
        coalesce(r.by_link_ms, 9223372036854775807)
    ), 9223372036854775807) AS ends_ms
FROM followed f LEFT JOIN replaced r ON r.id = f.id;

CREATE VIEW facts_judged AS         -- as of now_ms(): current, past, planned or contested
SELECT *,
    CASE WHEN lost OR ends_ms <= (SELECT now_ms()) THEN 'past'
        WHEN sense <> 'asserted' OR begins_ms > (SELECT now_ms()) THEN 'planned'
        WHEN min(CASE WHEN live THEN v END) OVER race IS NOT max(CASE WHEN live THEN v END) OVER race
            OR min(CASE WHEN live THEN positive END) OVER twin
                <> max(CASE WHEN live THEN positive END) OVER twin THEN 'contested'
        ELSE 'current' END AS status
FROM (
    SELECT *, NOT lost AND begins_ms <= (SELECT now_ms())
        AND (ends_ms IS NULL OR ends_ms > (SELECT now_ms())) AS live
    FROM facts_held
)
WINDOW race AS (PARTITION BY who_id, topic, sense, key_ms,
        CASE WHEN races THEN 0 ELSE id END),
    twin AS (PARTITION BY who_id, topic, sense, key_ms, v);

CREATE VIEW v_facts AS
SELECT
    f.id AS fact_id,
    who.name AS subject,
    f.property_name AS property,
    coalesce(thing.name, f.value) AS value,
    f.polarity,
    f.modality,
    f.memory_type,
    date(coalesce(f.from_earliest_ms, f.from_latest_ms) / 1000.0 + 60 * t.offset_minutes, 'unixepoch')
        AS valid_from,
    CASE WHEN f.from_earliest_ms IS NULL THEN 'unknown' ELSE f.from_precision END AS from_precision,
    date(coalesce(f.to_latest_ms, f.to_earliest_ms) / 1000.0 + 60 * t.offset_minutes, 'unixepoch')
        AS valid_to,
    date(f.ends_ms / 1000.0 + 60 * t.offset_minutes, 'unixepoch') AS effective_to,
    f.status IN ('current', 'contested') AS is_current,
    f.status,
    coalesce(holder.name, t.speaker) AS said_by,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * t.offset_minutes, 'unixepoch') AS said_at,
    e.quote,
    round(f.confidence, 2) AS confidence,
    e.turn_id
FROM facts_judged f
JOIN entities who ON who.id = f.who_id
LEFT JOIN entities thing ON thing.id = f.value_id
LEFT JOIN entity_canon hc ON hc.entity_id = f.holder_id
LEFT JOIN entities holder ON holder.id = hc.canonical_id
LEFT JOIN evidence e ON e.id = f.evidence_id
LEFT JOIN turns t ON t.id = e.turn_id
ORDER BY who.name, f.property_name, f.key_ms, f.id;

CREATE VIEW v_history AS            -- each value a property had, oldest first
SELECT subject, property, value, valid_from, from_precision, effective_to, said_at, said_by, quote, fact_id, turn_id
FROM v_facts WHERE modality = 'asserted' AND polarity <> 0;

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
        JOIN entity_canon c ON c.entity_id = ep.entity_id
        JOIN entities en ON en.id = c.canonical_id
        WHERE ep.event_id = ev.id)) AS participants,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * t.offset_minutes, 'unixepoch') AS said_at,
    e.quote,
    e.turn_id
FROM events ev
LEFT JOIN entity_canon pc ON pc.entity_id = ev.place_id
LEFT JOIN entities place ON place.id = pc.canonical_id
LEFT JOIN evidence e ON e.id = (SELECT min(id) FROM evidence WHERE event_id = ev.id)
LEFT JOIN turns t ON t.id = e.turn_id
WHERE ev.recorded_at_ms <= (SELECT known_at_ms());

CREATE VIEW v_turns AS
SELECT
    t.id AS turn_id,
    c.title AS session,
    t.speaker,
    t.role,
    strftime('%Y-%m-%d %H:%M', t.said_at_ms / 1000.0 + 60 * t.offset_minutes, 'unixepoch') AS said_at,
    t.text
FROM turns t
JOIN conversations c ON c.id = t.conversation_id
JOIN sources s ON s.id = t.source_id
WHERE s.imported_at_ms <= (SELECT known_at_ms());

CREATE VIEW v_entities AS
SELECT
    en.id AS entity_id,
    en.name,
    en.type,
    (SELECT count(*) FROM facts f WHERE f.recorded_at_ms <= (SELECT known_at_ms()) AND (
        f.subject_id IN (SELECT entity_id FROM entity_canon WHERE canonical_id = en.id)
        OR f.value_entity_id IN (SELECT entity_id FROM entity_canon WHERE canonical_id = en.id)))
        AS facts,
    coalesce(m.mentions, 0) AS mentions,
    m.first_at,
    m.last_at
FROM entities en
JOIN entity_canon own ON own.entity_id = en.id AND own.canonical_id = en.id
LEFT JOIN (
    SELECT c.canonical_id, count(DISTINCT m.turn_id) AS mentions,
        date(min(t.said_at_ms / 1000.0 + 60 * t.offset_minutes), 'unixepoch') AS first_at,
        date(max(t.said_at_ms / 1000.0 + 60 * t.offset_minutes), 'unixepoch') AS last_at
    FROM mentions m
    JOIN entity_canon c ON c.entity_id = m.entity_id
    JOIN turns t ON t.id = m.turn_id
    GROUP BY c.canonical_id
) m ON m.canonical_id = en.id
WHERE en.recorded_at_ms <= (SELECT known_at_ms());
