"""spark-submit spark_job.py TRACES LAKE DATE: the tables of the traces of one day's folder, in a lake.

It makes what keyflight fleet ingest makes. When it runs again for the same day, that day is replaced; so a run that was
killed is repeated. LAKE is any place that Spark writes to; TRACES is a folder that the driver and all workers see.
"""

from __future__ import annotations

import argparse
import datetime
import json
import pathlib
import sys

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, lit

from keyflight.spark import register

SCHEMA = "keyflight.fleet/1"


def write(session: SparkSession, traces: str, lake: str, date: str, options: dict[str, str]) -> None:
    """Replaces the partitions of a day. The number of its batch is the day."""
    register(session)
    number = int(date.replace("-", ""))

    def table(name: str) -> DataFrame:
        frame = session.read.format("keyflight").options(table=name, **options).load(traces)
        return frame.withColumn("batch", lit(number).cast("bigint")).withColumn("date", lit(date))

    sessions = table("sessions").drop("session_key").cache()
    versions = sessions.where(col("status") == "ok").select("trace_id", "service_version")
    for name in ("histograms", "chords"):
        _write(table(name).join(versions, "trace_id"), f"{lake}/table={name}", ["date", "service_version"])
    # Rows of other tables count as soon as these are there.
    _write(sessions.coalesce(1), f"{lake}/table=sessions", ["date"])
    sessions.unpersist()
    if "://" not in lake:
        pathlib.Path(lake, "keyflight.lake").write_text(json.dumps({"schema": SCHEMA}) + "\n", encoding="utf-8")


def _write(frame: DataFrame, place: str, partitions: list[str]) -> None:
    (frame.write.mode("overwrite").option("partitionOverwriteMode", "dynamic").option("compression", "zstd")
     .partitionBy(*partitions).parquet(place))


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("traces")
    parser.add_argument("lake")
    parser.add_argument("date", type=lambda word: datetime.date.fromisoformat(word).isoformat())
    parser.add_argument("--program", default="keyflight", help="keyflight, as workers find it")
    parser.add_argument("--allow-ids")
    parser.add_argument("--pseudonym-key", required=True, help="the same for every day")
    parser.add_argument("--partitions", type=int, help="default: one for each core")
    arguments = parser.parse_args(words)
    # A trace is small; Spark's estimate of the cost of opening a file would make one partition of many.
    session = (SparkSession.builder.appName("keyflight").config("spark.sql.files.openCostInBytes", "65536")
               .getOrCreate())
    count = arguments.partitions or session.sparkContext.defaultParallelism
    options = {"program": arguments.program, "partitions": str(count), "pseudonym_key": arguments.pseudonym_key}
    if arguments.allow_ids is not None:
        options["allow_ids"] = arguments.allow_ids
    write(session, arguments.traces, arguments.lake, arguments.date, options)
    session.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
