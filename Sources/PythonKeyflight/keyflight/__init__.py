"""Tables of many traces (schema keyflight.fleet/1) as Arrow record batches; the program keyflight reads the traces."""

from keyflight.export import ExportError, Options, TableReader, read
from keyflight.queries import QUERIES, query, register_duckdb, register_spark

__all__ = ["ExportError", "Options", "QUERIES", "TableReader", "query", "read", "register_duckdb", "register_spark"]
