-- Cached answers that were wrong, by version and chord.
SELECT s.service_version, c.chord, CAST(sum(c.stale) AS BIGINT) AS stale, CAST(sum(c.n) AS BIGINT) AS presses,
       count(DISTINCT s.trace_id) AS sessions
FROM chords c JOIN sessions s ON s.trace_id = c.trace_id
WHERE s.status = 'ok' AND c.stale > 0
GROUP BY s.service_version, c.chord
HAVING count(DISTINCT s.sample_id) >= 10
ORDER BY stale DESC, 2, 1 NULLS FIRST
