"""The statistics of a comparison, on numbers that need no trace."""

from __future__ import annotations

import math
import random
import unittest

import duckdb
import pyarrow

from keyflight.fleet import comparison, percentiles, student
from keyflight.fleet.jackknife import UNIT, Sum, difference
from keyflight.fleet.occurrence import is_uneven
from keyflight.fleet.report import sorted_versions
from keyflight.fleet.shuffles import Alarms
from keyflight.fleet.text import change, duration

_COLUMNS = ("trace_id", "version", "stratum", "conditions", "sample", "cluster", "metric", "responder", "value")


def fleet(shift: dict[tuple[str, str], float], sessions: int = 1200, samples: int = 60, load: float = 0.15,
          responders: int = 6, seed: int = 3, moved: str = "") -> duckdb.DuckDBPyConnection:
    """Observations of sessions on two systems, with labels. shift: by responder and system, of group 1; moved: the
    system on which each group has a device of its own."""
    lot = random.Random(seed)
    observations: list[tuple[object, ...]] = []
    labels: list[tuple[object, ...]] = []
    for number in range(sessions):
        sample, label = lot.randrange(samples), lot.randrange(2)
        system, device = f"os{sample % 2}", f"device{sample % 3}"
        if system == moved:
            device = f"own{label}"
        base = sample % 3 + lot.gauss(0, load)
        labels.append((str(number), label))
        for place in range(responders):
            value = base + place + lot.gauss(0, 0.05) + (shift.get((f"r{place}", system), 0.0) if label else 0.0)
            observations.append((str(number), str(label), system, device, sample, sample, "keyCommands", f"r{place}",
                                 round(value * UNIT)))
    connection = duckdb.connect()
    for table, names, rows in (("measured", _COLUMNS, observations), ("labels", ("trace_id", "label"), labels)):
        connection.register("rows", pyarrow.table(dict(zip(names, map(list, zip(*rows))))))
        connection.execute(f"CREATE TABLE {table} AS FROM rows")
    comparison.center(connection)
    return connection


class StudentTests(unittest.TestCase):
    def test_values_of_tables(self) -> None:
        # Two-sided 5 % and 1 %.
        for freedom, t, probability in ((1, 12.7062, 0.05), (9, 2.26216, 0.05), (30, 2.75, 0.01), (99, 1.98422, 0.05)):
            self.assertAlmostEqual(student.two_sided(t, freedom), probability, places=5)
            self.assertAlmostEqual(student.quantile(1 - probability / 2, freedom), t, places=3)
        self.assertEqual(student.two_sided(0, 5), 1.0)


class JackknifeTests(unittest.TestCase):
    def test_leaving_out_one_session_gives_the_error_of_two_means(self) -> None:
        lot = random.Random(1)
        groups = [[lot.gauss(group, 1) for _ in range(40)] for group in (0, 1)]
        sums = [Sum("d", group, (group, place), 1, round(value * UNIT))
                for group, values in enumerate(groups) for place, value in enumerate(values)]
        found = difference(sums)
        assert found is not None
        means = [math.fsum(values) / 40 for values in groups]
        errors = [sum((value - mean) ** 2 for value in values) / 39 / 40 for values, mean in zip(groups, means)]
        self.assertAlmostEqual(found.value, means[1] - means[0], places=6)
        self.assertAlmostEqual(found.error, math.sqrt(sum(errors)), delta=0.01 * found.error)

    def test_another_mix_of_devices_is_no_difference(self) -> None:
        sums = [Sum(device, group, cluster, count, count * base * UNIT)
                for device, base, counts in (("slow", 2, (9, 1)), ("fast", 1, (1, 9)))
                for group, count in enumerate(counts) for cluster in range(3)]
        found = difference(sums)
        assert found is not None
        self.assertEqual((found.value, found.error), (0.0, 0.0))
        self.assertEqual(found.probability, 1.0)

    def test_one_group_or_one_cluster_is_nothing(self) -> None:
        self.assertIsNone(difference([Sum("d", 0, 1, 5, 5), Sum("e", 1, 2, 5, 5)]))
        self.assertIsNone(difference([Sum("d", 0, 1, 5, 5), Sum("d", 1, 1, 5, 5)]))
        self.assertIsNone(difference([]))


