"""The comparison of two versions of an app: responders whose answers take longer, and stages, by system.

A cell is a call of a responder, or a stage of a press (total among them), in a stratum (a system, say). Its sessions
are compared twice: in absolute terms, and relative to the other calls of the same session, which share the speed of its
device. Where all calls are slower nothing is slower than the rest: the row without a responder has the session as a
whole. Stages contain calls and each other, so that they have no others: they are compared in absolute terms. So are
repeats, as one cell: the total of a repeat.

Only devices that both groups of a cell have can be compared: sessions on others are no part of the cell.

The others of a call are those that both groups have, each against its own mean in all sessions: a call that only one
group has, or has more often, does not make the rest seem to change. It is a cell of its own that is not compared.

The most certain cell is called changed if Holm's correction allows it; then it no longer counts among the others, and
the rest is compared again without it, so that they do not seem to have changed the other way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import duckdb

from keyflight.fleet.jackknife import Difference, Sum, difference

ALPHA = 0.01
# A cell with fewer samples of installations is not shown.
LEAST_SAMPLES = 10
# Fewer other calls than this are nothing to be relative to.
LEAST_OTHERS = 2

STAGE = "stage"
# The rows of histograms that are compared, and their names within the metric.
MEASURED = f"(h.occasion = 'down' OR h.metric = '{STAGE}' AND h.stage = 'total')"
NAME = (f"CASE WHEN h.metric <> '{STAGE}' THEN h.responder WHEN h.occasion = 'down' THEN h.stage "
        "ELSE 'total of repeats' END")

Cell = tuple[str | None, str | None, str | None]  # stratum, metric, responder; of the metric stage its name
Place = tuple[Cell, bool, str | None]  # a cell on all devices, or (True) on the one that follows
Groups = dict[int, tuple[int, int]]  # samples and sessions by group


@dataclass
class Row:
    """One cell, compared. A cell without a metric is the whole session."""

    cell: Cell
    sessions: tuple[int, int]
    absolute: Difference
    relative: Difference | None
    # With Holm's correction.
    probability: float
    is_changed: bool = False

    @property
    def decisive(self) -> Difference:
        return self.relative or self.absolute


@dataclass(frozen=True)
class Single:
    """A cell that only one group has, on all devices or on one, with enough samples to be shown. One without a metric
    is a whole stratum."""

    cell: Cell
    group: int
    sessions: int
    is_of_one_device: bool = False
    device: str | None = None


@dataclass
class Comparison:
    rows: list[Row]
    singles: list[Single]
    # That have fewer samples of installations than LEAST_SAMPLES on devices of both groups.
    hidden: int
    tests: int
    # Cells that both groups have, and have on one device.
    common: int
    paired: int

    @property
    def changed(self) -> list[Row]:
        return [row for row in self.rows if row.is_changed]

    def nothing(self, within: str | None) -> str:
        """The reason why there are no rows."""
        if not self.common:
            return f"expected a call or stage {f'on an {within} ' if within else ''}that both have, found none"
        if not self.paired:
            return "expected a device_model_identifier that both have, found none"
        return (f"expected cells of {LEAST_SAMPLES} samples of installations in both, found none; "
                f"{self.hidden} are smaller")


def prepare(connection: duckdb.DuckDBPyConnection, by: str, within: str | None, cluster: str) -> None:
    """Makes the table observations: the logarithm of the mean time of each call and stage in each session, as it is and
    against the mean of its cell.

    by and within are names of columns of sessions, which the caller has checked.
    """
    device = "NULL::VARCHAR" if by == "device_model_identifier" else "s.device_model_identifier"
    connection.execute(f"""CREATE OR REPLACE TEMP TABLE measured AS
        SELECT s.trace_id, s.{by} AS version, {f"s.{within}" if within else "NULL::VARCHAR"} AS stratum,
               {device} AS device, s.sample_id AS sample,
               {"s.sample_id" if cluster == "installation" else "s.trace_id"} AS cluster, h.metric,
               {NAME} AS responder, CAST(round(ln(h.sum_ns / list_sum(h.counts)) * 1e9) AS BIGINT) AS value
        FROM histograms h JOIN sessions s USING (trace_id)
        WHERE s.status = 'ok' AND s.sample_id IS NOT NULL AND {MEASURED}
          AND h.sum_ns > 0 AND list_sum(h.counts) > 0""")
    center(connection)


def center(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the table observations of the table measured."""
    connection.execute("""CREATE OR REPLACE TEMP TABLE observations AS
        SELECT *, value - CAST(sum(value) OVER cell AS HUGEINT) // count(*) OVER cell AS centered
        FROM measured WINDOW cell AS (PARTITION BY stratum, metric, responder)""")


