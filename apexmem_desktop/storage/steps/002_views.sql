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
        'birth_year') AS lifelong,
    vc.canonical_id AS value_id,
    CASE WHEN vc.canonical_id IS NULL THEN f.value_normalised ELSE (
        SELECT n.normalised FROM entity_names n WHERE n.entity_id = vc.canonical_id ORDER BY n.id LIMIT 1
    ) END AS v,
    coalesce(r.kind IN ('confirm', 'prefer', 'pin'), 0) AS backed,
    (SELECT min(t.said_at_ms) FROM evidence e JOIN turns t ON t.id = e.turn_id
        WHERE e.fact_id = f.id) AS first_said_ms
FROM facts f
JOIN properties p ON p.id = f.property_id
JOIN entity_canon sc ON sc.entity_id = f.subject_id
JOIN entities who ON who.id = sc.canonical_id
LEFT JOIN entity_canon vc ON vc.entity_id = f.value_entity_id
LEFT JOIN (SELECT fact_id, kind, max(id) FROM standing_rulings   -- the newest of a fact counts
    WHERE fact_id IS NOT NULL GROUP BY fact_id) r ON r.fact_id = f.id
WHERE f.recorded_at_ms <= (SELECT known_at_ms())
  AND coalesce(r.kind, '') NOT IN ('reject', 'correct', 'hide');

CREATE VIEW facts_keyed AS          -- key_ms: by when it had surely begun; this orders the facts of a lane
SELECT id, subject, lane, asserted, positive, v, backed,
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
FROM facts_said;

-- Each window below is partitioned by subject first, so that a query for one subject reads only its facts.
CREATE VIEW facts_tied AS           -- equal starts stand together: low <> high says that they differ
SELECT *,
    min(v) OVER same AS low, max(v) OVER same AS high, sum(backed) OVER same AS backed_here
FROM facts_keyed
WINDOW same AS (PARTITION BY subject, lane, races, key_ms);

CREATE VIEW facts_twinned AS        -- the same value said and denied: when before, and backed by the user now
SELECT *,
    max(CASE WHEN positive THEN key_ms END) OVER before AS said_last,
    max(CASE WHEN NOT positive THEN key_ms END) OVER before AS denied_last,
    sum(backed AND positive) OVER here AS backed_said,
    sum(backed AND NOT positive) OVER here AS backed_denied
FROM facts_tied
WINDOW here AS (PARTITION BY subject, lane, v ORDER BY key_ms GROUPS CURRENT ROW),
    before AS (PARTITION BY subject, lane, v ORDER BY key_ms
        GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);

CREATE VIEW facts_run AS            -- a run: one value, however often it was said in a row
SELECT *,
    sum(low <> high OR low_before IS NOT low OR high_before IS NOT high) OVER (
        PARTITION BY subject, lane, races ORDER BY key_ms
    ) AS run
FROM (
    SELECT *, min(v) OVER earlier AS low_before, max(v) OVER earlier AS high_before
    FROM facts_twinned
    WINDOW earlier AS (PARTITION BY subject, lane, races ORDER BY key_ms
        GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING)
);

CREATE VIEW facts_after_link AS     -- when the other side of a "takes its place" was said to hold, before this one
SELECT a.id, max(b.key_ms) AS linked_last
FROM (
    SELECT to_id AS id, from_id AS other_id FROM fact_links
        WHERE kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
    UNION ALL SELECT from_id, to_id FROM fact_links
        WHERE kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
) l
CROSS JOIN facts_keyed a ON a.id = l.id
CROSS JOIN facts_keyed b ON b.id = l.other_id AND b.lane = a.lane AND b.key_ms < a.key_ms
GROUP BY a.id;

CREATE VIEW facts_begun AS          -- while a rival was said to hold, a fact had not begun
SELECT *,
    CASE WHEN earliest_ms IS NULL THEN key_ms ELSE max(
        min(earliest_ms, key_ms),
        coalesce(CASE WHEN NOT races THEN NULL WHEN low_1 = v AND high_1 = v THEN last_2 ELSE last_1 END,
            min(earliest_ms, key_ms)),
        coalesce(CASE WHEN positive THEN denied_last ELSE said_last END, min(earliest_ms, key_ms)),
        coalesce(linked_last, min(earliest_ms, key_ms))
    ) END AS begins_ms
FROM (
    SELECT *,
        max(key_ms) OVER before_1 AS last_1, max(key_ms) OVER before_2 AS last_2,
        min(v) OVER before_1 AS low_1, max(v) OVER before_1 AS high_1
    FROM facts_run
    WINDOW before_1 AS (PARTITION BY subject, lane, races ORDER BY run
            GROUPS BETWEEN 1 PRECEDING AND 1 PRECEDING),
        before_2 AS (PARTITION BY subject, lane, races ORDER BY run
            GROUPS BETWEEN 2 PRECEDING AND 2 PRECEDING)
) LEFT JOIN facts_after_link USING (id);

