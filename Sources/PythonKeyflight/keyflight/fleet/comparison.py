"""The comparison of two versions of an app: responders whose answers take longer, and stages, by system.

A cell is a call of a responder, or a stage of a press (total among them), in a stratum (a system, say). Its sessions
are compared twice: in absolute terms, and relative to the other calls of the same session, which share the speed of its
device. Where all calls are slower nothing is slower than the rest: the row without a responder has the session as a
whole. Stages contain calls and each other, so that they have no others: they are compared in absolute terms. So are
repeats, as one cell: the total of a repeat.

Sessions are compared under the same conditions: the device, the profile, the layout and the level of the recording,
whose calls cost time too. Sessions under conditions that only one group of a cell has are no part of the cell.

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
# Columns of sessions whose values are compared each with itself, but for those that divide the sessions already.
CONDITIONS = ("device_model_identifier", "profile", "layout", "level")
# The share of a version's sessions that a comparison may leave out.
MOST = 0.05
# Fewer other calls than this are nothing to be relative to.
LEAST_OTHERS = 2

STAGE = "stage"
# The rows of histograms that are compared, and their names within the metric.
MEASURED = f"(h.occasion = 'down' OR h.metric = '{STAGE}' AND h.stage = 'total')"
NAME = (f"CASE WHEN h.metric <> '{STAGE}' THEN h.responder WHEN h.occasion = 'down' THEN h.stage "
        "ELSE 'total of repeats' END")

Cell = tuple[str | None, str | None, str | None]  # stratum, metric, responder; of the metric stage its name
Place = tuple[Cell, bool, object]  # a cell under all conditions, or (True) under those that follow
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
    """A cell that only one group has, under all conditions or under some, with enough samples to be shown; or that is
    not compared since the other group has fewer than half as many. One without a metric is a whole stratum."""

    cell: Cell
    group: int
    sessions: int
    # Of the other group.
    others: int = 0
    is_partial: bool = False
    # Number of the conditions, of a partial one.
    conditions: object = None


@dataclass
class Comparison:
    rows: list[Row]
    singles: list[Single]
    # That have fewer samples of installations than LEAST_SAMPLES under conditions of both groups.
    hidden: int
    tests: int
    # Cells that both groups have, and have under the same conditions.
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
            return f"expected one {', '.join(CONDITIONS[:-1])} and {CONDITIONS[-1]} that both have, found none"
        return (f"expected cells of {LEAST_SAMPLES} samples of installations in both, found none; "
                f"{self.hidden} are smaller")


def prepare(connection: duckdb.DuckDBPyConnection, by: str, within: str | None, cluster: str) -> None:
    """Makes the table observations: the logarithm of the mean time of each call and stage in each session, as it is and
    against the mean of its cell; and the table conditioned: sessions that are ok, with a number of their conditions.

    by and within are names of columns of sessions, which the caller has checked.
    """
    columns = ", ".join(conditions(by, within))
    connection.execute(f"""CREATE OR REPLACE TEMP TABLE conditioned AS
        SELECT *, dense_rank() OVER (ORDER BY {columns}) AS conditions FROM sessions WHERE status = 'ok'""")
    connection.execute(f"""CREATE OR REPLACE TEMP TABLE measured AS
        SELECT s.trace_id, s.{by} AS version, {f"s.{within}" if within else "NULL::VARCHAR"} AS stratum,
               s.conditions, s.sample_id AS sample,
               {"s.sample_id" if cluster == "installation" else "s.trace_id"} AS cluster, h.metric,
               {NAME} AS responder, CAST(round(ln(h.sum_ns / list_sum(h.counts)) * 1e9) AS BIGINT) AS value
        FROM histograms h JOIN conditioned s USING (trace_id)
        WHERE s.sample_id IS NOT NULL AND {MEASURED} AND h.sum_ns > 0 AND list_sum(h.counts) > 0""")
    center(connection)


def conditions(by: str, within: str | None) -> list[str]:
    """The names of CONDITIONS of a comparison by a column within another one, which divide its sessions already."""
    return [name for name in CONDITIONS if name not in (by, within)]


def read_conditions(connection: duckdb.DuckDBPyConnection, by: str, within: str | None,
                    versions: tuple[str, str]) -> dict[object, dict[str, str | None]]:
    """The conditions of both versions by their numbers in the table conditioned."""
    names = conditions(by, within)
    rows = connection.execute(f"SELECT DISTINCT conditions, {', '.join(names)} FROM conditioned WHERE {by} IN (?, ?)",
                              list(versions)).fetchall()
    return {number: dict(zip(names, values)) for number, *values in rows}


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
    compared = {row.cell for row in rows}
    singles = _singles(places, compared)
    # All stages of a session are no cell.
    places = {place: groups for place, groups in places.items() if place[0][1:] != (STAGE, None)}
    cells = {cell: groups for (cell, is_partial, _), groups in places.items() if not is_partial}
    compared |= {cell for cell, groups in cells.items() if _only(groups, is_compared=cell in compared) is not None}
    common, paired = (sum(len(groups) == 2 for place, groups in places.items() if place[1] == is_partial)
                      for is_partial in (False, True))
    return Comparison(rows, singles, len(cells.keys() - compared), len(rows), common, paired)


def _order(cell: Cell) -> tuple[str, ...]:
    return tuple(part or "" for part in cell)


def _shown(connection: duckdb.DuckDBPyConnection) -> dict[Cell, tuple[int, int]]:
    """Makes the table kept: the observations with their labels under conditions of both groups, in cells that have
    enough samples there. Returns the sessions of each."""
    connection.execute(f"""CREATE OR REPLACE TEMP TABLE kept AS
        WITH paired AS (
            SELECT o.*, label FROM observations o JOIN labels USING (trace_id)
            WINDOW place AS (PARTITION BY stratum, metric, responder, conditions)
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
    """The samples and sessions of each group in each cell and in those of everything, under all conditions and under
    each."""
    places: dict[Place, Groups] = {}
    what = "label, count(DISTINCT sample), count(DISTINCT trace_id) FROM observations JOIN labels USING (trace_id)"
    parts = " UNION ALL ".join(f"""SELECT {cell}, GROUPING(conditions), conditions, {what} {where}
        GROUP BY GROUPING SETS (({columns}, label), ({columns}, conditions, label))""" for cell, columns, where in (
            ("stratum, metric, responder",) * 2 + ("",),
            ("stratum, NULL, NULL", "stratum", f"WHERE metric <> '{STAGE}'"),
            ("stratum, metric, NULL", "stratum, metric", f"WHERE metric = '{STAGE}'")))
    for stratum, metric, responder, is_whole, number, label, samples, sessions in connection.execute(parts).fetchall():
        places.setdefault(((stratum, metric, responder), not is_whole, number), {})[label] = (samples, sessions)
    return places


def _only(groups: Groups, is_compared: bool) -> int | None:
    """The group that has a place alone, with enough samples to be shown; or so many that the other one, where that is
    why nothing is compared, has fewer than half as many."""
    samples = {label: count for label, (count, _) in groups.items()}
    label = max(samples, key=lambda label: (samples[label], label))
    least = 1 if is_compared else (LEAST_SAMPLES + 1) // 2
    return label if samples[label] >= LEAST_SAMPLES and samples.get(1 - label, 0) < least else None


def _singles(places: dict[Place, Groups], compared: set[Cell]) -> list[Single]:
    found = {place: group for place, groups in places.items()
             if (group := _only(groups, is_compared=place[1] or place[0] in compared)) is not None}
    singles = []
    for place, group in found.items():
        cell, is_partial, number = place
        # What one group has as a whole is named once.
        cells = {cell, (cell[0], None, None)} | ({(cell[0], STAGE, None)} if cell[1] == STAGE else set())
        wider: set[Place] = {(other, *where) for other in cells for where in ((False, None), (is_partial, number))}
        if (wider - {place}).isdisjoint(found):
            others = places[place].get(1 - group, (0, 0))[1]
            singles.append(Single(cell, group, places[place][group][1], others, is_partial, number))
    return sorted(singles, key=lambda single: (_order(single.cell), f"{single.conditions or '':>9}"))


def _differences(connection: duckdb.DuckDBPyConnection, shown: dict[Cell, tuple[int, int]],
                 changed: list[Cell]) -> list[Row]:
    absolute: dict[Cell, list[Sum]] = {}
    relative: dict[Cell, list[Sum]] = {}
    for *key, number, label, cluster, count, total, compared, rest in _sums(connection, changed):
        cell = (key[0], key[1], key[2])
        absolute.setdefault(cell, []).append(Sum(number, label, cluster, count, total))
        if compared:
            relative.setdefault(cell, []).append(Sum(number, label, cluster, compared, rest))
    rows = []
    for cell, sessions in shown.items():
        found = difference(absolute.get(cell, []))
        if found is not None:
            others = relative.get(cell, [])
            # What some sessions have relative to their other calls is nothing about the rest.
            has_others = all(_count(others, group) >= (1 - MOST) * _count(absolute[cell], group) for group in (0, 1))
            rows.append(Row(cell, sessions, found, difference(others) if has_others else None, 1.0))
    return rows


def _count(sums: list[Sum], group: int) -> int:
    return sum(row.count for row in sums if row.group == group)


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
        SELECT stratum, metric, responder, conditions, label, cluster, count(*), CAST(sum(value) AS HUGEINT),
               count(rest), CAST(coalesce(sum(rest), 0) AS HUGEINT)
        FROM relative GROUP BY stratum, metric, responder, conditions, label, cluster
        UNION ALL
        SELECT stratum, metric, responder, conditions, label, cluster, count(*), CAST(sum(value) AS HUGEINT), 0, 0
        FROM marked WHERE metric = '{STAGE}' GROUP BY stratum, metric, responder, conditions, label, cluster
        UNION ALL
        SELECT stratum, NULL, NULL, conditions, label, cluster, count(*), CAST(sum(total // calls) AS HUGEINT), 0, 0
        FROM (SELECT DISTINCT trace_id, stratum, conditions, label, cluster, total, calls FROM totals WHERE calls > 0)
        GROUP BY stratum, conditions, label, cluster""").fetchall()