def label_versions(connection: duckdb.DuckDBPyConnection, versions: tuple[str, str]) -> None:
    """Makes the table labels: group 0 or 1 of each session, by its version."""
    connection.execute("""CREATE OR REPLACE TEMP TABLE labels AS
        SELECT DISTINCT trace_id, CASE WHEN version = ? THEN 0 ELSE 1 END AS label FROM observations
        WHERE version IN (?, ?)""", [versions[0], *versions])


def compare(connection: duckdb.DuckDBPyConnection, alpha: float = ALPHA) -> Comparison:
    """Compares the groups of labels in all cells."""
    shown = _shown(connection)
    changed: dict[Cell, float] = {}
    before = 0.0
    while True:
        rows = _differences(connection, shown, list(changed))
        open_rows = sorted((row for row in rows if row.cell not in changed), key=lambda row: row.decisive.probability)
        tests = len(open_rows)
        if not open_rows:
            break
        first = open_rows[0]
        before = max(before, min(1.0, first.decisive.probability * tests))
        if before > alpha:
            break
        changed[first.cell] = before
    for place, row in enumerate(open_rows):
        before = max(before, min(1.0, row.decisive.probability * (len(open_rows) - place)))
        row.probability = before
    for row in rows:
        if row.cell in changed:
            row.is_changed, row.probability = True, changed[row.cell]
    rows.sort(key=lambda row: (not row.is_changed, row.cell[1] is None, row.probability, _order(row.cell)))
    places = _places(connection)
    cells = {cell: groups for (cell, is_of_one_device, _), groups in places.items() if not is_of_one_device}
    singles = _singles(places)
    compared = {row.cell for row in rows} | {cell for cell, groups in cells.items() if _only(groups) is not None}
    common, paired = (sum(len(groups) == 2 for place, groups in places.items() if place[1] == is_of_one_device)
                      for is_of_one_device in (False, True))
    return Comparison(rows, singles, len(cells.keys() - compared), len(rows), common, paired)


def _order(cell: Cell) -> tuple[str, ...]:
    return tuple(part or "" for part in cell)


def _shown(connection: duckdb.DuckDBPyConnection) -> dict[Cell, tuple[int, int]]:
    """Makes the table kept: the observations with their labels on devices of both groups, in cells that have enough
    samples there. Returns the sessions of each."""
    connection.execute(f"""CREATE OR REPLACE TEMP TABLE kept AS
        WITH paired AS (
            SELECT o.*, label FROM observations o JOIN labels USING (trace_id)
            WINDOW place AS (PARTITION BY stratum, metric, responder, device)
            QUALIFY min(label) OVER place <> max(label) OVER place
        ), large AS (
            SELECT stratum, metric, responder FROM paired GROUP BY stratum, metric, responder
            HAVING least(count(DISTINCT sample) FILTER (label = 0), count(DISTINCT sample) FILTER (label = 1))
              >= {LEAST_SAMPLES}
        )
        SELECT p.* FROM paired p WHERE EXISTS (FROM large c WHERE c.stratum IS NOT DISTINCT FROM p.stratum
          AND c.metric = p.metric AND c.responder IS NOT DISTINCT FROM p.responder)""")
    groups = "count(DISTINCT trace_id) FILTER (label = 0), count(DISTINCT trace_id) FILTER (label = 1)"
    return {(stratum, metric, responder): (first, second) for stratum, metric, responder, first, second in
            connection.execute(f"""
                SELECT stratum, metric, responder, {groups} FROM kept GROUP BY stratum, metric, responder UNION ALL
                SELECT stratum, NULL, NULL, {groups} FROM kept WHERE metric <> '{STAGE}' GROUP BY stratum
                """).fetchall()}


def _places(connection: duckdb.DuckDBPyConnection) -> dict[Place, Groups]:
    """The samples and sessions of each group in each cell, on all devices and on each."""
    places: dict[Place, Groups] = {}
    what = "label, count(DISTINCT sample), count(DISTINCT trace_id) FROM observations JOIN labels USING (trace_id)"
    for stratum, metric, responder, is_whole, device, label, samples, sessions in connection.execute(f"""
            SELECT stratum, metric, responder, GROUPING(device), device, {what}
            GROUP BY GROUPING SETS ((stratum, metric, responder, label), (stratum, metric, responder, device, label))
            UNION ALL
            SELECT stratum, NULL, NULL, GROUPING(device), device, {what} WHERE metric <> '{STAGE}'
            GROUP BY GROUPING SETS ((stratum, label), (stratum, device, label))""").fetchall():
        places.setdefault(((stratum, metric, responder), not is_whole, device), {})[label] = (samples, sessions)
    return places