CREATE VIEW facts_replaced AS       -- said outright to take another's place: these two exclude each other
SELECT a.id,
    min(CASE WHEN b.key_ms > a.key_ms THEN CASE WHEN b.earliest_ms IS NULL THEN b.key_ms
        ELSE max(min(b.earliest_ms, b.key_ms), a.key_ms) END END) AS by_link_ms,
    max(b.key_ms = a.key_ms AND (b.backed > a.backed OR l.is_old AND b.backed = a.backed)) AS lost
FROM (
    SELECT to_id AS id, from_id AS other_id, 1 AS is_old FROM fact_links
        WHERE kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
    UNION ALL SELECT from_id, to_id, 0 FROM fact_links
        WHERE kind = 'supersedes' AND recorded_at_ms <= (SELECT known_at_ms())
) l
CROSS JOIN facts_keyed a ON a.id = l.id
CROSS JOIN facts_keyed b ON b.id = l.other_id AND b.lane = a.lane
GROUP BY a.id;

CREATE VIEW facts_opposed AS        -- when the same value is said otherwise, later
SELECT *,
    min(CASE WHEN positive THEN begins_ms END) OVER after AS said_next,
    min(CASE WHEN NOT positive THEN begins_ms END) OVER after AS denied_next
FROM facts_begun
WINDOW after AS (PARTITION BY subject, lane, v ORDER BY key_ms
    GROUPS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING);

CREATE VIEW facts_raced AS          -- the run after this one, and the one after that
SELECT *,
    min(begins_ms) OVER after_1 AS begins_1, min(begins_ms) OVER after_2 AS begins_2,
    min(v) OVER after_1 AS low_next, max(v) OVER after_1 AS high_next
FROM facts_opposed
WINDOW after_1 AS (PARTITION BY subject, lane, races ORDER BY run
        GROUPS BETWEEN 1 FOLLOWING AND 1 FOLLOWING),
    after_2 AS (PARTITION BY subject, lane, races ORDER BY run
        GROUPS BETWEEN 2 FOLLOWING AND 2 FOLLOWING);

CREATE VIEW facts_held AS           -- from begins_ms until ends_ms, as far as is known
SELECT f.id, f.subject, f.lane, f.asserted, f.positive, f.races, f.v, f.key_ms, f.begins_ms,
    coalesce(r.lost, 0) OR (NOT f.backed AND (f.races AND f.backed_here > f.backed_said
        OR CASE WHEN f.positive THEN f.backed_denied ELSE f.backed_said END > 0)) AS lost,
    nullif(min(
        coalesce(f.stop_ms, 9223372036854775807),
        coalesce(CASE WHEN f.races THEN
            CASE WHEN f.low_next = f.v AND f.high_next = f.v THEN f.begins_2 ELSE f.begins_1 END
            END, 9223372036854775807),
        coalesce(CASE WHEN f.positive THEN f.denied_next ELSE f.said_next END, 9223372036854775807),
        coalesce(r.by_link_ms, 9223372036854775807)
    ), 9223372036854775807) AS ends_ms
FROM facts_raced f LEFT JOIN facts_replaced r ON r.id = f.id;

CREATE VIEW facts_live AS           -- as of now_ms()
SELECT *, NOT lost AND begins_ms <= (SELECT now_ms())
    AND (ends_ms IS NULL OR ends_ms > (SELECT now_ms())) AS live
FROM facts_held;

CREATE VIEW facts_contested AS      -- values that hold at once though only one can
SELECT *, races AND min(CASE WHEN live THEN v END) OVER race
    <> max(CASE WHEN live THEN v END) OVER race AS contested_by_value
FROM facts_live
WINDOW race AS (PARTITION BY subject, lane, races, key_ms);

CREATE VIEW facts_judged AS         -- current, past, planned or contested
SELECT id, subject, key_ms, begins_ms, ends_ms,
    CASE WHEN lost OR ends_ms <= (SELECT now_ms()) THEN 'past'
        WHEN NOT asserted OR begins_ms > (SELECT now_ms()) THEN 'planned'
        WHEN contested_by_value OR min(CASE WHEN live THEN positive END) OVER twin
            <> max(CASE WHEN live THEN positive END) OVER twin THEN 'contested'
        ELSE 'current' END AS status
FROM facts_contested
WINDOW twin AS (PARTITION BY subject, lane, v, key_ms);

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
LEFT JOIN entity_canon vc ON vc.entity_id = f.value_entity_id
LEFT JOIN entities thing ON thing.id = vc.canonical_id
LEFT JOIN entity_canon hc ON hc.entity_id = f.holder_id
LEFT JOIN entities holder ON holder.id = hc.canonical_id
LEFT JOIN evidence e ON e.id = (SELECT min(id) FROM evidence WHERE fact_id = f.id)
LEFT JOIN turns t ON t.id = e.turn_id
ORDER BY j.subject, p.name, j.key_ms, j.id;

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
