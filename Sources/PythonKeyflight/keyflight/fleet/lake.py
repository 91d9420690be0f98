"""A lake: tables of many traces as Parquet files that DuckDB and Spark read.

LAKE/keyflight.lake                                      schema, and the columns' privacy
LAKE/table=sessions/date=…/part-BATCH.parquet            its rename is the commit of a batch
LAKE/table=histograms/date=…/service_version=…/part-BATCH-N.parquet, and chords likewise
LAKE/staging                                             what an ingest is writing

A batch that has no rows in sessions is not there: views leave it out, and the next ingest removes its files.
"""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from keyflight.export import Options, read
from keyflight.fleet.failure import Failure, not_a_lake
from keyflight.queries import register_duckdb

SCHEMA = "keyflight.fleet/1"
# Not findings: lint takes five times as long as all of these, and keyflight export --table findings has them.
TABLES = ("sessions", "histograms", "chords")
DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__"
MARKER = "keyflight.lake"
_PART = re.compile(r"part-(\d+)(?:-\d+)?\.parquet")


def connect(folder: pathlib.Path, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """The views sessions, histograms, chords and histogram_buckets over a lake, which becomes the working folder."""
    if not (folder / MARKER).is_file():
        raise not_a_lake(str(folder))
    check_schema(folder)
    # A name of a folder could contain a pattern of DuckDB.
    os.chdir(folder)
    connection = database(threads)
    for table in TABLES:
        connection.execute(f"""CREATE TEMP VIEW stored_{table} AS SELECT * FROM read_parquet(
            'table={table}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)""")
    # A trace that was read again, by a later keyflight, has rows of several batches.
    connection.execute("""CREATE TEMP VIEW sessions AS SELECT * FROM stored_sessions
        QUALIFY batch = max(batch) OVER (PARTITION BY trace_id)""")
    for table in TABLES[1:]:
        connection.execute(f"""CREATE TEMP VIEW {table} AS
            SELECT t.* EXCLUDE (service_version, date, batch) FROM stored_{table} t
            SEMI JOIN (SELECT trace_id, batch FROM sessions WHERE status = 'ok') s USING (trace_id, batch)""")
    register_duckdb(connection)
    return connection


def check_schema(folder: pathlib.Path) -> None:
    try:
        found = json.loads((folder / MARKER).read_bytes())["schema"]
    except (ValueError, TypeError, KeyError):
        raise Failure("KF0200", f"{folder / MARKER}: expected a schema, found another content") from None
    if found != SCHEMA:
        raise Failure("KF0400", f"{folder}: schema: expected {SCHEMA}, found {found}")


def database(threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """A database in memory that loads nothing from anywhere, and spills into no folder."""
    connection = duckdb.connect(config={
        "autoinstall_known_extensions": False, "autoload_known_extensions": False, "temp_directory": ""})
    # It would be on standard output.
    connection.execute("SET enable_progress_bar = false")
    if threads is not None:
        connection.execute(f"SET threads = {threads}")
    return connection


def create(folder: pathlib.Path, program: str) -> None:
    """Makes an empty lake of a folder, if it is none."""
    if (folder / MARKER).is_file():
        return check_schema(folder)
    # Some of these are there when the first ingest was killed at once.
    own = {"lock", MARKER + ".new", *(f"table={table}" for table in TABLES)}
    if not own.issuperset(os.listdir(folder)):
        raise Failure("KF6401", f"{folder}: expected a lake or no folder, found other files in it")
    connection = database()
    for table in TABLES:
        place = folder / f"table={table}" / "date=1970-01-01"
        if table != "sessions":
            place = place / f"service_version={DEFAULT_PARTITION}"
        place.mkdir(parents=True, exist_ok=True)
        with read([], table, Options(program)) as reader:
            connection.register("rows", reader.read_all())
            copy(connection, f"SELECT {columns(table)}, 0::BIGINT AS batch FROM rows", place / "part-000000.parquet")
            connection.unregister("rows")
    temporary = folder / (MARKER + ".new")
    temporary.write_text(json.dumps({"schema": SCHEMA}) + "\n", encoding="utf-8")
    temporary.rename(folder / MARKER)


def columns(table: str) -> str:
    """The columns of a lake: session_key is dropped as soon as sample_id is made."""
    return "* EXCLUDE (session_key)" if table == "sessions" else "*"


def partition(version: str) -> str:
    """SQL of the name of a version's folder: a digest where the version is longer than a name of a file may be, each of
    whose bytes can become three. Views take the version from sessions."""
    return f"CASE WHEN strlen({version}) <= 64 THEN {version} ELSE 'sha256-' || left(sha256({version}), 32) END"


def copy(connection: duckdb.DuckDBPyConnection, query: str, place: pathlib.Path, more: str = "") -> None:
    path = str(place).replace("'", "''")
    connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192{more})")


@contextmanager
def locked(folder: pathlib.Path) -> Iterator[None]:
    """One ingest at a time: the lock ends with its process."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(folder / "lock", "a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure("KF0502", f"{folder}: expected to be alone, found another ingest at work") from None
        yield


def batch(path: pathlib.Path) -> int:
    match = _PART.fullmatch(path.name)
    return int(match[1]) if match else 0


def last_batch(folder: pathlib.Path) -> int:
    return max((batch(path) for path in (folder / "table=sessions").glob("date=*/part-*.parquet")), default=0)


def remove_unfinished(folder: pathlib.Path) -> int:
    """Removes what a killed ingest left. Returns the number of those files."""
    staging = folder / "staging"
    left = sum(len(files) for _, _, files in os.walk(staging))
    shutil.rmtree(staging, ignore_errors=True)
    last = last_batch(folder)
    for table in TABLES[1:]:
        for path in (folder / f"table={table}").glob("date=*/service_version=*/part-*.parquet"):
            if batch(path) > last:
                path.unlink()
                left += 1
    return left


def publish(folder: pathlib.Path, date: str) -> None:
    """Moves a staged batch into the lake; its sessions, last, make it count."""
    staging = folder / "staging"
    for table in TABLES[1:]:
        for path in sorted((staging / table).glob("service_version=*/part-*.parquet")):
            place = folder / f"table={table}" / f"date={date}" / path.parent.name
            place.mkdir(parents=True, exist_ok=True)
            path.rename(place / path.name)
    place = folder / "table=sessions" / f"date={date}"
    place.mkdir(parents=True, exist_ok=True)
    for path in staging.glob("part-*.parquet"):
        path.rename(place / path.name)
    shutil.rmtree(staging)
