-- p50, p95 and p99 in nanoseconds by version: the middle of the bucket in which the nearest rank lies, at most 0.8 % off.
-- A percentile is NULL where n is too small for it. Cells of fewer than 10 samples of installations are left out.
WITH cells AS (
  SELECT s.service_version, h.metric, h.responder, h.stage, h.occasion, max(h.max_ns) AS max_ns,
         count(DISTINCT s.trace_id) AS sessions
  FROM histograms h JOIN sessions s ON s.trace_id = h.trace_id
  WHERE s.status = 'ok'
  GROUP BY s.service_version, h.metric, h.responder, h.stage, h.occasion
  HAVING count(DISTINCT s.sample_id) >= 10
), merged AS (
  SELECT s.service_version, b.metric, b.responder, b.stage, b.occasion, b.bucket, sum(b.count) AS count
  FROM histogram_buckets b JOIN sessions s ON s.trace_id = b.trace_id
  WHERE s.status = 'ok'
  GROUP BY s.service_version, b.metric, b.responder, b.stage, b.occasion, b.bucket
), ranked AS (
  SELECT service_version, metric, responder, stage, occasion, bucket, count,
         sum(count) OVER (PARTITION BY service_version, metric, responder, stage, occasion ORDER BY bucket
                          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS upto,
         sum(count) OVER (PARTITION BY service_version, metric, responder, stage, occasion) AS n,
         floor(bucket / 64.0) - 1 AS s
  FROM merged
), timed AS (
  SELECT *, CASE WHEN bucket < 128 THEN bucket
                 ELSE (64 + bucket - 64 * (s + 1)) * power(2, s) + power(2, s - 1) END AS middle
  FROM ranked
)
SELECT c.service_version, c.metric, c.responder, c.stage, c.occasion, c.sessions, CAST(max(t.n) AS BIGINT) AS n,
       CAST(least(min(CASE WHEN 100 * t.upto >= 50 * t.n THEN t.middle END), c.max_ns) AS BIGINT) AS p50_ns,
       CASE WHEN max(t.n) >= 20 THEN
         CAST(least(min(CASE WHEN 100 * t.upto >= 95 * t.n THEN t.middle END), c.max_ns) AS BIGINT) END AS p95_ns,
       CASE WHEN max(t.n) >= 100 THEN
         CAST(least(min(CASE WHEN 100 * t.upto >= 99 * t.n THEN t.middle END), c.max_ns) AS BIGINT) END AS p99_ns,
       c.max_ns
FROM timed t JOIN cells c ON c.service_version IS NOT DISTINCT FROM t.service_version AND c.metric = t.metric
  AND c.responder IS NOT DISTINCT FROM t.responder AND c.stage IS NOT DISTINCT FROM t.stage AND c.occasion = t.occasion
GROUP BY c.service_version, c.metric, c.responder, c.stage, c.occasion, c.sessions, c.max_ns
ORDER BY 1 NULLS FIRST, 2, 3 NULLS FIRST, 4 NULLS FIRST, 5
