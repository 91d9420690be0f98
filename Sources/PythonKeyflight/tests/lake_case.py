"""Lakes of real traces. KEYFLIGHT names the program, KEYFLIGHT_TRACES a folder that FleetTraces --bad made."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import pathlib
import shutil
import tempfile
import unittest
from typing import Any

import pyarrow.parquet

from keyflight.export import Options
from keyflight.fleet import actions, ingest, lake

PROGRAM = os.environ["KEYFLIGHT"]
FOLDER = pathlib.Path(os.environ["KEYFLIGHT_TRACES"]).absolute()


def quiet(_: str) -> None:
    """No progress is shown."""


class LakeCase(unittest.TestCase):
    options: Options
    result: ingest.Ingested
    root: pathlib.Path
    whole: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.addClassCleanup(os.chdir, os.getcwd())
        cls.root = pathlib.Path(folder.name)
        (cls.root / "ids").write_text("*\n")
        (cls.root / "key").write_text("0123456789abcdef0123456789abcdef")
        cls.options = Options(PROGRAM, str(cls.root / "ids"), str(cls.root / "key"))
        cls.whole = cls.root / "whole [1] 'lake'"
        cls.result = ingest.ingest(FOLDER, cls.whole, cls.options, quiet)

    def files(self, folder: pathlib.Path) -> dict[str, str]:
        return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(folder.rglob("*")) if path.is_file()}

    def rows(self, folder: pathlib.Path) -> dict[str, list[Any]]:
        """The rows of a lake's views, in an order of its own."""
        connection = lake.connect(folder)
        found = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in lake.TABLES[1:]}
        found["sessions"] = connection.execute("SELECT * EXCLUDE (batch, date, input) FROM sessions").fetchall()
        return {table: sorted(map(repr, rows)) for table, rows in found.items()}

    def run_action(self, *words: str) -> tuple[int, str, str]:
        output, notes = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(notes):
            status = actions.run(list(words))
        return status, output.getvalue(), notes.getvalue()

    def compared(self, name: str, histograms: str, sessions: str = "FROM s", by: str = "service_version",
                 versions: tuple[str, str] = ("4.1", "4.2"), within: str = "none",
                 more: str = "") -> tuple[int, dict[str, Any]]:
        """compare of a copy of the lake whose histograms are those of the SQL over h, with the version and sample of
        each, and whose sessions are those over s; both have the place of each session among those of its version. more:
        another table for both."""
        folder = self.root / name
        shutil.copytree(self.whole, folder)
        tables = f"""WITH s AS (SELECT *, row_number() OVER (
            PARTITION BY status, service_version ORDER BY trace_id) AS place FROM sessions), h AS (
            SELECT h.*, service_version AS version, sample_id AS sample, place, batch
            FROM histograms h JOIN s USING (trace_id) WHERE status = 'ok'){", " + more if more else ""}"""
        connection = lake.connect(self.whole)
        rows = connection.sql(f"{tables} SELECT * EXCLUDE (place, date) FROM ({sessions})").to_arrow_table()
        part, = (path for path in (folder / "table=sessions").rglob("part-000001.parquet"))
        pyarrow.parquet.write_table(rows, part)
        rows = connection.sql(f"""{tables} SELECT * EXCLUDE (version, sample, place)
            FROM ({histograms})""").to_arrow_table()
        shutil.rmtree(folder / "table=histograms")
        place = folder / "table=histograms" / "date=2026-11-23" / "service_version=any"
        place.mkdir(parents=True)
        pyarrow.parquet.write_table(rows, place / "part-000001-0.parquet")
        status, output, _ = self.run_action("compare", str(folder), *versions, "--by", by, "--within", within,
                                            "--format", "json")
        return status, json.loads(output)

    def missing(self, name: str, sessions: str, histograms: str = "SELECT * FROM h", **more: Any) -> list[str]:
        """What the status 4 of a comparison names, in JSON, in the text, in the notes and on the page."""
        status, found = self.compared(name, histograms, sessions, **more)
        self.assertEqual(status, 4)
        missing: list[str] = found["missing"]
        self.assertNotEqual(missing, [])
        status, output, notes = self.run_action("compare", str(self.root / name), "4.1", "4.2", "--within",
                                                more.get("within", "none"))
        self.assertEqual(status, 4)
        for line in missing:
            self.assertIn(f"\n{line}\n", output)
            self.assertIn(f": {line} [KF0400]\n", notes)
        return missing

    def shown(self, name: str, *words: str) -> str:
        """The result of compare of a lake that compared made."""
        return self.run_action("compare", str(self.root / name), "4.1", "4.2", "--within", "none", *words)[1]
