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

import duckdb
import pyarrow.parquet

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
        texts.append(page.body(lake.connect(self.whole), "").encode())
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

    # MARK: What a comparison compares

    def compared(self, name: str, histograms: str, sessions: str = "FROM s", by: str = "service_version",
                 versions: tuple[str, str] = ("4.1", "4.2"), within: str = "none") -> tuple[int, dict[str, Any]]:
        """compare of a copy of the lake whose histograms are those of the SQL over h, with the version of each, and
        whose sessions are those over s, which has the place of each among those of its version."""
        folder = self.root / name
        shutil.copytree(self.whole, folder)
        rows = lake.connect(self.whole).sql(f"""WITH s AS (SELECT *, row_number() OVER (
            PARTITION BY status, service_version ORDER BY trace_id) AS place FROM sessions)
            SELECT * EXCLUDE (place, date) FROM ({sessions})""").to_arrow_table()
        part, = (path for path in (folder / "table=sessions").rglob("part-000001.parquet"))
        pyarrow.parquet.write_table(rows, part)
        rows = lake.connect(self.whole).sql(f"""WITH h AS (
            SELECT h.*, s.service_version AS version FROM histograms h JOIN sessions s USING (trace_id))
            SELECT * EXCLUDE (version), 1::BIGINT AS batch FROM ({histograms})""").to_arrow_table()
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
        words = ("compare", str(self.root / name), "4.1", "4.2", "--within", more.get("within", "none"))
        status, output, notes = self.run_action(*words)
        self.assertEqual(status, 4)
        for line in missing:
            self.assertIn(f"\n{line}\n", output)
            self.assertIn(f": {line} [KF0400]\n", notes)
        return missing

    def test_a_planted_quarter_of_one_call_is_found(self) -> None:
        status, found = self.compared("planted-call", """SELECT * REPLACE (CASE WHEN version = '4.2' AND metric = 'keyCommands'
            AND responder = 'editor' THEN sum_ns * 5 // 4 ELSE sum_ns END AS sum_ns) FROM h""")
        cell = found["cells"][0]
        self.assertEqual((status, cell["responder"], cell["stage"], cell["changed"]), (1, "editor", None, True))
        self.assertAlmostEqual(cell["relative"]["change"], 0.25, delta=0.03)

    def test_a_planted_half_of_the_action_stage_is_found(self) -> None:
        status, found = self.compared("planted-stage", """SELECT * REPLACE (CASE WHEN version = '4.2'
            AND stage = 'action' THEN sum_ns * 3 // 2 ELSE sum_ns END AS sum_ns) FROM h""")
        cell = found["cells"][0]
        self.assertEqual((status, cell["stage"], cell["responder"], cell["changed"]), (1, "action", None, True))
        self.assertAlmostEqual(cell["absolute"]["change"], 0.5, delta=0.08)
        self.assertIn("total", {cell["stage"] for cell in found["cells"]})

    def test_a_call_that_only_one_version_has_is_named_and_makes_nothing_faster(self) -> None:
        _, before = self.compared("as-it-is", "SELECT * FROM h")
        status, found = self.compared("new-call", """SELECT * FROM h UNION ALL
            SELECT * REPLACE ('new' AS responder, sum_ns * 1000 AS sum_ns) FROM h
            WHERE version = '4.2' AND metric = 'keyCommands' AND responder = 'editor'""")
        self.assertEqual(status, 4)
        self.assertEqual(found["cells"], before["cells"])
        single, = found["not_compared"]
        self.assertEqual((single["metric"], single["responder"], single["version"]), ("keyCommands", "new", "4.2"))
        status, output, notes = self.run_action("compare", str(self.root / "new-call"), "4.1", "4.2",
                                                "--within", "none")
        self.assertEqual(status, 4)
        for shown in (output, notes):
            self.assertIn("not compared: new keyCommands: only 4.2 has it", shown)
        self.assertIn("not compared: new keyCommands", self.run_action("report", str(self.root / "new-call"))[1])

    def test_a_call_that_more_sessions_of_a_version_have_makes_nothing_faster(self) -> None:
        _, found = self.compared("more-often", """SELECT * FROM h UNION ALL
            SELECT * REPLACE ('new' AS responder, sum_ns * 1000 AS sum_ns) FROM h
            WHERE (version = '4.2' OR trace_id < '8') AND metric = 'keyCommands' AND responder = 'editor'""")
        self.assertIn("new", {cell["responder"] for cell in found["cells"]})
        self.assertEqual([cell for cell in found["cells"] if cell["changed"]], [])

    def test_a_device_that_only_one_version_has_is_named(self) -> None:
        missing = self.missing("devices", """SELECT * REPLACE (CASE WHEN device_model_identifier < 'iPad13'
            THEN 'of ' || service_version ELSE device_model_identifier END AS device_model_identifier) FROM s""")
        for line, version in zip(missing, ("4.1", "4.2")):
            self.assertRegex(line, f"^not compared: all calls of a session on of {version}: only {version} has it, in ")
        for line, version in zip(missing[2:], ("4.1", "4.2"), strict=True):
            self.assertRegex(line, f"sessions of {version}: [0-9]+ in no cell of 10 samples of installations")
        body = self.run_action("report", str(self.root / "devices"))[1]
        self.assertIn('<li class="bad">not compared: 101 of 101 (100.0 %) sessions of 4.1: ', body)

    def test_sessions_in_cells_of_few_samples_are_counted_and_more_than_a_few_are_status_4(self) -> None:
        rare = "SELECT * REPLACE (CASE WHEN place <= {} THEN 'rare' ELSE 'common' END AS os_version) FROM s"
        missing = self.missing("rare", rare.format(9), within="os_version")
        where = "in no cell of 10 samples of installations in both on common devices"
        self.assertEqual(missing, [
            f"not compared: 9 of 101 (8.9 %) sessions of 4.1: 9 {where}; at most 5 % may be left out",
            f"not compared: 10 of 100 (10.0 %) sessions of 4.2: 9 {where}, 1 in quarantine; "
            "at most 5 % may be left out"])
        status, found = self.compared("rarer", "SELECT * FROM h", rare.format(3), within="os_version")
        self.assertIn(status, (0, 1))
        self.assertEqual((found["missing"], [counts["in_no_cell"] for counts in found["coverage"]]), ([], [3, 3]))
        self.assertEqual([line[:14] for line in found["left_out"]],
                         ["left out: 3 of", "left out: 4 of", "left out: 4 of"])

    def test_sessions_without_an_installation_are_counted_and_more_than_a_few_are_status_4(self) -> None:
        without = """SELECT * REPLACE (CASE WHEN service_version = '4.2' AND place <= {} THEN NULL ELSE sample_id END
            AS sample_id) FROM s"""
        line, = self.missing("nameless", without.format(40))
        self.assertRegex(line, r"^not compared: 41 of 100 .* of 4\.2: 40 without app\.installation\.id, 1 in quar")
        status, found = self.compared("some-nameless", "SELECT * FROM h", without.format(3))
        self.assertIn(status, (0, 1))
        self.assertEqual((found["missing"], found["coverage"][1]["without_installation"]), ([], 3))
        status, found = self.compared("all-nameless", "SELECT * FROM h", without.format(1000))
        self.assertEqual(status, 4)
        self.assertIn("4.2: expected sessions with times and app.installation.id, found ", found["error"])
        self.assertIn(" without app.installation.id", found["error"])

    def test_repeats_ten_times_as_slow_are_found_in_their_total(self) -> None:
        status, found = self.compared("repeats", """SELECT * FROM h UNION ALL SELECT * REPLACE (
            'repeatTick' AS occasion, CASE WHEN version = '4.2' THEN sum_ns * 10 ELSE sum_ns END AS sum_ns) FROM h""")
        cell = found["cells"][0]
        self.assertEqual((status, cell["metric"], cell["stage"]), (1, "stage", "total of repeats"))
        self.assertAlmostEqual(cell["absolute"]["change"], 9, delta=1)
        self.assertNotIn(None, cell["p99_ns"])
        self.assertEqual([cell["stage"] for cell in found["cells"] if cell["changed"]], ["total of repeats"])

    def test_many_sessions_in_quarantine_are_status_4(self) -> None:
        torn = """SELECT * EXCLUDE (is_torn) REPLACE (CASE WHEN is_torn THEN 'damaged' ELSE status END AS status,
            CASE WHEN is_torn THEN {} ELSE service_version END AS service_version)
            FROM (SELECT *, service_version = '4.2' AND status = 'ok' AND place <= 28 AS is_torn FROM s)"""
        line, = self.missing("quarantine", torn.format("service_version"))
        self.assertEqual(line, "not compared: 29 of 100 (29.0 %) sessions of 4.2: 29 in quarantine; "
                         "at most 5 % may be left out")
        line, = self.missing("unknown", torn.format("NULL"))
        self.assertRegex(line, r"^not compared: 32 of 205 \(15\.6 %\) inputs .*: 29 damaged, 1 empty, 1 foreign, 1 unm")

    def test_histograms_that_the_lake_has_lost_are_status_4(self) -> None:
        lost = """SELECT * FROM h WHERE trace_id NOT IN (SELECT trace_id FROM sessions
            WHERE service_version = '4.2' AND status = 'ok' ORDER BY trace_id LIMIT {})"""
        line, = self.missing("lost-one", "FROM s", lost.format(1))
        self.assertRegex(line, r"^not compared: 2 of 100 .* of 4\.2: 1 whose histograms are missing .*, 1 in quar")
        line, = self.missing("lost-some", "FROM s", lost.format(25))
        self.assertRegex(line, r"^not compared: 26 of .*; at most 5 % may be left out$")
        status, found = self.compared("lost-all", lost.format(1000))
        self.assertEqual(status, 4)
        self.assertRegex(found["error"], r"4\.2: expected sessions with times .*: \d+ whose histograms are missing")
        body = self.run_action("report", str(self.root / "lost-all"))[1]
        self.assertIn('<p class="empty">not compared: service_version 4.2: expected sessions with times', body)

    def test_all_sessions_with_presses_are_accounted_for(self) -> None:
        _, found = self.compared("whole", "SELECT * FROM h")
        counted = lake.connect(self.whole).execute("""SELECT service_version, count(*) FROM sessions
            WHERE status = 'ok' GROUP BY 1 ORDER BY 1""").fetchall()
        self.assertEqual([(counts["version"], counts["compared"]) for counts in found["coverage"]], counted)
        for counts in found["coverage"]:
            self.assertEqual(counts["compared"] + counts["in_quarantine"], counts["sessions"])
        self.assertEqual((found["inputs"], found["unknown_version"]),
                         (205, {"damaged": 1, "empty": 1, "foreign": 1, "unmasked": 1}))

    def test_devices_are_compared_with_each_other(self) -> None:
        status, found = self.compared("by-device", "SELECT * FROM h", by="device_model_identifier",
                                      versions=("iPad14,3", "iPad11,6"))
        self.assertEqual(status, 1)
        self.assertEqual(found["cells"][0]["changed"], True)

    def test_a_version_that_is_not_there_is_named_in_json(self) -> None:
        status, output, notes = self.run_action("compare", str(self.whole), "4.1", "9.9", "--format", "json")
        self.assertEqual(status, 4)
        value = json.loads(output)
        self.assertEqual((value["schema"], value["cells"]), ("keyflight.fleet.compare/1", []))
        self.assertIn("9.9", value["error"])
        self.assertIn("9.9", notes)

    def test_too_few_samples_for_any_cell_is_status_4(self) -> None:
        with mock.patch.object(actions.comparison, "LEAST_SAMPLES", 101):
            status, output, notes = self.run_action("compare", str(self.whole), "4.1", "4.2", "--format", "json")
        self.assertEqual((status, json.loads(output)["cells"]), (4, []))
        line = json.loads(output)["missing"][0]
        self.assertRegex(line, "^not compared: 4.1 and 4.2: expected cells of 101 samples .* none; [0-9]+ are smaller")
        self.assertIn(f": {line} [KF0400]", notes)

    def test_an_ingest_of_an_empty_folder_is_status_3(self) -> None:
        empty = self.root / "empty"
        empty.mkdir()
        status, _, notes = self.run_action("ingest", f"--program={PROGRAM}", str(empty), str(self.root / "empty-lake"))
        self.assertEqual(status, 3)
        self.assertIn("expected files named *.keyflight, found none [KF0300]", notes)

    # MARK: SQL of a person

    def asked(self, sql: str) -> tuple[int, list[Any], str]:
        status, output, notes = self.run_action("query", str(self.whole), sql)
        return status, [json.loads(line) for line in output.splitlines()], notes

    def test_sql_reads_the_tables_of_a_lake(self) -> None:
        status, lines, _ = self.asked("""SELECT service_version, count(*) AS n, 2.0::DOUBLE AS x FROM sessions
            WHERE status = 'ok' GROUP BY ALL ORDER BY ALL""")
        self.assertEqual((status, lines[0]), (0, ["service_version", "n", "x"]))
        self.assertEqual([line[0] for line in lines[1:]], ["4.1", "4.2"])
        self.assertEqual(sum(line[1] for line in lines[1:]), self.result.statuses["ok"])
        self.assertEqual(lines[1][2], [2.0])
        self.assertEqual(self.asked("SELECT 1 AS one FROM chords WHERE false")[1], [["one"]])
        status, output, _ = self.run_action("query", str(self.whole))
        self.assertEqual([json.loads(line)[0] for line in output.splitlines()],
                         ["name", "sessions", "histograms", "chords", "histogram_buckets"])

    def test_sql_reads_no_other_file_and_changes_nothing(self) -> None:
        before = self.files(self.whole)
        part = next(path.relative_to(self.whole) for path in self.whole.rglob("part-000001*.parquet"))
        for sql in ("SELECT * FROM read_text('pseudonym.key')", "SELECT * FROM read_csv('/etc/passwd')",
                    "SELECT * FROM '/etc/passwd'", "SELECT * FROM glob('/etc/*')", "FROM read_blob('keyflight.lake')",
                    f"COPY sessions TO '{part}' (FORMAT parquet)", "COPY sessions TO 'x.csv'", "ATTACH 'x.db'",
                    "INSTALL httpfs", "LOAD httpfs", "SET enable_external_access = true", "CREATE TABLE t (a INT)",
                    "SELECT 1; SELECT 2", "", "SELECT nothing FROM sessions", "DROP VIEW sessions",
                    "SELECT * FROM query('DROP VIEW sessions')", "EXPORT DATABASE 'x'", "CALL checkpoint()",
                    "SELECT getenv('HOME')", "SELECT * FROM arguments", "SELECT * FROM sniff_csv('allow-ids')"):
            status, lines, notes = self.asked(sql)
            self.assertEqual((status, lines), (64, []), sql)
            self.assertTrue(notes.startswith("SQL: ") and notes.count("\n") == 1, notes)
        self.assertEqual(self.files(self.whole), before)

    # MARK: Hostile lakes

    def test_an_ingest_writes_through_no_link(self) -> None:
        victim = self.root / "victim"
        for number, name in enumerate(("lock", "keyflight.lake.new", "keyflight.lake", "table=sessions",
                                       "table=chords", "staging", "pseudonym.key", "pseudonym.key.new")):
            folder = self.root / f"linked-{number}"
            folder.mkdir()
            victim.mkdir()
            (victim / "file").write_text("theirs")
            is_folder = name.startswith("table=") or name == "staging"
            (folder / name).symlink_to(victim if is_folder else victim / "file")
            status, _, notes = self.run_action("ingest", f"--program={PROGRAM}", str(FOLDER), str(folder))
            self.assertEqual(status, 5, name)
            self.assertIn(str(folder / name), notes)
            self.assertEqual([(path.name, path.read_text()) for path in victim.iterdir()], [("file", "theirs")], name)
            shutil.rmtree(victim)

    def test_a_folder_that_everybody_writes_to_is_no_lake(self) -> None:
        folder = self.root / "open"
        folder.mkdir()
        folder.chmod(0o777)
        status, _, notes = self.run_action("ingest", f"--program={PROGRAM}", str(FOLDER), str(folder))
        self.assertEqual(status, 5)
        self.assertIn("chmod o-w", notes)

    def test_a_hostile_description_is_refused(self) -> None:
        folder = self.root / "brackets"
        shutil.copytree(self.whole, folder)
        for content in (b"[" * 100_000, b'{"schema": ' + b"[" * 100_000, b'{"schema": [1]}', b'{"schema": 1e999}'):
            (folder / lake.MARKER).write_bytes(content)
            for words in (("compare", str(folder), "4.1", "4.2"), ("report", str(folder)), ("query", str(folder))):
                status, _, notes = self.run_action(*words)
                self.assertEqual(status, 2, words)
                self.assertIn(str(folder / lake.MARKER), notes)

    def test_hostile_tables_are_refused_with_the_name_of_the_file(self) -> None:
        hostile = {
            "sessions": ("42 AS service_version", "['a'] AS service_version", "'a'::BLOB AS service_version",
                         "100::BIGINT AS sample_id", "NULL::VARCHAR AS status", "'x' AS batch", "[1] AS os_version"),
            "histograms": ("list_append(buckets, 5) AS buckets", "list_append(counts, 5) AS counts",
                           "[9223372036854775807] AS buckets, [1::BIGINT] AS counts",
                           "[NULL::BIGINT] AS buckets, [1::BIGINT] AS counts", "NULL::BIGINT[] AS buckets",
                           "[-1::BIGINT] AS counts, [1::BIGINT] AS buckets", "['a'] AS buckets",
                           "NULL::BIGINT AS max_ns", "-1::BIGINT AS sum_ns", "7 AS responder",
                           "NULL::VARCHAR AS metric"),
            "chords": ("NULL::BIGINT AS n", "[n] AS n", "3.5 AS stale", "true AS chord"),
        }
        for table, changes in hostile.items():
            part = min((self.whole / f"table={table}").rglob("part-000001*.parquet"))
            rows = pyarrow.parquet.ParquetFile(part).read()
            for number, change in enumerate(changes):
                folder = self.root / f"hostile-{table}-{number}"
                shutil.copytree(self.whole, folder)
                name = folder / part.relative_to(self.whole)
                connection = duckdb.connect()
                connection.register("part", rows)
                changed = connection.sql(f"SELECT * REPLACE ({change}) FROM part").to_arrow_table()
                pyarrow.parquet.write_table(changed, name)
                for words in (("compare", str(folder), "4.1", "4.2"), ("report", str(folder)), ("query", str(folder))):
                    status, _, notes = self.run_action(*words)
                    self.assertEqual(status, 2, (change, words, notes))
                    self.assertIn(str(name), notes)
                shutil.rmtree(folder)

    def test_a_damaged_or_missing_table_is_refused_with_its_name(self) -> None:
        folder = self.root / "torn"
        shutil.copytree(self.whole, folder)
        part = max((folder / "table=chords").rglob("*.parquet"))
        content = part.read_bytes()
        for torn in (b"", b"PAR1", content[:-5], b"\0" * len(content), content[:20] + b"\xff" * 40 + content[60:]):
            part.write_bytes(torn)
            status, _, notes = self.run_action("query", str(folder), "SELECT * FROM chords")
            self.assertEqual(status, 2, torn[:20])
            self.assertIn(part.name, notes)
        shutil.rmtree(folder / "table=chords")
        status, _, notes = self.run_action("compare", str(folder), "4.1", "4.2")
        self.assertEqual(status, 2)
        self.assertIn("table=chords", notes)

    def test_missing_modules_are_named(self) -> None:
        path = pathlib.Path(actions.__file__).with_name("__main__.py")
        # Without the site, Python has the packages of its own library alone.
        run = subprocess.run([sys.executable, "-S", path, "compare"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (69, "", "missing: duckdb\n"))


if __name__ == "__main__":
    unittest.main()
