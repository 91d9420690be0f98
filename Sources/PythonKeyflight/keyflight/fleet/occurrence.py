"""How many sessions of each version have a call, a stage or a value, and in how many of them it is compared."""

from __future__ import annotations

import math
from dataclasses import dataclass

import duckdb

from keyflight.fleet.comparison import STAGE, conditions

# The share of a version's sessions in which a call or a stage is rare, and by which shares of both may differ.
RARE = 0.1
# Errors of a difference of two shares, of more sessions than there are installations.
_ERRORS = 4

Pair = tuple[int, int]


@dataclass(frozen=True)
class Occurrence:
    """A call or a stage in the sessions of both versions that are compared in something."""

    metric: str
    name: str | None
    # Those that have it, those of them in which it is compared, and those that have any call, or any stage.
    sessions: Pair
    compared: Pair
    totals: Pair

    @property
    def left(self) -> Pair:
        return self.sessions[0] - self.compared[0], self.sessions[1] - self.compared[1]

    @property
    def is_uneven(self) -> bool:
        return is_uneven(self.sessions, self.totals)

    @property
    def is_too_much(self) -> bool:
        """More sessions than a few have it, and it is not compared there; or stages are missing from one version, which
        each press has."""
        is_common = any(left > RARE * total for left, total in zip(self.left, self.totals))
        return is_common or self.metric == STAGE and self.is_uneven


@dataclass(frozen=True)
class Value:
    """A value of a column of sessions that one version has alone, or more often than the other."""

    column: str
    value: str | None
    sessions: Pair
    totals: Pair


def is_uneven(parts: Pair, totals: Pair) -> bool:
    """Two shares differ by more than RARE, and by more than sessions that are dealt out by lot."""
    if 0 in totals:
        return False
    both = sum(parts) / sum(totals)
    error = math.sqrt(both * (1 - both) * (1 / totals[0] + 1 / totals[1]))
    return abs(parts[0] / totals[0] - parts[1] / totals[1]) > max(RARE, _ERRORS * error)


def of_names(connection: duckdb.DuckDBPyConnection) -> list[Occurrence]:
    """The calls and stages of the tables observations, labels and kept that are not compared in each session that has
    them, or that one version has more often."""
    rows = connection.execute("""WITH found AS (
            SELECT trace_id, metric, responder, bool_or(is_kept) AS is_kept FROM (
                SELECT trace_id, metric, responder, false AS is_kept FROM observations
                UNION ALL SELECT trace_id, metric, responder, true FROM kept)
            WHERE trace_id IN (SELECT trace_id FROM kept) GROUP BY ALL
        )
        SELECT metric, responder, count(*) FILTER (label = 0), count(*) FILTER (label = 1),
               count(*) FILTER (label = 0 AND is_kept), count(*) FILTER (label = 1 AND is_kept)
        FROM found JOIN labels USING (trace_id) GROUP BY metric, responder ORDER BY metric, responder""").fetchall()
    totals = {is_stage: (first, second) for is_stage, first, second in connection.execute(f"""
        SELECT metric = '{STAGE}', count(DISTINCT trace_id) FILTER (label = 0),
               count(DISTINCT trace_id) FILTER (label = 1)
        FROM observations JOIN labels USING (trace_id)
        WHERE trace_id IN (SELECT trace_id FROM kept) GROUP BY 1""").fetchall()}
    every = [Occurrence(metric, name, (first, second), (one, other), totals[metric == STAGE])
             for metric, name, first, second, one, other in rows]
    return [found for found in every if any(found.left) or found.is_uneven]


def of_values(connection: duckdb.DuckDBPyConnection, by: str, within: str | None,
              versions: tuple[str, str]) -> list[Value]:
    """The profiles, layouts and levels of the table conditioned that one version has alone or more often."""
    where = f"status = 'ok' AND presses > 0 AND {by} IN (?, ?)"
    groups = f"count(*) FILTER ({by} = ?), count(*) FILTER ({by} = ?)"
    totals = connection.execute(f"SELECT {groups} FROM conditioned WHERE {where}", [*versions, *versions]).fetchone()
    assert totals is not None
    found = []
    for column in conditions(by, within):
        # Devices are many; those that one version has alone are named where they have enough samples.
        if column == "device_model_identifier":
            continue
        for value, first, second in connection.execute(f"""SELECT {column}, {groups} FROM conditioned WHERE {where}
                GROUP BY 1 ORDER BY 1 NULLS FIRST""", [*versions, *versions]).fetchall():
            if not first or not second or is_uneven((first, second), (totals[0], totals[1])):
                found.append(Value(column, value, (first, second), (totals[0], totals[1])))
    return found
