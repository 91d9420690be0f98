"""Runs keyflight export and reads the Arrow stream that it writes."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType

import pyarrow

TABLES = ("sessions", "histograms", "chords", "findings")


class ExportError(RuntimeError):
    """keyflight export ended with a status other than 0, and 2, which means that some inputs are bad."""

    def __init__(self, status: int, notes: str) -> None:
        super().__init__(f"keyflight export: status {status}: {notes.strip() or 'nothing printed'}")
        self.status = status


@dataclass(frozen=True)
class Options:
    """Options for reading the traces. Without allow_ids every responder and action is (other)."""

    program: str = "keyflight"
    allow_ids: str | None = None
    pseudonym_key: str | None = None

    def arguments(self) -> list[str]:
        pairs = (("--allow-ids", self.allow_ids), ("--pseudonym-key", self.pseudonym_key))
        return [word for name, value in pairs if value is not None for word in (name, value)]


class TableReader:
    """One table as record batches, in the order of the inputs. Close it, or use it in a with statement."""

    def __init__(self, paths: Iterable[str | os.PathLike[str]], table: str, options: Options) -> None:
        if table not in TABLES:
            raise ValueError(f"table: expected one of {', '.join(TABLES)}, found {table}")
        # Standard input may belong to the caller, and a pipe could fill up: names and notes are files without a name.
        self._names = tempfile.TemporaryFile()
        self._notes = tempfile.TemporaryFile()
        self._names.write(b"".join(os.fsencode(path) + b"\0" for path in paths))
        self._names.seek(0)
        command = [options.program, "export", "--files-from", "-", "--null", "--table", table, "--format", "arrow",
                   "-o", "-", "--no-progress", *options.arguments()]
        self._process = subprocess.Popen(command, stdin=self._names, stdout=subprocess.PIPE, stderr=self._notes)
        try:
            self.reader = pyarrow.ipc.open_stream(self._process.stdout)
        except pyarrow.ArrowInvalid as error:
            raise self._failure() from error

    @property
    def schema(self) -> pyarrow.Schema:
        return self.reader.schema

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        try:
            yield from self.reader
        except pyarrow.ArrowInvalid as error:
            raise self._failure() from error
        if self._process.wait() not in (0, 2):
            raise self._failure()

    def record_batch_reader(self) -> pyarrow.RecordBatchReader:
        """The same for DuckDB, polars and pandas, which take a RecordBatchReader."""
        return pyarrow.RecordBatchReader.from_batches(self.schema, iter(self))

    def read_all(self) -> pyarrow.Table:
        return pyarrow.Table.from_batches(list(self), self.schema)

    def close(self) -> None:
        """Ends the program if not all was read."""
        if self._process.poll() is None:
            self._process.terminate()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait()
        self._names.close()
        self._notes.close()

    def __enter__(self) -> TableReader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def _failure(self) -> ExportError:
        status = self._process.wait()
        self._notes.seek(0)
        failure = ExportError(status, self._notes.read().decode(errors="replace"))
        self.close()
        return failure


def version(program: str) -> str:
    """The version of the program, as keyflight_version has it."""
    run = subprocess.run([program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 0:
        raise ExportError(run.returncode, run.stderr)
    return run.stdout.splitlines()[0]


def read(paths: Iterable[str | os.PathLike[str]], table: str, options: Options = Options()) -> TableReader:
    """One table of many traces. Bad inputs are rows of sessions whose status is not ok."""
    return TableReader(paths, table, options)
