"""A lake: tables of many traces as Parquet files that DuckDB and Spark read.

LAKE/keyflight.lake                                      schema, and the number of the last batch
LAKE/table=sessions/date=…/part-BATCH.parquet            its rename is the commit of a batch
LAKE/table=histograms/date=…/service_version=…/part-BATCH-N.parquet, and chords likewise
LAKE/staging                                             what an ingest is writing

A batch that has no rows in sessions is not there: views leave it out, and the next ingest removes its files. Batches
are numbered from 1 without a gap, so that one whose files are all lost is known.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
import pathlib
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb
import pyarrow
import pyarrow.parquet

from keyflight.export import Options, read
from keyflight.fleet.failure import Failure, not_a_lake
from keyflight.fleet.text import safe
from keyflight.queries import register_duckdb

SCHEMA = "keyflight.fleet/1"
# Not findings: lint takes five times as long as all of these, and keyflight export --table findings has them.
TABLES = ("sessions", "histograms", "chords")
DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__"
MARKER = "keyflight.lake"
_PART = re.compile(r"part-(\d+)(?:-\d+)?\.parquet")


# Columns that views and queries read, as keyflight help tables has them; those with a sign are never NULL.
_TEXTS = {
    "sessions": "service_version app_build_id vcs_ref_head_revision os_version device_model_identifier profile layout "
                "layout_hash scene level status! error_id reason keyflight_version!",
    "histograms": "trace_id! metric! responder stage occasion!",
    "chords": "trace_id! chord outcome first_responder action"}
_INTEGERS = {"sessions": "sample_id presses bytes records_lost input batch!", "histograms": "n! sum_ns max_ns batch!",
             "chords": "n! stale! batch!"}
# The code of the longest duration.
_LAST_BUCKET = 64 * 57 + 63
_MARKER_LIMIT = 4096  # bytes


def connect(folder: pathlib.Path, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """The views sessions, histograms, chords and histogram_buckets over a lake, which becomes the working folder.

    The connection reads the Parquet files of the lake, and no other file.
    """
    if not (folder / MARKER).is_file():
        raise not_a_lake(str(folder))
    _refuse_strangers(folder)
    # Before the files: what an ingest adds meanwhile is no loss.
    committed = check_schema(folder)
    # Names of files are relative, and short.
    os.chdir(folder)
    files = {table: sorted(map(str, pathlib.Path(f"table={table}").glob("**/*.parquet"))) for table in TABLES}
    for table, paths in files.items():
        if not paths:
            raise Failure("KF0200", f"{folder}: table={table}: expected Parquet files, found none")
        for path in paths:
            _check_columns(folder, table, path)
    connection = database(threads)
    for table, paths in files.items():
        connection.execute(f"""CREATE TEMP VIEW stored_{table} AS SELECT * FROM read_parquet([{_listed(paths)}],
            hive_partitioning = true, hive_types_autocast = false)""")
        _check_rows(connection, folder, table, paths)
    _check_sessions(connection, folder, files["sessions"])
    _check_batches(folder, committed, {batch(pathlib.Path(path)) for paths in files.values() for path in paths})
    # A trace that was read again, by a later keyflight, has rows of several batches.
    connection.execute("""CREATE TEMP VIEW sessions AS SELECT * FROM stored_sessions
        QUALIFY batch = max(batch) OVER (PARTITION BY trace_id)""")
    for table in TABLES[1:]:
        connection.execute(f"""CREATE TEMP VIEW {table} AS
            SELECT t.* EXCLUDE (service_version, date, batch) FROM stored_{table} t
            SEMI JOIN (SELECT trace_id, batch FROM sessions WHERE status = 'ok') s USING (trace_id, batch)""")
    register_duckdb(connection)
    # By name, and as views name them.
    every = [path for paths in files.values() for path in paths]
    allowed = [*("'" + path.replace("'", "''") + "'" for path in every), _listed(every)]
    connection.execute(f"SET allowed_paths = [{', '.join(allowed)}]")
    for setting in ("enable_external_access = false", "lock_configuration = true"):
        connection.execute(f"SET {setting}")
    return connection


def _refuse_strangers(folder: pathlib.Path) -> None:
    """What is read of a lake is its own: a link may name any file, and a pipe keeps its reader waiting."""
    tables = [folder / f"table={table}" for table in TABLES]
    below = (os.path.join(place, name) for table in tables for place, folders, files in os.walk(table)
             for name in (*folders, *files))
    for path in (str(folder / MARKER), *map(str, tables), *below):
        try:
            mode = os.lstat(path).st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            found = "a link" if stat.S_ISLNK(mode) else "another thing"
            raise Failure("KF0200", f"{safe(path)}: expected a file or folder of the lake, found {found}; remove it")


def _listed(paths: list[str]) -> str:
    """Names of files in SQL: a sign of a pattern stands in brackets."""
    return ", ".join("'" + re.sub(r"[*?\[]", r"[\g<0>]", path.replace("'", "''")) + "'" for path in paths)


def _check_columns(folder: pathlib.Path, table: str, path: str) -> None:
    """A column of another type would be another value in SQL, or none at all."""
    try:
        found = {field.name: field.type for field in pyarrow.parquet.read_schema(path)}
    except (pyarrow.ArrowException, ValueError) as error:
        reason = safe(" ".join(str(error).split()))[:200]
        raise Failure("KF0200", f"{folder / path}: expected a Parquet file, found another content: {reason}") from None
    types = pyarrow.types
    wanted = [(name, "text", lambda kind: types.is_string(kind) or types.is_large_string(kind))
              for name in ["trace_id", *_TEXTS[table].split()]]
    wanted += [(name, "an integer", types.is_integer) for name in _INTEGERS[table].split()]
    if table == "histograms":
        wanted += [(name, "a list of integers", lambda kind: types.is_list(kind) and types.is_integer(kind.value_type))
                   for name in ("buckets", "counts")]
    if table == "sessions":
        wanted.append(("complete", "true or false", types.is_boolean))
    for name, expected, fits in wanted:
        name = name.rstrip("!")
        kind = found.get(name)
        if kind is None or not fits(kind):
            raise Failure("KF0200", f"{folder / path}: {name}: expected {expected}, found "
                                    f"{'no such column' if kind is None else safe(str(kind))[:100]}")


def _check_rows(connection: duckdb.DuckDBPyConnection, folder: pathlib.Path, table: str, paths: list[str]) -> None:
    """Values that no keyflight writes."""
    never = [name[:-1] for name in f"{_TEXTS[table]} {_INTEGERS[table]}".split() if name.endswith("!")]
    rules = [(name, "a value", f"{name} IS NOT NULL") for name in never]
    if table == "sessions":
        rules.append(("sample_id", "0 to 99", "sample_id IS NULL OR sample_id BETWEEN 0 AND 99"))
    if table == "histograms":
        rules += [
            ("counts", "as many as buckets, none below 0", "len(buckets) IS NOT DISTINCT FROM len(counts)"
             " AND list_count(counts) = len(counts) AND coalesce(list_min(counts) >= 0, true)"),
            ("buckets", f"codes from 0 to {_LAST_BUCKET}", "list_count(buckets) = len(buckets)"
             f" AND coalesce(list_min(buckets) >= 0 AND list_max(buckets) <= {_LAST_BUCKET}, true)"),
            ("n, sum_ns, max_ns", "no number below 0",
             "n >= 0 AND coalesce(sum_ns, 0) >= 0 AND coalesce(max_ns, 0) >= 0 AND (sum_ns IS NULL) = (max_ns IS NULL)"),
        ]
    places = ", ".join(f"min(file) FILTER (NOT coalesce({rule}, false))" for _, _, rule in rules)
    found = connection.execute(f"""SELECT {places} FROM read_parquet([{_listed(paths)}], filename = 'file',
        hive_partitioning = false)""").fetchone()
    for path, (name, expected, _) in zip(found or (), rules):
        if path is not None:
            raise Failure("KF0200", f"{folder / str(path)}: {name}: expected {expected}, found another value")


def _check_sessions(connection: duckdb.DuckDBPyConnection, folder: pathlib.Path, paths: list[str]) -> None:
    """A batch whose other tables have rows has its sessions, unless an ingest has not finished it."""
    unfinished = {batch(path) for path in pathlib.Path("staging").glob("part-*.parquet")}
    # What an ingest has moved there since the paths were listed.
    unfinished |= {batch(path) for path in pathlib.Path("table=sessions").glob("**/part-*.parquet")
                   if str(path) not in paths}
    for table in TABLES[1:]:
        for number, traces in connection.execute(f"""SELECT t.batch, count(DISTINCT t.trace_id) FROM stored_{table} t
                ANTI JOIN stored_sessions s ON s.trace_id = t.trace_id AND s.batch >= t.batch
                GROUP BY 1 ORDER BY 1""").fetchall():
            if number not in unfinished:
                raise Failure("KF0400", f"{folder}: table=sessions: expected the sessions of batch {number}, of which "
                                        f"table={table} has {traces}, found none; ingest their traces again")


def _check_batches(folder: pathlib.Path, committed: int, found: set[int]) -> None:
    """Batches of which some file is there, up to the last one that was committed."""
    last = max(committed, *found)
    lost = last - len(found - {0})
    if lost > 0:
        first = next(number for number in itertools.count(1) if number not in found)
        more = f" and of {lost - 1} more" if lost > 1 else ""
        raise Failure("KF0400", f"{folder}: expected files of the batches 1 to {last}, found none of batch {first}"
                                f"{more}; put them back, or ingest every trace into a new lake")


def damaged_file() -> str | None:
    """The first Parquet file of the lake in the working folder that cannot be read: not each of DuckDB's errors has the
    name of a file."""
    connection = database()
    for path in sorted(str(path) for table in TABLES for path in pathlib.Path(f"table={table}").glob("**/*.parquet")):
        try:
            connection.execute(f"SELECT max(hash(t)) FROM read_parquet([{_listed([path])}]) t")
        except duckdb.Error:
            return path
    return None


def check_schema(folder: pathlib.Path) -> int:
    """Returns the number of the last batch that was committed; 0 where none is recorded."""
    try:
        with open(folder / MARKER, "rb") as file:
            content = json.loads(file.read(_MARKER_LIMIT))
        found, last = content["schema"], content.get("batches", 0)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        found, last = None, 0
    if not isinstance(found, str):
        raise Failure("KF0200", f"{folder / MARKER}: expected a schema, found another content")
    if found != SCHEMA:
        raise Failure("KF0400", f"{folder}: schema: expected {SCHEMA}, found {safe(found)[:100]}")
    if type(last) is not int or last < 0:
        raise Failure("KF0200", f"{folder / MARKER}: batches: expected a number from 0, found another content")
    return last


def _write_marker(folder: pathlib.Path, last: int) -> None:
    write_private(folder / MARKER, (json.dumps({"schema": SCHEMA, "batches": last}) + "\n").encode())


def database(threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """A database in memory that loads nothing from anywhere, and spills into no folder."""
    connection = duckdb.connect(config={
        "autoinstall_known_extensions": False, "autoload_known_extensions": False, "temp_directory": "",
        "python_enable_replacements": False})
    # It would be on standard output.
    connection.execute("SET enable_progress_bar = false")
    if threads is not None:
        connection.execute(f"SET threads = {threads}")
    return connection


def create(folder: pathlib.Path, program: str) -> None:
    """Makes an empty lake of a folder, if it is none."""
    if (folder / MARKER).is_file():
        # Of an ingest that was killed between its last batch and the marker.
        if check_schema(folder) < (last := last_batch(folder)):
            _write_marker(folder, last)
        return
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
    _write_marker(folder, 0)


def write_private(path: pathlib.Path, content: bytes) -> None:
    """Writes a file of its own beside the path, through no link, and renames it."""
    temporary = path.with_name(path.name + ".new")
    temporary.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with open(os.open(temporary, flags, 0o600), "wb") as file:
        file.write(content)
    temporary.rename(path)


def refuse_links(folder: pathlib.Path) -> None:
    """An ingest writes below its own folder: no part of a lake is a link, and no stranger can put one there.

    - Raises: a Failure that names the link.
    """
    mode = folder.stat().st_mode
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise Failure("KF0502", f"{folder}: expected a folder that not everybody writes to, found mode "
                                f"{stat.S_IMODE(mode):o}; chmod o-w it")

    def fail(error: OSError) -> None:
        raise error
    for place, folders, files in os.walk(folder, onerror=fail):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            if os.path.islink(path):
                raise Failure("KF0502", f"{safe(path)}: expected a file or folder of the lake, found a link; remove it")


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
    try:
        lock = os.open(folder / "lock", os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as error:
        raise Failure("KF0502", f"{folder / 'lock'}: expected a file of the lake: {error.strerror}") from None
    with open(lock, "wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure("KF0502", f"{folder}: expected to be alone, found another ingest at work") from None
        refuse_links(folder)
        yield


def batch(path: pathlib.Path) -> int:
    match = _PART.fullmatch(path.name)
    return int(match[1]) if match else 0


def last_batch(folder: pathlib.Path) -> int:
    """Its number is not given again, also where its files are lost."""
    found = (batch(path) for path in (folder / "table=sessions").glob("date=*/part-*.parquet"))
    return max(check_schema(folder), *found)


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
    _write_marker(folder, last_batch(folder))
