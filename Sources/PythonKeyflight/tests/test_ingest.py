"""Lakes of real traces. KEYFLIGHT names the program, KEYFLIGHT_TRACES a folder that FleetTraces --bad made."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from typing import Any
from unittest import mock

import keyflight
from keyflight.export import Options
from keyflight.fleet import actions, ingest, lake, page
from keyflight.fleet.failure import Failure

PROGRAM = os.environ["KEYFLIGHT"]
FOLDER = pathlib.Path(os.environ["KEYFLIGHT_TRACES"]).absolute()
BAD = {"damaged": 2, "duplicate": 1, "empty": 1, "foreign": 1, "unmasked": 1}


def quiet(_: str) -> None:
    """No progress is shown."""


class LakeTests(unittest.TestCase):
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

    def test_each_input_is_a_row_with_its_reason(self) -> None:
        count = len(list(FOLDER.glob("*.keyflight")))
        self.assertEqual(self.result.inputs, count)
        self.assertEqual({**self.result.statuses, "ok": 0}, {**BAD, "ok": 0})
        self.assertEqual(self.result.statuses["ok"], count - sum(BAD.values()))
        rows = lake.connect(self.whole).execute("SELECT status, reason, error_id FROM sessions").fetchall()
        self.assertEqual(len(rows), count)
        for status, reason, identifier in rows:
            self.assertEqual((reason is None, identifier is None), (status == "ok", status == "ok"))

    def test_a_second_ingest_changes_nothing(self) -> None:
        before = self.files(self.whole)
        again = ingest.ingest(FOLDER, self.whole, Options(PROGRAM), quiet)
        self.assertEqual((again.new, again.known, again.batches), (0, self.result.inputs, 0))
        self.assertEqual(self.files(self.whole), before)

    def test_an_ingest_that_stops_anywhere_is_finished_by_the_next(self) -> None:
        wanted = self.rows(self.whole)
        rename = pathlib.Path.rename
        stops = 0
        for place in range(40):
            calls = 0

            def stopping(path: pathlib.Path, target: Any) -> pathlib.Path:
                nonlocal calls
                calls += 1
                if calls > place:
                    raise KeyboardInterrupt
                return rename(path, target)

            folder = self.root / "killed"
            with mock.patch.object(pathlib.Path, "rename", stopping):
                try:
                    ingest.ingest(FOLDER, folder, self.options, quiet)
                    done = True
                except KeyboardInterrupt:
                    done = False
                    stops += 1
            if (folder / lake.MARKER).exists():
                # A lake is whole at any time: all of a batch is there, or nothing.
                self.assertIn(len(self.rows(folder)["sessions"]), (0, len(wanted["sessions"])))
            ingest.ingest(FOLDER, folder, self.options, quiet)
            self.assertEqual(self.rows(folder), wanted)
            self.assertFalse((folder / "staging").exists())
            shutil.rmtree(folder)
            if done:
                break
        self.assertGreater(stops, 4)

    def test_a_lake_grows_by_what_is_new(self) -> None:
        part, folder = self.root / "part", self.root / "grown"
        part.mkdir()
        paths = sorted(FOLDER.glob("*.keyflight"))
        for path in paths[:30]:
            shutil.copy(path, part)
        ingest.ingest(part, folder, self.options, quiet)
        with mock.patch.object(ingest, "BATCH", 50):
            rest = ingest.ingest(FOLDER, folder, self.options, quiet)
        self.assertEqual(rest.known, 30 + 1)  # a copy of what an earlier batch has
        self.assertGreater(rest.batches, 1)
        grown, whole = self.rows(folder), self.rows(self.whole)
        self.assertEqual({table: grown[table] for table in ("histograms", "chords")},
                         {table: whole[table] for table in ("histograms", "chords")})

    def test_another_version_of_keyflight_reads_all_again_and_nothing_counts_twice(self) -> None:
        folder = self.root / "newer"
        shutil.copytree(self.whole, folder)
        with mock.patch.object(ingest, "version", lambda _: "999"):
            self.assertEqual(ingest.ingest(FOLDER, folder, self.options, quiet).known, 0)
        self.assertEqual(lake.last_batch(folder), 2)
        self.assertEqual(self.rows(folder), self.rows(self.whole))

    def test_another_key_and_other_ids_are_refused(self) -> None:
        other = self.root / "other"
        other.write_text("abcdef0123456789abcdef0123456789")
        for options in (Options(PROGRAM, None, str(other)), Options(PROGRAM, str(other), None)):
            with self.assertRaises(Failure) as caught:
                ingest.ingest(FOLDER, self.whole, options, quiet)
            self.assertEqual(caught.exception.status, 4)

    def test_a_lost_key_is_not_replaced(self) -> None:
        folder = self.root / "keyed"
        part = self.root / "some"
        part.mkdir()
        shutil.copy(next(FOLDER.glob("session-*.keyflight")), part)
        ingest.ingest(part, folder, self.options, quiet)
        (folder / "pseudonym.key").unlink()
        with self.assertRaises(Failure) as caught:
            ingest.ingest(FOLDER, folder, self.options, quiet)
        self.assertEqual(caught.exception.status, 4)
        self.assertFalse((folder / "pseudonym.key").exists())

    def test_a_long_version_is_a_version_like_others(self) -> None:
        samples = pathlib.Path(__file__).parents[3] / "Traces" / "golden" / "pdf-viewer"
        part, folder = self.root / "versions", self.root / "versioned"
        part.mkdir()
        versions = ["/" * 80, "版" * 27, "a" * 256, "4.1"]
        for number, version in enumerate(versions):
            subprocess.run([PROGRAM, "replay", samples / "input.keys", "--scene", samples / "scene.yaml", "-o",
                            part / f"{number}.keyflight", "--fact", f"service.version={version}"],
                           check=True, capture_output=True)
        self.assertEqual(ingest.ingest(part, folder, self.options, quiet).statuses["ok"], len(versions))
        found = lake.connect(folder).execute("""SELECT DISTINCT service_version FROM sessions
            JOIN histograms USING (trace_id)""").fetchall()
        self.assertEqual(sorted(version for version, in found), sorted(versions))

    def test_a_damaged_description_and_another_schema_are_refused(self) -> None:
        folder = self.root / "described"
        (self.root / "nothing").mkdir()
        ingest.ingest(self.root / "nothing", folder, self.options, quiet)
        for content, status in ((b"", 2), (b"[1]", 2), (b"\xff\xfe{}", 2), (b'{"schema": "keyflight.fleet/2"}', 4)):
            (folder / lake.MARKER).write_bytes(content)
            self.assertEqual(self.run_action("compare", str(folder), "4.1", "4.2")[0], status, content)
            with self.assertRaises(Failure) as caught:
                ingest.ingest(FOLDER, folder, self.options, quiet)
            self.assertEqual(caught.exception.status, status, content)

    def test_a_short_key_is_refused_before_it_is_kept(self) -> None:
        short, folder = self.root / "short", self.root / "keyless"
        short.write_text("secret\n")
        with self.assertRaises(Failure) as caught:
            ingest.ingest(FOLDER, folder, Options(PROGRAM, None, str(short)), quiet)
        self.assertEqual(caught.exception.status, 64)
        self.assertFalse((folder / "pseudonym.key").exists())

    def test_one_ingest_at_a_time_and_no_folder_of_somebody_elses(self) -> None:
        with lake.locked(self.whole), self.assertRaises(Failure) as caught:
            ingest.ingest(FOLDER, self.whole, self.options, quiet)
        self.assertEqual(caught.exception.status, 5)
        with self.assertRaises(Failure) as refused:
            ingest.ingest(FOLDER, FOLDER, self.options, quiet)
        self.assertEqual(refused.exception.status, 64)
        (FOLDER / "lock").unlink()
        self.assertEqual(self.run_action("compare", str(FOLDER), "4.1", "4.2")[0], 2)

    def test_a_file_that_cannot_be_read_is_tried_again(self) -> None:
        part = self.root / "unreadable"
        part.mkdir()
        (part / "gone.keyflight").symlink_to("/nowhere/at/all")
        pathlib.Path(os.fsdecode(os.fsencode(part) + b"/\xff\xfe.keyflight")).write_bytes(b"")
        folder = self.root / "tried"
        for _ in range(2):
            found = ingest.ingest(part, folder, self.options, quiet)
            self.assertEqual((found.inputs, found.unreadable, found.new, found.bad), (2, 2, 0, 2))

    def test_nothing_that_is_private_is_in_a_lake_or_a_page(self) -> None:
        connection = lake.connect(self.whole)
        self.assertEqual(connection.execute(
            "SELECT count(*) FROM (DESCRIBE sessions) WHERE column_name = 'session_key'").fetchone(), (0,))
        texts = [path.read_bytes() for path in self.whole.rglob("*.parquet")]
        texts.append("\n".join(line for rows in self.rows(self.whole).values() for line in rows).encode())
        texts.append(page.body(lake.connect(self.whole), None).encode())
        for content in texts:
            for word in (b"session-", b"installation-", b".keyflight", str(FOLDER).encode(), b"no trace at all"):
                self.assertNotIn(word, content)

    def test_the_page_loads_nothing_and_escapes_what_it_shows(self) -> None:
        status, body, _ = self.run_action("report", str(self.whole))
        self.assertEqual(status, 0)
        self.assertIsNone(re.search(r"<script|src=|href=\"[^#]|url\(|https?:", body))
        for title in ("Sessions", "Comparison", "Percentiles", "Chords"):
            self.assertIn(f"<h2>{title}</h2>", body)
        folder = self.root / "hostile"
        shutil.copytree(self.whole, folder)
        with mock.patch.object(page, "query", lambda _: "SELECT 'ok', '<b>&', 1, 2, 3"):
            table = page._figure(page._coverage(lake.connect(folder)))
        self.assertIn("&lt;b&gt;&amp;", table)

    def test_versions_that_are_not_there_are_named(self) -> None:
        status, output, notes = self.run_action("compare", str(self.whole), "4.1", "9.9")
        self.assertEqual((status, output), (4, ""))
        self.assertIn("found none; there are 4.1, 4.2 [KF0405]", notes)
        status, _, _ = self.run_action("compare", str(self.whole), "4.1", "4.2", "--within", "profile")
        self.assertIn(status, (0, 1))

    def test_json_has_what_text_has(self) -> None:
        words = ("compare", str(self.whole), "4.1", "4.2", "--within", "none", "--format", "json")
        status, output, _ = self.run_action(*words)
        value = json.loads(output)
        self.assertEqual(value["schema"], "keyflight.fleet.compare/1")
        self.assertEqual(status, 1 if any(cell["changed"] for cell in value["cells"]) else 0)
        self.assertEqual(value["tests"], len(value["cells"]))
        self.assertTrue(all(cell["p99_ns"][0] is not None for cell in value["cells"] if cell["metric"]))

    def test_missing_modules_are_named(self) -> None:
        path = pathlib.Path(actions.__file__).with_name("__main__.py")
        # Without the site, Python has the packages of its own library alone.
        run = subprocess.run([sys.executable, "-S", path, "compare"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (69, "", "missing: duckdb\n"))


if __name__ == "__main__":
    unittest.main()
