"""Percentiles of the calls of each cell, from merged buckets: at most 0.8 % off."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from keyflight.fleet.comparison import MEASURED, NAME, Cell

# A percentile is not known of fewer calls.
LEAST = {50: 1, 95: 20, 99: 100}

Percentiles = dict[int, int | None]


def middle(code: int) -> int:
    """The middle of a bucket's durations, in nanoseconds."""
    if code < 128:
        return code
    shift = code // 64 - 1
    return (64 + code % 64 << shift) + (1 << shift >> 1)


def percentiles(buckets: Sequence[tuple[int, int]], longest: int) -> Percentiles:
    """The bucket of the nearest rank, of pairs of code and count in ascending order."""
    total = sum(count for _, count in buckets)
    found: Percentiles = {}
    for percent, least in LEAST.items():
        found[percent] = None
        seen = 0
        for code, count in buckets if total >= least else ():
            seen += count
            if 100 * seen >= percent * total:
                found[percent] = min(middle(code), longest)
                break
    return found


def of_cells(connection: duckdb.DuckDBPyConnection) -> dict[tuple[Cell, int], Percentiles]:
    """Percentiles by cell and group of the table kept."""
    merged: dict[tuple[Cell, int], list[tuple[int, int]]] = {}
    longest: dict[tuple[Cell, int], int] = {}
    for stratum, metric, responder, label, bucket, count, most in connection.execute(f"""
            WITH flat AS (
              SELECT o.stratum, o.metric, o.responder, o.label, h.max_ns,
                     unnest(h.buckets) AS bucket, unnest(h.counts) AS count
              FROM kept o JOIN histograms h ON h.trace_id = o.trace_id AND h.metric = o.metric AND {MEASURED}
                AND o.responder IS NOT DISTINCT FROM {NAME}
            )
            SELECT stratum, metric, responder, label, bucket, CAST(sum(count) AS BIGINT), max(max_ns) FROM flat
            GROUP BY stratum, metric, responder, label, bucket ORDER BY bucket""").fetchall():
        key = ((stratum, metric, responder), label)
        merged.setdefault(key, []).append((bucket, count))
        longest[key] = max(longest.get(key, 0), most)
    return {key: percentiles(buckets, longest[key]) for key, buckets in merged.items()}
