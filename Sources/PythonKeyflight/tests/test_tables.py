"""Tables of real traces through the package. KEYFLIGHT names the program, KEYFLIGHT_TRACES a folder of FleetTraces."""

from __future__ import annotations

import os
import pathlib
import tempfile
import unittest
from typing import Any

import keyflight

PROGRAM = os.environ["KEYFLIGHT"]
FOLDER = pathlib.Path(os.environ["KEYFLIGHT_TRACES"])
TABLES = ("sessions", "histograms", "chords", "findings")


class TableTests(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]
    options: keyflight.Options
    paths: list[pathlib.Path]
    duckdb: dict[str, list[Any]]

    @classmethod
    def setUpClass(cls) -> None:
        import duckdb
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        ids, key = pathlib.Path(cls.folder.name, "ids"), pathlib.Path(cls.folder.name, "key")
        ids.write_text("*\n")
        key.write_text("0123456789abcdef0123456789abcdef")
        cls.options = keyflight.Options(PROGRAM, str(ids), str(key))
        cls.paths = sorted(FOLDER.glob("*.keyflight"))
        connection = duckdb.connect()
        for table in TABLES:
            with keyflight.read(cls.paths, table, cls.options) as reader:
                connection.register("batches", reader.record_batch_reader())
                connection.execute(f"CREATE TABLE {table} AS SELECT * FROM batches")
                connection.unregister("batches")
        keyflight.register_duckdb(connection)
        cls.duckdb = {name: connection.execute(keyflight.query(name)).fetchall() for name in keyflight.QUERIES}

    def test_each_input_is_a_row(self) -> None:
        with keyflight.read(self.paths, "sessions", self.options) as reader:
            rows = reader.read_all()
        self.assertEqual(rows.num_rows, len(self.paths))
        self.assertEqual(sum(row[2] for row in self.duckdb["coverage"] if row[0] == "ok"),
                         rows["status"].to_pylist().count("ok"))

    def test_no_query_is_empty(self) -> None:
        for name, rows in self.duckdb.items():
            self.assertTrue(rows, name)

    def test_quantiles_are_ordered(self) -> None:
        for row in self.duckdb["quantiles"]:
            known = [value for value in row[7:] if value is not None]
            self.assertEqual(known, sorted(known), row)

    def test_without_a_key_no_cell_is_shown(self) -> None:
        import duckdb
        connection = duckdb.connect()
        options = keyflight.Options(PROGRAM)
        for table in TABLES:
            with keyflight.read(self.paths, table, options) as reader:
                rows = reader.read_all()
            connection.register("batches", rows)
            connection.execute(f"CREATE TABLE {table} AS SELECT * FROM batches")
        keyflight.register_duckdb(connection)
        for name in set(keyflight.QUERIES) - {"coverage"}:
            self.assertEqual(connection.execute(keyflight.query(name)).fetchall(), [], name)

    def test_partitions_for_spark_keep_files_of_one_size_together(self) -> None:
        from keyflight.spark import parts
        files = [(900, "a"), (30, "b"), (30, "c"), (31, "d"), (400, "e"), (400, "f"), (0, "g"), (0, "h")]
        found = parts(files, 2)
        self.assertEqual(sorted(path for part in found for path in part), sorted("abcdefgh"))
        for pair in ("bc", "ef", "gh"):
            self.assertTrue(any(set(pair) <= set(part) for part in found), pair)
        self.assertEqual(found[0][0], "a")
        weights = [sum(size for size, path in files if path in part) for part in found]
        self.assertLess(max(weights), 1.2 * min(weights))
        self.assertEqual(parts([], 4), [])

    def test_a_failed_run_is_an_error_with_its_status(self) -> None:
        with self.assertRaises(keyflight.ExportError) as caught:
            keyflight.read(self.paths, "sessions", keyflight.Options(PROGRAM, allow_ids="/nowhere/ids"))
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaises(ValueError):
            keyflight.read(self.paths, "bogus", self.options)


if __name__ == "__main__":
    unittest.main()
