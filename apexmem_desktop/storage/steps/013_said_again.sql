-- Step 13: the same thing said again is more proof of the same fact, not another fact. When it was learned is kept, so
-- that what was known at a date has only the proof of that date.
ALTER TABLE evidence ADD COLUMN recorded_at_ms INTEGER;     -- NULL: with its fact or event, which needs all such proof;
                                                            -- else said again: a proof by itself
ALTER TABLE evidence ADD COLUMN tells_when INTEGER NOT NULL DEFAULT 0;  -- 1: its own words tell the fact's time, too
ALTER TABLE evidence ADD COLUMN confidence REAL CHECK (confidence BETWEEN 0 AND 1);     -- of this reading
ALTER TABLE evidence ADD COLUMN holder_id INTEGER REFERENCES entities(id);    -- who says or holds it there, as in facts
ALTER TABLE evidence ADD COLUMN run_id INTEGER REFERENCES runs(id);

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

DROP VIEW facts_judged;
CREATE VIEW facts_judged AS         -- current, past, planned or contested
SELECT id, subject, lane, positive, v, key_ms, begins_ms, ends_ms,
    CASE WHEN lost OR ends_ms <= (SELECT now_ms()) THEN 'past'
        WHEN NOT asserted OR begins_ms > (SELECT now_ms()) THEN 'planned'
        WHEN contested_by_value OR min(CASE WHEN live THEN positive END) OVER twin
            <> max(CASE WHEN live THEN positive END) OVER twin THEN 'contested'
        ELSE 'current' END AS status
FROM facts_contested
WINDOW twin AS (PARTITION BY subject, lane, v, key_ms);

CREATE VIEW facts_shown AS          -- without what an earlier version kept as a fact of its own: the same, said again
SELECT * FROM (
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
    local_day(coalesce(f.from_earliest_ms, min(f.from_latest_ms, CASE WHEN f.from_source = 'message_time' THEN (
        SELECT min(a.said_at_ms) FROM evidence again JOIN turns a ON a.id = again.turn_id
        WHERE again.fact_id = f.id AND again.recorded_at_ms <= (SELECT known_at_ms())) END), f.from_latest_ms
        ), f.from_precision, v.offset_minutes, z.zone, t.said_at_ms) AS valid_from,
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
    -- Said again: domain.confidence.said_again says why.
    round(coalesce((SELECT 1 - (1 - max(f.confidence, max(again.confidence))) * 0.7 FROM evidence again
        WHERE again.fact_id = f.id AND again.recorded_at_ms <= (SELECT known_at_ms())), f.confidence), 2) AS confidence,
    coalesce(f.turn_id, e.turn_id) AS turn_id
FROM facts_shown j
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
