"""Results of compare and ingest as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from keyflight.fleet import text
from keyflight.fleet.comparison import ALPHA, CONDITIONS, LEAST_SAMPLES, STAGE, Cell, Comparison, Row, Single
from keyflight.fleet.coverage import COMPARED, KINDS, REASONS, Coverage
from keyflight.fleet.ingest import Ingested
from keyflight.fleet.jackknife import Difference
from keyflight.fleet.occurrence import Occurrence, Value
from keyflight.fleet.percentiles import Percentiles
from keyflight.fleet.shuffles import Alarms
from keyflight.fleet.text import Column, Table

# Rows of the table in a text, and lines about what is left out.
LIMIT = 40
# The name of all responders that an ingest does not keep.
HIDDEN = "(other)"
# The quarantine in the order of a session's life.
_REASONS = {"damaged": "damaged or torn", "other_version": "of another version", "too_large": "too large"}


@dataclass(frozen=True)
class Question:
    """The versions and groups of a comparison."""

    by: str
    versions: tuple[str, str]
    within: str | None
    cluster: str
    sessions: tuple[int, int]


@dataclass(frozen=True)
class Compared:
    question: Question
    comparison: Comparison
    coverage: Coverage
    # Calls and stages that are not compared in all sessions that have them, and differences of the conditions.
    names: list[Occurrence]
    values: list[Value]
    # The columns of the conditions, by their number.
    conditions: dict[object, dict[str, str | None]]
    percentiles: dict[tuple[Cell, int], Percentiles]
    alarms: Alarms | None = None

    @property
    def is_slower(self) -> bool:
        return any(row.decisive.value > 0 for row in self.comparison.changed)

    @property
    def status(self) -> int:
        """Of a run: 0 only where everything was compared."""
        return 4 if self.missing else 1 if self.is_slower else 0

    @property
    def missing(self) -> list[str]:
        """A line for each thing that could not be compared."""
        first, second = self.question.versions
        nothing = f"{first} and {second}: {self.comparison.nothing(self.question.within)}"
        lines = [*([] if self.comparison.rows else [nothing]), *map(self.single, self.comparison.singles),
                 *(omission.line for omission in self.coverage.omissions if omission.is_too_much),
                 *(self._occurrence(found) for found in self.rare if found.is_too_much)]
        return [text.safe(f"not compared: {line}") for line in lines]

    @property
    def sessions_left_out(self) -> list[str]:
        """A line for each sort of sessions that are too few to matter."""
        return [text.safe(f"left out: {omission.line}") for omission in self.coverage.omissions
                if not omission.is_too_much]

    @property
    def left_out(self) -> list[str]:
        """A line for each sort of sessions, and each call or stage, that are too few to matter, and for calls without
        names."""
        rare = [text.safe(f"left out: {self._occurrence(found)}") for found in self.rare
                if any(found.left) and not found.is_too_much]
        return self.sessions_left_out + self._nameless + rare

    @property
    def _nameless(self) -> list[str]:
        hidden = any(row.cell[1] not in (None, STAGE) and row.cell[2] == HIDDEN for row in self.comparison.rows)
        return [f"left out: each call of responders that --allow-ids of the ingest does not name: they are compared "
                f"together, as {HIDDEN}"] if hidden else []

    @property
    def uneven(self) -> list[str]:
        """A line for each call that one version has more often, and each condition of the sessions that differs."""
        lines = [*(self._occurrence(found) for found in self.rare if found.is_uneven and not found.is_too_much),
                 *(f"{value.column} {text.plain(value.value)}: {self._shares(value.sessions, value.totals)}"
                   for value in self.values)]
        return [text.safe(f"uneven: {line}") for line in lines]

    @property
    def rare(self) -> list[Occurrence]:
        """Without the calls and stages that only one version has, which are named as such."""
        singles = {single.cell[1:] for single in self.comparison.singles if not single.is_partial}
        return [found for found in self.names if (found.metric, found.name) not in singles]

    def _shares(self, parts: tuple[int, int], totals: tuple[int, int]) -> str:
        first, second = (f"{text.number(part)} of {text.number(total)}" for part, total in zip(parts, totals))
        return f"{first} sessions of {self.question.versions[0]}, {second} of {self.question.versions[1]}"

    def _occurrence(self, found: Occurrence) -> str:
        compared = " and ".join(map(text.number, found.compared))
        which = f"; compared in {compared} of them" if any(found.left) else ""
        return f"{text.plain(found.name)} {found.metric}: {self._shares(found.sessions, found.totals)}{which}"

    # MARK: Text

    def text(self) -> str:
        asked = self.question
        first, second = asked.versions
        lines = [
            text.safe(f"{first} → {second} by {asked.by}: {text.number(asked.sessions[0])} and "
                      f"{text.counted(asked.sessions[1], 'session', 'sessions')}"),
            f"{text.counted(self.comparison.tests, 'cell', 'cells')} of a call or stage"
            + (f" and {asked.within}" if asked.within else "")
            + f"; devices and other conditions weighed; errors by {asked.cluster}; Holm at {ALPHA * 100:.0f} %",
        ]
        if self.comparison.hidden:
            kept = text.counted(self.comparison.hidden, "cell is", "cells are")
            lines.append(f"{kept} left out: fewer than {LEAST_SAMPLES} samples of installations under common "
                         "conditions")
        notes = [*self.left_out, *self.uneven]
        lines += notes[:LIMIT]
        if len(notes) > LIMIT:
            lines.append(f"and {text.number(len(notes) - LIMIT)} lines more; --format json has all")
        lines.append("")
        lines += [self.verdict(row) for row in self.comparison.changed] + self.missing or ["nothing changed"]
        for table in self.tables():
            lines += ["", *table.lines()]
        if self.alarms is not None:
            lines += ["", self.alarm_line()]
        return "\n".join(lines) + "\n"

    def _name(self, cell: Cell) -> str:
        stratum, metric, responder = cell
        what = "all calls" if not metric else "all stages" if cell[1:] == (STAGE, None) else None
        what = f"{what} of a session" if what else f"{text.plain(responder)} {metric}"
        return what + (f" on {self.question.within} {text.plain(stratum)}" if self.question.within else "")

    def single(self, single: Single) -> str:
        """The place that only one version has, in words."""
        version, other = (self.question.versions[group] for group in (single.group, 1 - single.group))
        # Of the conditions those that differ between sessions.
        given = self.conditions.get(single.conditions, {}) if single.is_partial else {}
        device = given.get("device_model_identifier")
        parts = [text.plain(device)] if "device_model_identifier" in given else []
        parts += [f"{name} {text.plain(value)}" for name, value in given.items() if name != "device_model_identifier"
                  and len({values[name] for values in self.conditions.values()}) > 1]
        where = f" on {', '.join(parts)}" if parts else ""
        return f"{self._name(single.cell)}{where}: only {version} has it" \
               + (f" in enough sessions, {text.number(single.sessions)}; {other} has too few" if single.others
                  else f", in {text.counted(single.sessions, 'session', 'sessions')}")

    def verdict(self, row: Row) -> str:
        found = row.decisive
        low, high = found.interval()
        how = "relative to the session's other calls" if row.relative else "in absolute terms"
        return text.safe(f"{'slower' if found.value > 0 else 'faster'}: {self._name(row.cell)}: {text.change(found.change)} "
                         f"({text.change(low)} to {text.change(high)}) {how}")

    def tables(self, everything: bool = False) -> list[Table]:
        """The tables with the times of all cells, or of those that changed."""
        rows = self.comparison.rows
        first = rows if everything else rows[:LIMIT]
        notes = [
            "relative: to the session's other calls; 95 %: its interval, or that of absolute where there are no others;",
            "p: with Holm's correction; detectable: the least change found in 80 of 100 cases.",
            "Repeats are compared by their total alone.",
        ]
        if len(rows) > len(first):
            notes.insert(0, f"and {text.counted(len(rows) - len(first), 'cell', 'cells')} more; --format json has all")
        columns = [*self._names, Column("absolute", True), Column("relative", True), Column("95 %", True),
                   Column("p", True), Column("detectable", True)]
        changes = Table("Calls and stages, the most certain change first", columns, [self._changes(row) for row in first], notes)
        spans = [self._times(row) for row in (rows if everything else self.comparison.changed) if row.cell[1]]
        columns = [*self._names, Column("sessions", True), *(Column(name, True) for name in ("p50", "p95", "p99"))]
        title = "Times of a call or stage" if everything else "Times of what changed"
        times = Table(f"{title}, {' → '.join(self.question.versions)}", columns, spans,
                      [f"{text.ABSENT} where calls are too few: p95 needs 20, p99 needs 100."])
        return [times, changes] if spans else [changes]

    @property
    def _names(self) -> list[Column]:
        within = [Column(self.question.within)] if self.question.within else []
        return [Column("responder or stage"), Column("call"), *within]

    def _cell(self, row: Row) -> list[str]:
        stratum, metric, responder = row.cell
        return [text.plain(responder) if metric else "(all)", metric or "",
                *([text.plain(stratum)] if self.question.within else [])]

    def _changes(self, row: Row) -> list[str]:
        low, high = row.decisive.interval()
        return [*self._cell(row), text.change(row.absolute.change),
                text.change(row.relative.change) if row.relative else text.ABSENT,
                f"{text.change(low)} … {text.change(high)}", text.probability(row.probability),
                text.change(row.decisive.detectable(self.level)).lstrip("+")]

    def _times(self, row: Row) -> list[str]:
        groups = [self.percentiles.get((row.cell, group), {}) for group in (0, 1)]
        spans = (" → ".join(text.duration(group.get(percent)) for group in groups) for percent in (50, 95, 99))
        return [*self._cell(row), " → ".join(text.number(count) for count in row.sessions), *spans]

    @property
    def level(self) -> float:
        return ALPHA / max(1, self.comparison.tests)

    def alarm_line(self) -> str:
        assert self.alarms is not None
        low, high = self.alarms.interval
        rate, least, most = (f"{value * 100:.1f} %" for value in (self.alarms.alarms / self.alarms.shuffles, low, high))
        return (f"of {text.number(self.alarms.shuffles)} comparisons by lot {text.number(self.alarms.alarms)} call "
                f"something changed: {rate} (95 %: {least} to {most})")

    # MARK: JSON

    def json(self) -> str:
        asked = self.question
        value: dict[str, Any] = {
            "schema": "keyflight.fleet.compare/1", "by": asked.by, "versions": list(asked.versions),
            "within": asked.within, "cluster": asked.cluster, "sessions": list(asked.sessions), "alpha": ALPHA,
            "least_samples": LEAST_SAMPLES, "tests": self.comparison.tests, "hidden": self.comparison.hidden,
            "not_compared": [self._single(single) for single in self.comparison.singles],
            "coverage": [self._coverage(group) for group in (0, 1)],
            "rare": [self._rare(found) for found in self.rare],
            "conditions": [{"column": value.column, "value": value.value, "sessions": list(value.sessions),
                            "of": list(value.totals)} for value in self.values],
            "inputs": self.coverage.inputs, "unknown_version": dict(sorted(self.coverage.unknown.items())),
            "unknown_version_elsewhere": self.coverage.unknown_elsewhere,
            "missing": self.missing, "left_out": self.left_out, "uneven": self.uneven,
            "changed": len(self.comparison.changed), "cells": [self._object(row) for row in self.comparison.rows],
        }
        if self.alarms is not None:
            value["self_test"] = {"shuffles": self.alarms.shuffles, "alarms": self.alarms.alarms,
                                  "interval": [_short(limit) for limit in self.alarms.interval]}
        return json.dumps(value, ensure_ascii=False) + "\n"

    def _single(self, single: Single) -> dict[str, Any]:
        given = self.conditions.get(single.conditions, {}) if single.is_partial else {}
        columns = {name: given.get(name) for name in CONDITIONS if name != "device_model_identifier"}
        return {**_named(single.cell), "device": given.get("device_model_identifier"), **columns,
                "version": self.question.versions[single.group], "sessions": single.sessions, "others": single.others}

    def _coverage(self, group: int) -> dict[str, Any]:
        def counts(kind: str) -> dict[str, int]:
            found = self.coverage.kinds[kind][group]
            return {"sessions": found.total(), **{reason: found[reason] for reason in (COMPARED, *REASONS)}}
        return {"version": self.question.versions[group], **counts(""),
                "without_presses": self.coverage.without_presses[group],
                "kinds": {kind: counts(kind) for kind in KINDS if kind}}

    def _rare(self, found: Occurrence) -> dict[str, Any]:
        return {**_named((None, found.metric, found.name)), "sessions": list(found.sessions),
                "compared": list(found.compared), "of": list(found.totals), "missing": found.is_too_much}

    def _object(self, row: Row) -> dict[str, Any]:
        times = [self.percentiles.get((row.cell, group), {}) for group in (0, 1)]
        return {
            **_named(row.cell), "sessions": list(row.sessions),
            **{f"p{percent}_ns": [group.get(percent) for group in times] for percent in (50, 95, 99)},
            "absolute": self._difference(row.absolute),
            "relative": self._difference(row.relative) if row.relative else None,
            "probability": _short(row.probability), "changed": row.is_changed,
        }

    def _difference(self, found: Difference) -> dict[str, Any]:
        return {"change": _short(found.change), "interval": [_short(limit) for limit in found.interval()],
                "clusters": found.clusters, "detectable": _short(found.detectable(self.level))}


def _named(cell: Cell) -> dict[str, Any]:
    stratum, metric, name = cell
    is_stage = metric == STAGE
    return {"stratum": stratum, "metric": metric, "responder": None if is_stage else name,
            "stage": name if is_stage else None}


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def ingested_text(name: str, result: Ingested) -> str:
    lines = [f"{name}: {text.counted(result.inputs, 'input', 'inputs')}: {text.number(result.statuses['ok'])} added, "
             f"{text.number(result.known)} there before"]
    bad = {status: count for status, count in sorted(result.statuses.items()) if status != "ok"}
    if bad:
        parts = ", ".join(f"{text.number(count)} {_REASONS.get(status, status)}" for status, count in bad.items())
        lines.append(f"  {text.number(sum(bad.values()))} in quarantine: {parts}")
    if result.unreadable:
        lines.append(f"  {text.number(result.unreadable)} cannot be read; a later ingest tries again")
    if result.removed:
        lines.append(f"  {text.counted(result.removed, 'file', 'files')} of an unfinished ingest removed")
    return "\n".join(lines) + "\n"


def ingested_json(result: Ingested) -> str:
    return json.dumps({
        "schema": "keyflight.fleet.ingest/1", "inputs": result.inputs, "known": result.known,
        "unreadable": result.unreadable, "statuses": dict(sorted(result.statuses.items())),
        "batches": result.batches, "removed": result.removed, "passed_over": len(result.passed_over),
    }) + "\n"


def sorted_versions(versions: Sequence[str]) -> list[str]:
    """Versions in their numeric order: 4.9 before 4.10."""
    def parts(version: str) -> list[tuple[int, int, str]]:
        pieces = version.replace("-", ".").replace("+", ".").split(".")
        return [(0, int(piece), "") if piece.isdecimal() else (1, 0, piece) for piece in pieces]
    return sorted(versions, key=lambda version: (parts(version), version))
