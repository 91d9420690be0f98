-- Mean time of a call in nanoseconds by version and system: a description without a test of significance. Calls of a
-- session share the speed of its device, so a test has to take sessions or installations as its units.
SELECT h.metric, h.responder, s.os_version, s.service_version, count(DISTINCT s.trace_id) AS sessions,
       CAST(sum(h.n) AS BIGINT) AS n, CAST(floor(sum(h.sum_ns) / sum(h.n)) AS BIGINT) AS mean_ns
FROM histograms h JOIN sessions s ON s.trace_id = h.trace_id
WHERE s.status = 'ok' AND h.metric <> 'stage' AND h.occasion = 'down' AND h.n > 0
GROUP BY h.metric, h.responder, s.os_version, s.service_version
HAVING count(DISTINCT s.sample_id) >= 10
ORDER BY 1, 2 NULLS FIRST, 3 NULLS FIRST, 4 NULLS FIRST
