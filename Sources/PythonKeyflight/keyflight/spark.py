"""A data source for Spark: spark.read.format("keyflight").option("table", "sessions").load("/traces").

Each partition runs one keyflight. Workers need pyarrow (PYSPARK_PYTHON) and a keyflight for their
architecture. A duplicate is known as one within its partition only: its trace_id is that of the other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

import pyarrow
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from keyflight.export import Options, read


class TracePartition(InputPartition):
    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__(None)
        self.paths = list(paths)


class TraceDataSource(DataSource):
    """Options: path (a folder), table, partitions (default 2), program, allow_ids, pseudonym_key."""

    @classmethod
    def name(cls) -> str:
        return "keyflight"

    def schema(self) -> StructType:
        with read([], self.options["table"], _options(self.options)) as table:
            return from_arrow_schema(table.schema)

    def reader(self, schema: StructType) -> DataSourceReader:
        return TraceReader(self.options)


class TraceReader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        self.table = options["table"]
        self.options = _options(options)
        self.folder = options["path"]
        self.count = int(options.get("partitions", "2"))

    def partitions(self) -> Sequence[InputPartition]:
        # By size, dealt out in turn: partitions get about the same number of bytes.
        with os.scandir(self.folder) as entries:
            files = [(entry.stat().st_size, entry.path) for entry in entries
                     if entry.is_file() and entry.name.endswith(".keyflight")]
        files.sort(reverse=True)
        parts = [[path for _, path in files[place::self.count]] for place in range(self.count)]
        return [TracePartition(part) for part in parts if part]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, TracePartition)
        with read(partition.paths, self.table, self.options) as table:
            yield from table


def register(session: SparkSession) -> None:
    """Makes the format keyflight known to a session."""
    session.dataSource.register(TraceDataSource)


def _options(options: Mapping[str, str]) -> Options:
    return Options(options.get("program", "keyflight"), options.get("allow_ids"), options.get("pseudonym_key"))
