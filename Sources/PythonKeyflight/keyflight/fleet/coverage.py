"""The sessions that a comparison leaves out, by reason: a result about some sessions is none about the rest.

Sessions are counted for all times together and for each kind of them: where most sessions have no stages, the calls of
all of them are no comparison of stages.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import duckdb

from keyflight.fleet import text
from keyflight.fleet.comparison import LEAST_SAMPLES, MOST, STAGE
from keyflight.fleet.occurrence import is_uneven

COMPARED = "compared"
# An ingest writes histograms for each session that has times: without them the lake has lost a file.
LOST = "without_histograms"
REASONS = {
    LOST: "whose histograms are missing from the lake (ingest the traces into another lake)",
    "without_installation": "without app.installation.id",
    "not_recorded": "recorded without times of {what} (see their level; calls are expected with a profile alone)",
    "without_times": "without times of {what}",
    "in_no_cell": f"in no cell of {LEAST_SAMPLES} samples of installations in both on common devices, profiles, "
                  "layouts and levels",
    "with_losses": "that lost records, or times of some presses",
    "in_quarantine": "in quarantine",
}
# Not among the sessions that a share is taken of.
_WITHOUT_PRESSES = "without_presses"
# All times, and each kind of them: in words, and the levels that have it. An app that was recorded from outside has no
# profile, and may have no calls. The press under way at the end of a session may have no total.
_TIMED = "['stages', 'calls']"
KINDS = {"": ("calls and stages", _TIMED), "calls": ("calls", "['calls']"), "stages": ("stages", _TIMED),
         "totals": ("totals of presses", _TIMED)}
_KIND = (f"CASE WHEN metric <> '{STAGE}' THEN 'calls' WHEN responder = 'total' THEN 'totals' "
         "WHEN responder = 'total of repeats' THEN 'repeats' ELSE 'stages' END")


@dataclass(frozen=True)
class Omission:
    """Sessions that are not compared, in words."""

    line: str
    # The result is then not one about the versions.
    is_too_much: bool


@dataclass(frozen=True)
class Coverage:
    """Sessions of both versions by their reason, for each of KINDS; those without presses are counted apart."""

    by: str
    versions: tuple[str, str]
    kinds: dict[str, tuple[Counter[str], Counter[str]]]
    without_presses: tuple[int, int]
    # Of the ingests that they came with: all inputs, and by status those that have no version.
    inputs: int
    unknown: Counter[str]
    # Sessions of other ingests that are ok and have no version.
    unknown_elsewhere: int

    @property
    def sessions(self) -> tuple[Counter[str], Counter[str]]:
        return self.kinds[""]

    @property
    def omissions(self) -> list[Omission]:
        found = [omission for kind in KINDS for omission in self._of_kind(kind)]
        left = self.unknown.total()
        if left:
            parts = ", ".join(f"{text.number(count)} {self._status(status)}"
                              for status, count in sorted(self.unknown.items()))
            line = f"{_of(left, self.inputs)} inputs of the same ingests, of an unknown version: {parts}"
            found.append(Omission(line + _limit(left, self.inputs), left > MOST * self.inputs))
        if self.unknown_elsewhere:
            count = text.counted(self.unknown_elsewhere, "session", "sessions")
            found.append(Omission(f"{count} of other ingests {self._status('ok')}", False))
        return found + self._of_presses()

    def _of_kind(self, kind: str) -> list[Omission]:
        what = KINDS[kind][0]
        sides = self.kinds[kind]
        if kind and not any(side[reason] for side in sides for reason in (COMPARED, "with_losses", "in_no_cell")):
            line = f"{what}: neither version has times of them"
            return [Omission(line, any(side["without_times"] for side in sides))]
        found = []
        for version, counts, all_times in zip(self.versions, sides, self.sessions):
            total = counts.total()
            left = total - counts[COMPARED]
            # What is left out for all times is not named again for each kind.
            if left > (all_times.total() - all_times[COMPARED] if kind else 0):
                is_too_much = left > MOST * total or not kind and counts[LOST] > 0
                line = f"{_of(left, total)} sessions of {version}: {self.reasons(counts, kind)}{_limit(left, total)}"
                found.append(Omission(f"{what}: {line}" if kind else line, is_too_much))
        return found

    def _of_presses(self) -> list[Omission]:
        totals = [counts.total() + without for counts, without in zip(self.sessions, self.without_presses)]
        is_too_much = is_uneven(self.without_presses, (totals[0], totals[1]))
        limit = "; expected a like share in both" if is_too_much else ""
        return [Omission(f"{_of(without, total)} sessions of {version}: without presses{limit}", is_too_much)
                for version, without, total in zip(self.versions, self.without_presses, totals) if without]

    def _status(self, status: str) -> str:
        return f"without {self.by}" if status == "ok" else status

    @staticmethod
    def reasons(counts: Counter[str], kind: str = "") -> str:
        return ", ".join(f"{text.number(counts[reason])} {words.format(what=KINDS[kind][0])}"
                         for reason, words in REASONS.items() if counts[reason])


def _of(part: int, total: int) -> str:
    return f"{text.number(part)} of {text.number(total)} ({part / total:.1%})".replace("%", " %")


def _limit(part: int, total: int) -> str:
    return f"; at most {MOST * 100:.0f} % may be left out" if part > MOST * total else ""


def cover(connection: duckdb.DuckDBPyConnection, by: str, versions: tuple[str, str]) -> Coverage:
    """Reads the tables measured and kept of a comparison.

    by is the name of a column of sessions, which the caller has checked.
    """
    counts: dict[str, dict[str, Counter[str]]] = {kind: {version: Counter() for version in versions} for kind in KINDS}
    kinds = ", ".join(f"('{kind}', {levels})" for kind, (_, levels) in KINDS.items())
    for kind, version, reason, count in connection.execute(f"""
            WITH timed AS (
                SELECT trace_id, coalesce(kind, '') AS kind, bool_or(is_kept) AS is_kept FROM (
                    SELECT trace_id, {_KIND} AS kind, false AS is_kept FROM measured
                    UNION ALL SELECT trace_id, {_KIND}, true FROM kept)
                GROUP BY GROUPING SETS ((trace_id, kind), (trace_id))
            ), totals AS (
                SELECT trace_id, coalesce(sum(n) FILTER (stage = 'total' AND occasion = 'down'), 0) AS total
                FROM histograms GROUP BY trace_id
            ), counted AS (
                SELECT s.*, s.{by} AS version, total FROM sessions s LEFT JOIN totals USING (trace_id)
                WHERE s.status <> 'duplicate' AND s.{by} IN (?, ?)
            )
            SELECT k.kind, version, CASE WHEN status <> 'ok' THEN 'in_quarantine'
                WHEN total IS NULL AND coalesce(presses, 0) = 0 THEN '{_WITHOUT_PRESSES}'
                WHEN total IS NULL AND level IN {_TIMED} THEN '{LOST}'
                WHEN sample_id IS NULL THEN 'without_installation'
                WHEN is_kept IS NULL THEN CASE WHEN level IN k.levels AND (k.kind <> 'calls' OR profile IS NOT NULL)
                    THEN 'without_times' ELSE 'not_recorded' END
                WHEN NOT is_kept THEN 'in_no_cell'
                WHEN complete IS NOT TRUE OR records_lost IS DISTINCT FROM 0
                    OR total > 0 AND presses - total > greatest(1, {MOST} * presses) THEN 'with_losses'
                ELSE '{COMPARED}' END AS reason, count(*)
            FROM counted s CROSS JOIN (VALUES {kinds}) k (kind, levels)
            LEFT JOIN timed t ON t.trace_id = s.trace_id AND t.kind = k.kind
            GROUP BY 1, 2, 3""", list(versions)).fetchall():
        counts[kind][version][reason] = count
    sides = {kind: (found[versions[0]], found[versions[1]]) for kind, found in counts.items()}
    first, second = (side.pop(_WITHOUT_PRESSES, 0) for side in sides[""])
    for kind in sides:
        for side in sides[kind]:
            side.pop(_WITHOUT_PRESSES, None)
    return Coverage(by, versions, sides, (first, second), *_unknown(connection, by, versions))


def _unknown(connection: duckdb.DuckDBPyConnection, by: str,
             versions: tuple[str, str]) -> tuple[int, Counter[str], int]:
    """The inputs of the ingests that the versions came with; by status those of them that have no version; and the
    sessions of other ingests that have none."""
    inputs, elsewhere = 0, 0
    unknown: Counter[str] = Counter()
    for is_same, is_unknown, status, count in connection.execute(f"""
            SELECT batch IN (SELECT batch FROM sessions WHERE {by} IN (?, ?)), {by} IS NULL, status, count(*)
            FROM sessions WHERE status <> 'duplicate' GROUP BY 1, 2, 3""", list(versions)).fetchall():
        inputs += count if is_same else 0
        if is_unknown and is_same:
            unknown[status] += count
        elif is_unknown and status == "ok":
            elsewhere += count
    return inputs, unknown, elsewhere
