"""The SQL files of the package, and the views that they read: the same SQL for DuckDB and for Spark."""

from __future__ import annotations

from importlib import resources
from typing import Any

QUERIES = ("coverage", "quantiles", "regressions", "stale_answers", "unhandled_chords")

# One row for each bucket. Only this is written differently for each engine.
_KEY = "trace_id, metric, responder, stage, occasion"
_DUCKDB_BUCKETS = f"""CREATE OR REPLACE TEMP VIEW histogram_buckets AS
    SELECT {_KEY}, unnest(buckets) AS bucket, unnest(counts) AS count FROM histograms"""
_SPARK_BUCKETS = f"""CREATE OR REPLACE TEMP VIEW histogram_buckets AS
    SELECT {_KEY}, pair.buckets AS bucket, pair.counts AS count
    FROM (SELECT {_KEY}, explode(arrays_zip(buckets, counts)) AS pair FROM histograms)"""


def query(name: str) -> str:
    """The text of a query of QUERIES. It reads the tables and the view histogram_buckets."""
    if name not in QUERIES:
        raise ValueError(f"query: expected one of {', '.join(QUERIES)}, found {name}")
    return resources.files("keyflight").joinpath(f"sql/{name}.sql").read_text(encoding="utf-8")


def register_duckdb(connection: Any) -> None:
    """Makes the view histogram_buckets over the table histograms of a DuckDB connection."""
    connection.execute(_DUCKDB_BUCKETS)


def register_spark(session: Any) -> None:
    """Makes the view histogram_buckets over the table or view histograms of a Spark session."""
    session.sql(_SPARK_BUCKETS)
