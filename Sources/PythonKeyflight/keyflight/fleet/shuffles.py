"""The rate of false alarms of a comparison, measured on groups that are drawn by lot."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import duckdb
import pyarrow

from keyflight.fleet.comparison import compare


@dataclass(frozen=True)
class Alarms:
    shuffles: int
    alarms: int

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the rate, with a confidence of 95 % (Clopper and Pearson)."""
        return _limit(self.alarms, self.shuffles, 0.975), _limit(self.alarms + 1, self.shuffles, 0.025)


def _limit(alarms: int, shuffles: int, tail: float) -> float:
    """The rate with which fewer than so many alarms come with the probability tail."""
    if not 0 < alarms <= shuffles:
        return 0.0 if alarms <= 0 else 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        fewer = math.fsum(math.comb(shuffles, k) * rate**k * (1 - rate) ** (shuffles - k) for k in range(alarms))
        low, high = (rate, high) if fewer > tail else (low, rate)
    return (low + high) / 2


def shuffle(connection: duckdb.DuckDBPyConnection, count: int, progress: Callable[[str], None]) -> Alarms:
    """Shuffles the sessions of the table labels, one by one and by samples of installations in turn."""
    sessions = connection.execute("""SELECT DISTINCT trace_id, sample FROM observations
        WHERE trace_id IN (SELECT trace_id FROM labels) ORDER BY 1""").fetchall()
    connection.execute("CREATE OR REPLACE TEMP TABLE given AS FROM labels")
    lot = random.Random(1)
    alarms = 0
    for number in range(count):
        progress(f"shuffling: {number} of {count}, {alarms} alarms")
        by_sample = [lot.randrange(2) for _ in range(100)]
        labels = [by_sample[sample] if number % 2 else lot.randrange(2) for _, sample in sessions]
        rows = pyarrow.table({"trace_id": [trace for trace, _ in sessions], "label": labels})
        connection.register("lots", rows)
        connection.execute("CREATE OR REPLACE TEMP TABLE labels AS FROM lots")
        connection.unregister("lots")
        alarms += bool(compare(connection).changed)
    connection.execute("CREATE OR REPLACE TEMP TABLE labels AS FROM given")
    return Alarms(count, alarms)
