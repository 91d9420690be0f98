"""Ingests, pages, SQL and hostile lakes, with real traces. The environment is that of lake_case."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
from typing import Any
from unittest import mock

import duckdb
import pyarrow.parquet

from keyflight.export import Options
from keyflight.fleet import actions, ingest, lake, page
from keyflight.fleet.failure import Failure
from lake_case import FOLDER, PROGRAM, LakeCase, quiet

BAD = {"damaged": 2, "duplicate": 1, "empty": 1, "foreign": 1, "unmasked": 1}


class LakeTests(LakeCase):
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

    def test_an_ingest_of_an_empty_folder_is_status_3(self) -> None:
        empty = self.root / "empty"
        empty.mkdir()
        status, _, notes = self.run_action("ingest", f"--program={PROGRAM}", str(empty), str(self.root / "empty-lake"))
        self.assertEqual(status, 3)
        self.assertIn("expected files named *.keyflight, found none [KF0300]", notes)

    def test_what_may_be_a_trace_and_is_not_read_is_named(self) -> None:
        folder = self.root / "others"
        folder.mkdir()
        for name in ("a.keyflight.gz", "b.KEYFLIGHT", "notes.txt"):
            (folder / name).write_bytes(b"")
        (folder / "days").symlink_to(FOLDER)
        words = ("ingest", f"--program={PROGRAM}", "--format=json", str(folder), str(self.root / "others-lake"))
        _, output, notes = self.run_action(*words)
        self.assertEqual(json.loads(output)["passed_over"], 3)
        self.assertEqual([line.split(": ")[0][len(str(folder)) + 1:] for line in notes.splitlines()
                          if "passed over" in line], ["days", "a.keyflight.gz", "b.KEYFLIGHT"])

    def test_what_is_named_much_like_a_trace_or_cannot_be_read_is_no_success(self) -> None:
        good = sorted(FOLDER.glob("session-*.keyflight"))[0]
        for name, status in (("a.keyflight.gz", 2), ("b.KEYFLIGHT", 2), ("notes.txt", 0), ("c.keyflight/", 2),
                             ("days", 0), ("d.keyflight@", 2)):
            folder = self.root / f"named-{name.strip('/')}"
            folder.mkdir()
            shutil.copy(good, folder / "good.keyflight")
            if name.endswith("/"):
                (folder / name).mkdir()
                shutil.copy(sorted(FOLDER.glob("session-*.keyflight"))[1], folder / name)
            elif name == "days":
                (folder / name).symlink_to(FOLDER)
            elif name.endswith("@"):
                for number in range(25):
                    (folder / f"{number}.keyflight").symlink_to("nowhere")
            else:
                (folder / name).write_bytes(b"")
            words = ("ingest", f"--program={PROGRAM}", "--format=json", str(folder), str(folder) + "-lake")
            found, output, notes = self.run_action(*words)
            self.assertEqual(found, status, (name, notes))
            self.assertEqual(json.loads(output)["statuses"]["ok"], 2 if name.endswith("/") else 1)
            if name.endswith("@"):
                self.assertEqual(sum(".keyflight: " in line for line in notes.splitlines()), 25, notes)
            elif status == 2:
                self.assertIn(f"{folder / name}: ", notes)

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

    def test_readers_refuse_pipes_and_links_in_a_lake(self) -> None:
        part = next(path.relative_to(self.whole) for path in (self.whole / "table=chords").rglob("*.parquet"))
        for number, (place, is_pipe) in enumerate(((part, True), (part, False), (part.parent, False),
                                                   (pathlib.Path("table=chords"), False),
                                                   (pathlib.Path(lake.MARKER), False))):
            folder = self.root / f"strange-{number}"
            shutil.copytree(self.whole, folder)
            (folder / place).rename(self.root / f"moved-{number}")
            if is_pipe:
                os.mkfifo(folder / place)
            else:
                (folder / place).symlink_to(self.root / f"moved-{number}")
            for words in (("compare", str(folder), "4.1", "4.2"), ("report", str(folder)), ("query", str(folder))):
                status, _, notes = self.run_action(*words)
                self.assertEqual(status, 2, (place, words, notes))
                self.assertIn(str(folder / place), notes)

    def test_a_lost_file_of_sessions_is_named_in_every_action(self) -> None:
        folder = self.root / "sessionless"
        with mock.patch.object(ingest, "BATCH", 100):
            ingest.ingest(FOLDER, folder, self.options, quiet)
        part = min((folder / "table=sessions").rglob("part-000002.parquet"))
        content = part.read_bytes()
        part.unlink()
        compare = ("compare", str(folder), "4.1", "4.2", "--format", "json")
        for words in (compare, ("report", str(folder)), ("query", str(folder))):
            status, output, notes = self.run_action(*words)
            self.assertEqual(status, 4, words)
            self.assertIn("table=sessions: expected the sessions of batch 2, of which table=histograms has ", notes)
        line, = json.loads(self.run_action(*compare)[1])["missing"]
        self.assertIn("expected the sessions of batch 2", line)
        # An ingest that was stopped has them still in its folder.
        (folder / "staging").mkdir()
        (folder / "staging" / part.name).write_bytes(content)
        self.assertNotEqual(self.run_action("query", str(folder), "SELECT 1 AS one")[0], 4)
        # Another ingest of the traces is another batch, which has their sessions.
        ingest.ingest(FOLDER, folder, self.options, quiet)
        self.assertEqual(self.rows(folder)["histograms"], self.rows(self.whole)["histograms"])

    def test_a_batch_whose_files_are_all_lost_is_named_in_every_action(self) -> None:
        batched = self.root / "batched"
        with mock.patch.object(ingest, "BATCH", 70):
            last = ingest.ingest(FOLDER, batched, self.options, quiet).batches
        self.assertGreater(last, 2)
        for lost, words in (((2,), "none of batch 2; "), ((last,), f"none of batch {last}; "),
                            ((1, 2), "none of batch 1 and of 1 more; ")):
            folder = self.root / f"batch-{lost[0]}-lost"
            shutil.copytree(batched, folder)
            for number in lost:
                for part in folder.rglob(f"part-{number:06}*.parquet"):
                    part.unlink()
            compare = ("compare", str(folder), "4.1", "4.2", "--format", "json")
            for line in (compare, ("report", str(folder)), ("query", str(folder))):
                status, _, notes = self.run_action(*line)
                self.assertEqual(status, 4, (lost, line, notes))
                self.assertIn(f"expected files of the batches 1 to {last}, found {words}", notes)
            line, = json.loads(self.run_action(*compare)[1])["missing"]
            self.assertIn(words, line)
            # What comes later does not take its number.
            ingest.ingest(FOLDER, folder, self.options, quiet)
            self.assertEqual(lake.last_batch(folder), last + 1)
            self.assertEqual(self.run_action(*compare)[0], 4)

    def test_a_lake_of_before_batches_were_counted_is_read(self) -> None:
        folder = self.root / "uncounted"
        shutil.copytree(self.whole, folder)
        (folder / lake.MARKER).write_text(json.dumps({"schema": lake.SCHEMA}))
        self.assertEqual(self.rows(folder), self.rows(self.whole))
        ingest.ingest(FOLDER, folder, self.options, quiet)
        self.assertEqual(json.loads((folder / lake.MARKER).read_text())["batches"], 1)
        for last in ("-1", "true", "1.5", '"1"', "null"):
            (folder / lake.MARKER).write_text(f'{{"schema": "{lake.SCHEMA}", "batches": {last}}}')
            self.assertEqual(self.run_action("query", str(folder), "SELECT 1 AS one")[0], 2, last)

    def test_missing_modules_are_named(self) -> None:
        path = pathlib.Path(actions.__file__).with_name("__main__.py")
        # Without the site, Python has the packages of its own library alone.
        run = subprocess.run([sys.executable, "-S", path, "compare"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (69, "", "missing: duckdb\n"))


if __name__ == "__main__":
    unittest.main()
