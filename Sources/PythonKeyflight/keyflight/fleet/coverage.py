"""The sessions that a comparison leaves out, by reason: a result about some sessions is none about the rest."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import duckdb

from keyflight.fleet import text
from keyflight.fleet.comparison import LEAST_SAMPLES

# The share of a version's sessions that a comparison may leave out.
MOST = 0.05
COMPARED = "compared"
# An ingest writes histograms for each session that has times: without them the lake has lost a file.
LOST = "without_histograms"
REASONS = {
    LOST: "whose histograms are missing from the lake (ingest the traces into another lake)",
    "without_installation": "without app.installation.id",
    "without_times": "without times of calls and stages",
    "in_no_cell": f"in no cell of {LEAST_SAMPLES} samples of installations in both on common devices",
    "in_quarantine": "in quarantine",
}


@dataclass(frozen=True)
class Omission:
    """Sessions that are not compared, in words."""

    line: str
    # The result is then not one about the versions.
    is_too_much: bool


@dataclass(frozen=True)
class Coverage:
    """Sessions of both versions by their reason; those without presses do not count."""

    versions: tuple[str, str]
    sessions: tuple[Counter[str], Counter[str]]
    # Of the ingests that they came with: all inputs, and by status those that are too damaged to have a version.
    inputs: int
    unknown: Counter[str]

    @property
    def omissions(self) -> list[Omission]:
        found = []
        for version, counts in zip(self.versions, self.sessions):
            total = counts.total()
            left = total - counts[COMPARED]
            if left:
                is_too_much = left > MOST * total or counts[LOST] > 0
                line = f"{_of(left, total)} sessions of {version}: {self.reasons(counts)}{_limit(left, total)}"
                found.append(Omission(line, is_too_much))
        left = self.unknown.total()
        if left:
            parts = ", ".join(f"{text.number(count)} {status}" for status, count in sorted(self.unknown.items()))
            line = f"{_of(left, self.inputs)} inputs of the same ingests, of an unknown version: {parts}"
            found.append(Omission(line + _limit(left, self.inputs), left > MOST * self.inputs))
        return found

    @staticmethod
    def reasons(counts: Counter[str]) -> str:
        return ", ".join(f"{text.number(counts[reason])} {words}" for reason, words in REASONS.items()
                         if counts[reason])


def _of(part: int, total: int) -> str:
    return f"{text.number(part)} of {text.number(total)} ({part / total:.1%})".replace("%", " %")


def _limit(part: int, total: int) -> str:
    return f"; at most {MOST * 100:.0f} % may be left out" if part > MOST * total else ""


def cover(connection: duckdb.DuckDBPyConnection, by: str, versions: tuple[str, str]) -> Coverage:
    """Reads the tables measured and kept of a comparison.

    by is the name of a column of sessions, which the caller has checked.
    """
    counts: dict[str, Counter[str]] = {version: Counter() for version in versions}
    for version, reason, count in connection.execute(f"""
            SELECT s.{by}, CASE WHEN s.status <> 'ok' THEN 'in_quarantine'
                WHEN trace_id IN (SELECT trace_id FROM kept) THEN '{COMPARED}'
                WHEN NOT has_rows AND s.level IN ('stages', 'calls') THEN '{LOST}'
                WHEN s.sample_id IS NULL THEN 'without_installation'
                WHEN trace_id NOT IN (SELECT trace_id FROM measured) THEN 'without_times'
                ELSE 'in_no_cell' END AS reason, count(*)
            FROM (SELECT *, trace_id IN (SELECT trace_id FROM histograms) AS has_rows FROM sessions) s
            WHERE s.status <> 'duplicate' AND s.{by} IN (?, ?) AND (s.presses > 0 OR has_rows OR s.status <> 'ok')
            GROUP BY 1, 2""", list(versions)).fetchall():
        counts[version][reason] = count
    inputs = connection.execute(f"""SELECT CASE WHEN {by} IS NULL THEN status ELSE 'ok' END, count(*) FROM sessions
        WHERE status <> 'duplicate' AND batch IN (SELECT batch FROM sessions WHERE {by} IN (?, ?)) GROUP BY 1""",
                                list(versions)).fetchall()
    unknown = Counter({status: count for status, count in inputs if status != "ok"})
    return Coverage(versions, (counts[versions[0]], counts[versions[1]]), sum(count for _, count in inputs), unknown)