def _only(groups: Groups) -> int | None:
    """The group that has a place alone, with enough samples to be shown."""
    label, (samples, _) = next(iter(groups.items()))
    return label if len(groups) == 1 and samples >= LEAST_SAMPLES else None


def _singles(places: dict[Place, Groups]) -> list[Single]:
    found = {place: group for place, groups in places.items() if (group := _only(groups)) is not None}
    singles = []
    for place, group in found.items():
        cell, is_of_one_device, device = place
        # What one group has as a whole is named once.
        everything: Cell = (cell[0], None, None)
        wider = {(everything, False, None), (cell, False, None), (everything, is_of_one_device, device)} - {place}
        if wider.isdisjoint(found):
            singles.append(Single(cell, group, places[place][group][1], is_of_one_device, device))
    return sorted(singles, key=lambda single: (_order(single.cell), single.device or ""))


def _differences(connection: duckdb.DuckDBPyConnection, shown: dict[Cell, tuple[int, int]],
                 changed: list[Cell]) -> list[Row]:
    absolute: dict[Cell, list[Sum]] = {}
    relative: dict[Cell, list[Sum]] = {}
    for *key, device, label, cluster, count, total, compared, rest in _sums(connection, changed):
        cell = (key[0], key[1], key[2])
        absolute.setdefault(cell, []).append(Sum(device, label, cluster, count, total))
        if compared:
            relative.setdefault(cell, []).append(Sum(device, label, cluster, compared, rest))
    rows = []
    for cell, sessions in shown.items():
        found = difference(absolute.get(cell, []))
        if found is not None:
            rows.append(Row(cell, sessions, found, difference(relative.get(cell, [])), 1.0))
    return rows


def _sums(connection: duckdb.DuckDBPyConnection, changed: list[Cell]) -> list[tuple[Any, ...]]:
    connection.execute("CREATE OR REPLACE TEMP TABLE changed (stratum VARCHAR, metric VARCHAR, responder VARCHAR)")
    if changed:
        connection.executemany("INSERT INTO changed VALUES (?, ?, ?)", [list(cell) for cell in changed])
    # A call that is called changed is compared with the others, which are not compared with it.
    return connection.execute(f"""WITH marked AS (
            SELECT o.*, EXISTS (FROM changed c WHERE c.stratum IS NOT DISTINCT FROM o.stratum
              AND c.metric = o.metric AND c.responder IS NOT DISTINCT FROM o.responder) AS is_changed FROM kept o
        ), totals AS (
            SELECT *, coalesce(sum(centered) FILTER (NOT is_changed) OVER session, 0) AS total,
                   count(*) FILTER (NOT is_changed) OVER session AS calls
            FROM marked WHERE metric <> '{STAGE}' WINDOW session AS (PARTITION BY trace_id)
        ), compared AS (
            SELECT *, total - CASE WHEN is_changed THEN 0 ELSE centered END AS others,
                   calls - CASE WHEN is_changed THEN 0 ELSE 1 END AS other_calls
            FROM totals
        ), relative AS (
            SELECT *, CASE WHEN other_calls >= {LEAST_OTHERS} THEN value - others // other_calls END AS rest
            FROM compared
        )
        SELECT stratum, metric, responder, device, label, cluster, count(*), CAST(sum(value) AS HUGEINT), count(rest),
               CAST(coalesce(sum(rest), 0) AS HUGEINT)
        FROM relative GROUP BY stratum, metric, responder, device, label, cluster
        UNION ALL
        SELECT stratum, metric, responder, device, label, cluster, count(*), CAST(sum(value) AS HUGEINT), 0, 0
        FROM marked WHERE metric = '{STAGE}' GROUP BY stratum, metric, responder, device, label, cluster
        UNION ALL
        SELECT stratum, NULL, NULL, device, label, cluster, count(*), CAST(sum(total // calls) AS HUGEINT), 0, 0
        FROM (SELECT DISTINCT trace_id, stratum, device, label, cluster, total, calls FROM totals WHERE calls > 0)
        GROUP BY stratum, device, label, cluster""").fetchall()
