"""A data source for Spark: spark.read.format("keyflight").option("table", "sessions").load("/traces").

Each partition runs one keyflight. Workers need pyarrow (PYSPARK_PYTHON), this package (PYTHONPATH) and a keyflight for
their architecture. Copies of a trace have one size, and files of one size are of one partition, which finds them.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

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
        with os.scandir(self.folder) as entries:
            files = [(entry.stat().st_size, entry.path) for entry in entries
                     if entry.is_file() and entry.name.endswith(".keyflight")]
        return [TracePartition(part) for part in parts(files, self.count)]

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, TracePartition)
        with read(partition.paths, self.table, self.options) as table:
            yield from table


def parts(files: Iterable[tuple[int, str]], count: int) -> list[list[str]]:
    """Paths for each of at most so many partitions: about the same number of bytes, and all files of one size together.

    The largest come first: one large trace is one task.
    """
    sizes: dict[int, list[str]] = {}
    for size, path in sorted(files):
        sizes.setdefault(size, []).append(path)
    made: list[list[str]] = [[] for _ in range(count)]
    heap = [(0, place) for place in range(count)]
    for size, paths in sorted(sizes.items(), key=lambda item: -item[0] * len(item[1])):
        weight, place = heapq.heappop(heap)
        made[place] += paths
        # An empty file is some work too.
        heapq.heappush(heap, (weight + (size + 1) * len(paths), place))
    return [part for part in made if part]


def register(session: SparkSession) -> None:
    """Makes the format keyflight known to a session."""
    session.dataSource.register(TraceDataSource)


def _options(options: Mapping[str, str]) -> Options:
    return Options(options.get("program", "keyflight"), options.get("allow_ids"), options.get("pseudonym_key"))
