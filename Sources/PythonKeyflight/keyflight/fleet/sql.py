"""SQL of a person over a lake, for keyflight query: a line of JSON for the columns, and one for each row."""

from __future__ import annotations

import json
import math
from typing import Any

import duckdb

from keyflight.fleet import lake
from keyflight.fleet.failure import Failure

# The program takes 64 MiB.
LIMIT = 48 << 20
_WRONG_SQL = (duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException, duckdb.PermissionException)
VIEWS = ("sessions", "histograms", "chords", "histogram_buckets")


def answer(connection: duckdb.DuckDBPyConnection, sql: str | None) -> str:
    """The rows of one SELECT; without it the views, with how many rows they have.

    - Raises: a Failure that names what is wrong with the SQL.
    """
    if sql is None:
        sql = " UNION ALL ".join(f"SELECT '{view}' AS name, count(*) AS rows FROM {view}" for view in VIEWS)
    try:
        statements = connection.extract_statements(sql)
        if len(statements) != 1:
            raise Failure("KF6400", f"SQL: expected one statement, found {len(statements) or 'none'}")
        if statements[0].type != duckdb.StatementType.SELECT:
            raise Failure("KF6400", f"SQL: expected a SELECT, found {statements[0].type.name}")
        connection.execute(statements[0])
        lines = [json.dumps([column[0] for column in connection.description or ()])]
        size = 0
        while rows := connection.fetchmany(1_000):
            for row in rows:
                lines.append(json.dumps([_value(value) for value in row]))
                size += len(lines[-1])
            if size > LIMIT:
                raise Failure("KF6400", f"SQL: expected at most {LIMIT >> 20} MiB of rows, found more; add a LIMIT")
    except duckdb.Error as error:
        reason = " ".join(str(error).split())[:500]
        place = None if isinstance(error, _WRONG_SQL) else lake.damaged_file()
        raise (Failure("KF0200", f"{place}: {reason}") if place else Failure("KF6400", f"SQL: {reason}")) from None
    return "\n".join(lines) + "\n"


def _value(value: Any) -> Any:
    """Null, an integer of 64 bits or a text; a real number alone in a list. The rest is its text."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return [value]
    return value.hex() if isinstance(value, bytes) else str(value)
