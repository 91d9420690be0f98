-- How many inputs of each kind there are, and what they hold. Only cells of 10 samples of installations are divided by
-- version; inputs that are not ok have no installation, and are counted by their status alone.
SELECT status, CASE WHEN status = 'ok' THEN service_version END AS service_version, count(*) AS inputs,
       CAST(coalesce(sum(presses), 0) AS BIGINT) AS presses, CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes
FROM sessions
GROUP BY status, CASE WHEN status = 'ok' THEN service_version END
HAVING status <> 'ok' OR count(DISTINCT sample_id) >= 10
ORDER BY 1, 2 NULLS FIRST
