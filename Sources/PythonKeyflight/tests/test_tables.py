"""Tables of real traces through the package. KEYFLIGHT names the program, KEYFLIGHT_TRACES a folder of FleetTraces without duplicates."""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile
import unittest
from typing import Any

import keyflight

PROGRAM = os.environ["KEYFLIGHT"]
FOLDER = pathlib.Path(os.environ["KEYFLIGHT_TRACES"])
TABLES = ("sessions", "histograms", "chords", "findings")


class TableTests(unittest.TestCase):
    folder: tempfile.TemporaryDirectory[str]
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

    def test_spark_gives_the_same(self) -> None:
        from pyspark.sql import SparkSession
        from keyflight.spark import register
        # Workers run the same Python, which has pyarrow.
        os.environ["PYSPARK_PYTHON"] = sys.executable
        warehouse = os.path.join(self.folder.name, "warehouse")
        session = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
                   .config("spark.sql.shuffle.partitions", "2").config("spark.sql.warehouse.dir", warehouse)
                   .config("spark.local.dir", self.folder.name).getOrCreate())
        self.addCleanup(session.stop)
        register(session)
        for table in TABLES:
            frame = (session.read.format("keyflight").option("table", table).option("program", PROGRAM)
                     .option("allow_ids", self.options.allow_ids).option("pseudonym_key", self.options.pseudonym_key)
                     .load(str(FOLDER)))
            frame.cache().createOrReplaceTempView(table)
        keyflight.register_spark(session)
        for name in keyflight.QUERIES:
            rows = [tuple(row) for row in session.sql(keyflight.query(name)).collect()]
            self.assertEqual(rows, self.duckdb[name], name)

    def test_a_failed_run_is_an_error_with_its_status(self) -> None:
        with self.assertRaises(keyflight.ExportError) as caught:
            keyflight.read(self.paths, "sessions", keyflight.Options(PROGRAM, allow_ids="/nowhere/ids"))
        self.assertEqual(caught.exception.status, 2)
        with self.assertRaises(ValueError):
            keyflight.read(self.paths, "bogus", self.options)


if __name__ == "__main__":
    unittest.main()