class ComparisonTests(unittest.TestCase):
    def test_the_planted_cell_alone_is_called_changed(self) -> None:
        found = comparison.compare(fleet({("r2", "os1"): math.log(1.15)}))
        self.assertEqual([row.cell for row in found.changed], [("os1", "keyCommands", "r2")])
        row = found.changed[0]
        assert row.relative is not None
        self.assertAlmostEqual(row.relative.change, 0.15, delta=0.02)
        # The comparison of the others no longer contains it.
        for other in found.rows:
            if other is not row and other.relative is not None:
                self.assertLess(abs(other.relative.change), 0.02)

    def test_a_change_of_everything_is_in_the_row_of_all(self) -> None:
        shift = {(f"r{place}", "os0"): 0.3 for place in range(6)}
        found = comparison.compare(fleet(shift))
        self.assertEqual([row.cell for row in found.changed], [("os0", None, None)])
        self.assertAlmostEqual(found.changed[0].absolute.change, math.expm1(0.3), delta=0.05)

    def test_without_others_the_absolute_change_decides(self) -> None:
        found = comparison.compare(fleet({("r0", "os0"): 0.3}, responders=2))
        self.assertTrue(all(row.relative is None for row in found.rows))
        self.assertIn(("os0", "keyCommands", "r0"), [row.cell for row in found.changed])

    def test_the_absolute_change_decides_where_most_sessions_have_no_others(self) -> None:
        connection = fleet({("r0", "os0"): 0.3, ("r1", "os0"): 0.3})
        connection.execute("""DELETE FROM measured WHERE responder NOT IN ('r0', 'r1') AND trace_id::INT >= 100""")
        comparison.center(connection)
        found = comparison.compare(connection)
        cells = {row.cell: row for row in found.rows}
        self.assertIsNone(cells["os0", "keyCommands", "r0"].relative)
        self.assertTrue(cells["os0", "keyCommands", "r0"].is_changed)

    def test_a_cell_that_one_group_hardly_has_is_named(self) -> None:
        connection = fleet({})
        connection.execute("DELETE FROM measured WHERE responder = 'r0' AND version = '1' AND sample NOT IN (1, 2, 3)")
        comparison.center(connection)
        found = comparison.compare(connection)
        self.assertEqual([(single.cell, single.group, single.others > 0) for single in found.singles],
                         [(("os0", "keyCommands", "r0"), 0, True), (("os1", "keyCommands", "r0"), 0, True)])
        self.assertEqual(found.hidden, 0)

    def test_cells_of_few_samples_are_left_out_and_counted(self) -> None:
        found = comparison.compare(fleet({}, samples=18))
        self.assertEqual((found.rows, found.hidden), ([], 14))
        self.assertEqual(comparison.compare(fleet({}, samples=24)).hidden, 0)

    def test_devices_of_one_group_are_named_and_are_no_part_of_a_cell(self) -> None:
        found = comparison.compare(fleet({("r1", "os1"): 1.0}, moved="os1"))
        self.assertEqual({row.cell[0] for row in found.rows}, {"os0"})
        self.assertEqual([(single.cell, single.group, single.conditions) for single in found.singles],
                         [(("os1", None, None), 0, "own0"), (("os1", None, None), 1, "own1")])
        self.assertEqual((found.changed, found.hidden), ([], 7))

    def test_a_cell_counts_the_samples_of_common_devices_alone(self) -> None:
        connection = fleet({}, samples=24)
        # Group 1 keeps 4 of 12 samples of each system on devices of both.
        connection.execute("UPDATE measured SET conditions = 'new' WHERE version = '1' AND conditions <> 'device0'")
        comparison.center(connection)
        found = comparison.compare(connection)
        self.assertEqual((found.rows, found.hidden), ([], 14))
        self.assertTrue(found.nothing("os_version").startswith("expected cells of 10 samples"))

    def test_the_reason_why_nothing_is_compared(self) -> None:
        for change, reason in (("conditions = version", "expected one device_model_identifier, profile, layout and"),
                               ("stratum = version", "expected a call or stage on an os_version that both have")):
            connection = fleet({}, responders=2)
            connection.execute(f"UPDATE measured SET {change}")
            comparison.center(connection)
            found = comparison.compare(connection)
            self.assertEqual(found.rows, [])
            self.assertIn(reason, found.nothing("os_version"))

    def test_a_change_of_the_detectable_size_is_found_about_four_times_in_five(self) -> None:
        cell = ("os0", "keyCommands", "r1")
        least = [math.log1p(row.decisive.detectable(comparison.ALPHA / 14)) for seed in range(20)
                 for row in comparison.compare(fleet({}, 500, seed=seed)).rows if row.cell == cell]
        size = math.fsum(least) / len(least)
        shift = {("r1", "os0"): size}
        hits = sum(cell in [row.cell for row in comparison.compare(fleet(shift, 500, seed=seed)).changed]
                   for seed in range(100, 140))
        self.assertTrue(24 <= hits <= 39, hits)


class OccurrenceTests(unittest.TestCase):
    def test_shares_differ_by_more_than_a_tenth_and_more_than_by_lot(self) -> None:
        for parts, totals, expected in (((144, 16), (144, 156), True), ((0, 140), (144, 156), True),
                                        ((12, 0), (144, 156), False), ((50, 58), (100, 100), False),
                                        ((5_000, 5_900), (10_000, 10_000), False),
                                        ((5_000, 6_100), (10_000, 10_000), True), ((3, 0), (5, 5), False),
                                        ((0, 0), (5, 5), False), ((5, 5), (5, 5), False), ((1, 0), (1, 0), False)):
            self.assertEqual(is_uneven(parts, totals), expected, (parts, totals))


class PercentileTests(unittest.TestCase):
    def test_buckets_are_those_of_the_format(self) -> None:
        self.assertEqual([percentiles.middle(code) for code in (5, 127, 128, 129, 192)], [5, 127, 129, 131, 258])

    def test_none_of_too_few(self) -> None:
        few = percentiles.percentiles([(10, 99)], 10)
        self.assertEqual(few, {50: 10, 95: 10, 99: None})
        self.assertEqual(percentiles.percentiles([(10, 19)], 10), {50: 10, 95: None, 99: None})
        self.assertEqual(percentiles.percentiles([(10, 99), (20, 1)], 20), {50: 10, 95: 10, 99: 10})


class TextTests(unittest.TestCase):
    def test_numbers(self) -> None:
        self.assertEqual([duration(value) for value in (7, 1_500, 324_000, 4_350_000, None)],
                         ["7 ns", "1.50 µs", "324 µs", "4.35 ms", "–"])
        self.assertEqual([change(value) for value in (0.1449, -0.02, 0.0001)], ["+14.5 %", "−2.0 %", "0.0 %"])
        self.assertEqual(sorted_versions(["4.10", "4.9", "4.9-beta"]), ["4.9", "4.9-beta", "4.10"])

    def test_the_interval_of_a_rate(self) -> None:
        low, high = Alarms(200, 10).interval
        self.assertAlmostEqual(low, 0.0242, places=3)
        self.assertAlmostEqual(high, 0.0900, places=3)
        self.assertEqual(Alarms(200, 0).interval[0], 0.0)


if __name__ == "__main__":
    unittest.main()
