"""The difference of two groups of sessions, and how sure it is.

A group is divided by the conditions of its sessions (their device, say); the difference under each weighs as its
sessions allow, so that a different mix of conditions is no difference. The error is that of leaving out one cluster (a
sample of installations, or a session) at a time: sessions of one installation are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from keyflight.fleet import student

# Logarithms are integers, whose sums do not depend on their order.
UNIT = 1_000_000_000
POWER = 0.8


@dataclass(frozen=True)
class Sum:
    """Logarithms of one cluster's sessions under the same conditions in one group."""

    conditions: object
    group: int
    cluster: object
    count: int
    total: int


@dataclass(frozen=True)
class Difference:
    """The difference of the logarithms of two groups."""

    value: float
    error: float
    clusters: int

    @property
    def change(self) -> float:
        """The relative change: 0.15 is 15 % more."""
        return math.expm1(self.value)

    @property
    def probability(self) -> float:
        """The probability of so large a difference where there is none."""
        if self.error == 0:
            return 1.0 if self.value == 0 else 0.0
        return student.two_sided(self.value / self.error, self.clusters - 1)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        reach = student.quantile((1 + confidence) / 2, self.clusters - 1) * self.error
        return math.expm1(self.value - reach), math.expm1(self.value + reach)

    def detectable(self, alpha: float) -> float:
        """The least change that is found in 80 of 100 cases at this level."""
        freedom = self.clusters - 1
        return math.expm1((student.quantile(1 - alpha / 2, freedom) + student.quantile(POWER, freedom)) * self.error)


class _Part:
    """Count and sum of both groups under the same conditions."""

    __slots__ = ("counts", "totals")

    def __init__(self) -> None:
        self.counts = [0, 0]
        self.totals = [0, 0]

    def add(self, row: Sum) -> None:
        self.counts[row.group] += row.count
        self.totals[row.group] += row.total

    def without(self, rows: list[Sum]) -> tuple[float, float]:
        counts, totals = list(self.counts), list(self.totals)
        for row in rows:
            counts[row.group] -= row.count
            totals[row.group] -= row.total
        return _part(counts, totals)


def _part(counts: list[int], totals: list[int]) -> tuple[float, float]:
    """Weight, and difference times weight. Conditions that only one group has weigh nothing."""
    if 0 in counts:
        return 0.0, 0.0
    weight = counts[0] * counts[1] / (counts[0] + counts[1])
    return weight, weight * (totals[1] / counts[1] - totals[0] / counts[0])


def difference(sums: Iterable[Sum]) -> Difference | None:
    """The difference of two groups; None where no conditions have sessions of both, or all are of one cluster."""
    entries: dict[object, _Part] = {}
    clusters: dict[object, dict[object, list[Sum]]] = {}
    for row in sums:
        entries.setdefault(row.conditions, _Part()).add(row)
        clusters.setdefault(row.cluster, {}).setdefault(row.conditions, []).append(row)
    parts = {conditions: entry.without([]) for conditions, entry in entries.items()}
    weight, value = (math.fsum(column) for column in zip(*parts.values())) if parts else (0.0, 0.0)
    if weight == 0:
        return None
    left_out = []
    for rows in clusters.values():
        others = [entries[conditions].without(part) for conditions, part in rows.items()]
        rest = weight + sum(part[0] for part in others) - sum(parts[conditions][0] for conditions in rows)
        shift = value + sum(part[1] for part in others) - sum(parts[conditions][1] for conditions in rows)
        if rest > 1e-9:
            left_out.append(shift / rest)
    count = len(left_out)
    if count < 2:
        return None
    mean = math.fsum(left_out) / count
    error = math.sqrt((count - 1) / count * math.fsum((value - mean) ** 2 for value in left_out))
    return Difference(value / weight / UNIT, error / UNIT, count)
