-- Days are those of the zone a chat was kept in, whose offset changes with the season, no longer those of the
-- offset that its turn was said at. local_day() is our own function (storage/functions.py): it takes the day
-- of a bound set before this step as it was set, so that no stored fact moves.
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
    local_day(coalesce(f.from_earliest_ms, f.from_latest_ms), f.from_precision, v.offset_minutes, s.zone, t.said_at_ms)
        AS valid_from,
    CASE WHEN f.from_earliest_ms IS NULL THEN 'unknown' ELSE f.from_precision END AS from_precision,
    local_day(coalesce(f.to_latest_ms, f.to_earliest_ms), f.to_precision, v.offset_minutes, s.zone, t.said_at_ms)
        AS valid_to,
    local_day(j.ends_ms, 'day', v.offset_minutes, s.zone, t.said_at_ms) AS effective_to,
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
LEFT JOIN sources s ON s.id = v.source_id
ORDER BY j.subject, p.name, j.key_ms, j.id;

DROP VIEW v_events;
CREATE VIEW v_events AS
SELECT
    ev.id AS event_id,
    ev.type,
    ev.summary,
    ev.modality,
    local_day(coalesce(ev.start_earliest_ms, ev.start_latest_ms), ev.start_precision, v.offset_minutes, s.zone, t.said_at_ms)
        AS starts_on,
    CASE WHEN ev.start_earliest_ms IS NULL THEN 'unknown' ELSE ev.start_precision END AS start_precision,
    local_day(coalesce(ev.end_latest_ms, ev.end_earliest_ms), ev.end_precision, v.offset_minutes, s.zone, t.said_at_ms)
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
LEFT JOIN sources s ON s.id = v.source_id
WHERE ev.recorded_at_ms <= (SELECT known_at_ms());
