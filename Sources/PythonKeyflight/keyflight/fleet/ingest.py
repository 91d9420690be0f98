"""Adds the traces of a folder to a lake: only those that it does not have, each once."""

from __future__ import annotations

import datetime
import hashlib
import os
import pathlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import duckdb

from keyflight.export import ExportError, Options, read, version
from keyflight.fleet import lake
from keyflight.fleet.failure import Failure

# An ingest of any number of traces takes the memory of so many, about 400 MiB.
BATCH = 5_000


@dataclass
class Ingested:
    """The counts of an ingest, by the outcome of its inputs."""

    inputs: int = 0
    known: int = 0
    # Which cannot be opened; a later ingest tries again.
    unreadable: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    # Of those that are not ok: path and reason.
    reasons: list[tuple[str, str]] = field(default_factory=list)
    # Files that may be traces by other names, and links to folders.
    passed_over: list[str] = field(default_factory=list)
    removed: int = 0
    batches: int = 0
    hides_ids: bool = False

    @property
    def new(self) -> int:
        return sum(self.statuses.values())

    @property
    def bad(self) -> int:
        return self.unreadable + self.new - self.statuses["ok"]

    @property
    def misnamed(self) -> bool:
        """Something was passed over that is named much like a trace."""
        return any(".keyflight" in os.path.basename(path).lower() for path in self.passed_over)


def ingest(source: pathlib.Path, folder: pathlib.Path, options: Options, progress: Callable[[str], None]) -> Ingested:
    with lake.locked(folder):
        lake.create(folder, options.program)
        result = Ingested(removed=lake.remove_unfinished(folder))
        options = _kept_options(folder, options)
        paths = sorted(traces(source, result.passed_over))
        result.inputs = len(paths)
        progress(f"looking at {len(paths)} files")
        hashes = _hashes(paths, result)
        release = version(options.program)
        known = _known(folder, release)
        new = [path for path in paths if path in hashes and hashes[path] not in known]
        result.known = len(hashes) - len(new)
        for start in range(0, len(new), BATCH):
            part = new[start:start + BATCH]
            progress(f"reading {start + len(part)} of {len(new)} traces")
            # A copy in a later batch is one that is known by then.
            part = [path for path in part if hashes[path] not in known]
            result.known += len(new[start:start + BATCH]) - len(part)
            known.update(hashes[path] for path in part)
            if part:
                _batch(folder, part, options, result)
    return result


def traces(folder: pathlib.Path, passed_over: list[str]) -> Iterator[str]:
    """The files and folders below a folder that are named like traces. Links to folders are not followed. What may be
    meant and is not read, such as a.keyflight.gz, is added to passed_over."""
    def fail(error: OSError) -> None:
        raise Failure("KF0201", f"{error.filename}: {error.strerror}") from error
    for place, folders, names in os.walk(folder, onerror=fail):
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        others = [name for name in names if ".keyflight" in name.lower() and not name.endswith(".keyflight")]
        passed_over += [os.path.join(place, name) for name in sorted(links) + sorted(others)]
        own = (name for name in folders if name not in links)
        yield from (os.path.join(place, name) for name in (*names, *own) if name.endswith(".keyflight"))


def _hashes(paths: list[str], result: Ingested) -> dict[str, str]:
    def digest(path: str) -> str | OSError:
        try:
            if not _is_text(path):
                return OSError(0, "expected a name in UTF-8")
            if not os.path.isfile(path):
                return OSError(0, "expected a regular file")
            with open(path, "rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            return error
    hashes = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, found in zip(paths, pool.map(digest, paths)):
            if isinstance(found, str):
                hashes[path] = found
            else:
                result.unreadable += 1
                result.reasons.append((path, found.strerror or str(found)))
    return hashes


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _known(folder: pathlib.Path, release: str) -> set[str]:
    path = str(folder / "table=sessions").replace("'", "''")
    # Names of folders between the quotes are patterns: ours have none, the user's may.
    for sign in "[*?":
        path = path.replace(sign, f"[{sign}]")
    rows = lake.database().execute(
        f"SELECT DISTINCT trace_id FROM read_parquet('{path}/*/*.parquet') WHERE keyflight_version = ?", [release])
    return {trace for trace, in rows.fetchall()}


def _kept_options(folder: pathlib.Path, options: Options) -> Options:
    """The key of the pseudonyms and the allowed ids are those of the first ingest: rows of others would not fit."""
    key, ids = folder / "pseudonym.key", folder / "allow-ids"
    for kept, given, name in ((key, options.pseudonym_key, "--pseudonym-key"), (ids, options.allow_ids, "--allow-ids")):
        content = pathlib.Path(given).read_bytes() if given is not None else None
        if kept == key and content is not None and not 32 <= len(content.rstrip(b"\r\n")) <= 4096:
            raise Failure("KF6400", f"{name}: expected a file of 32 to 4096 bytes, found {len(content)}")
        if not kept.exists():
            is_first = lake.last_batch(folder) == 0
            if not is_first and content is not None and kept == ids:
                raise Failure("KF0400", f"{name}: the lake was begun without it; begin another one")
            if not is_first and kept == key:
                raise Failure("KF0400", f"{key}: expected the key that the lake was begun with, found none; "
                                        "without it an installation would be two")
            if content is None and kept == key:
                content = secrets.token_hex(32).encode()
            if content is not None:
                lake.write_private(kept, content)
        elif content is not None and content != kept.read_bytes():
            raise Failure("KF0400", f"{name}: expected the file that the lake was begun with, found another content")
    return Options(options.program, str(ids) if ids.exists() else None, str(key))


def _batch(folder: pathlib.Path, paths: list[str], options: Options, result: Ingested) -> None:
    number = lake.last_batch(folder) + 1
    staging = folder / "staging"
    staging.mkdir(mode=0o700)
    connection = lake.database()
    # Rows go past the sessions, which are held, and on to the files; else all of a batch would be held.
    connection.execute("SET disabled_optimizers = 'join_order,build_side_probe_side'")
    connection.execute("SET partitioned_write_flush_threshold = 8192")
    try:
        with read(paths, "sessions", options) as reader:
            connection.register("rows", reader.record_batch_reader())
            connection.execute("CREATE TEMP TABLE staged AS FROM rows")
            connection.unregister("rows")
        lake.copy(connection, f"SELECT {lake.columns('sessions')}, {number}::BIGINT AS batch FROM staged",
                  staging / f"part-{number:06}.parquet")
        for table in lake.TABLES[1:]:
            with read(paths, table, options) as reader:
                connection.register("rows", reader.record_batch_reader())
                lake.copy(connection, f"""SELECT t.*, {number}::BIGINT AS batch,
                    {lake.partition("s.service_version")} AS service_version FROM rows t
                    JOIN (SELECT trace_id, service_version FROM staged WHERE status = 'ok') s USING (trace_id)""",
                          staging / table,
                          f", PARTITION_BY (service_version), FILENAME_PATTERN 'part-{number:06}-{{i}}'")
                connection.unregister("rows")
    except ExportError as error:
        raise Failure("KF0503", str(error)) from error
    lake.publish(folder, datetime.datetime.now(datetime.UTC).date().isoformat())
    result.batches += 1
    for place, status, reason in connection.execute("SELECT input, status, reason FROM staged").fetchall():
        result.statuses[status] += 1
        if status != "ok":
            result.reasons.append((paths[place - 1], reason))
    result.hides_ids = result.hides_ids or options.allow_ids is None

