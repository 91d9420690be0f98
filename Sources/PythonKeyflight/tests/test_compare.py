"""What a comparison of real traces compares, and what it names as not compared. The environment is that of lake_case.
"""

from __future__ import annotations

import json
import shutil
import unittest
from typing import Any
from unittest import mock

from keyflight.fleet import actions, lake
from lake_case import LakeCase


class CompareTests(LakeCase):
    def test_a_planted_quarter_of_one_call_is_found(self) -> None:
        status, found = self.compared("planted-call", """SELECT * REPLACE (CASE WHEN version = '4.2' AND metric = 'keyCommands'
            AND responder = 'editor' THEN sum_ns * 5 // 4 ELSE sum_ns END AS sum_ns) FROM h""")
        cell = found["cells"][0]
        self.assertEqual((status, cell["responder"], cell["stage"], cell["changed"]), (1, "editor", None, True))
        self.assertAlmostEqual(cell["relative"]["change"], 0.25, delta=0.03)

    def test_a_planted_half_of_the_action_stage_is_found(self) -> None:
        status, found = self.compared("planted-stage", """SELECT * REPLACE (CASE WHEN version = '4.2'
            AND stage = 'action' THEN sum_ns * 3 // 2 ELSE sum_ns END AS sum_ns) FROM h""")
        cell = found["cells"][0]
        self.assertEqual((status, cell["stage"], cell["responder"], cell["changed"]), (1, "action", None, True))
        self.assertAlmostEqual(cell["absolute"]["change"], 0.5, delta=0.08)
        self.assertIn("total", {cell["stage"] for cell in found["cells"]})

    def test_a_call_that_only_one_version_has_is_named_and_makes_nothing_faster(self) -> None:
        _, before = self.compared("as-it-is", "SELECT * FROM h")
        status, found = self.compared("new-call", """SELECT * FROM h UNION ALL
            SELECT * REPLACE ('new' AS responder, sum_ns * 1000 AS sum_ns) FROM h
            WHERE version = '4.2' AND metric = 'keyCommands' AND responder = 'editor'""")
        self.assertEqual(status, 4)
        self.assertEqual(found["cells"], before["cells"])
        single, = found["not_compared"]
        self.assertEqual((single["metric"], single["responder"], single["version"]), ("keyCommands", "new", "4.2"))
        status, output, notes = self.run_action("compare", str(self.root / "new-call"), "4.1", "4.2",
                                                "--within", "none")
        self.assertEqual(status, 4)
        for shown in (output, notes):
            self.assertIn("not compared: new keyCommands: only 4.2 has it", shown)
        self.assertIn("not compared: new keyCommands", self.run_action("report", str(self.root / "new-call"))[1])

    def test_a_call_that_more_sessions_of_a_version_have_makes_nothing_faster(self) -> None:
        _, found = self.compared("more-often", """SELECT * FROM h UNION ALL
            SELECT * REPLACE ('new' AS responder, sum_ns * 1000 AS sum_ns) FROM h
            WHERE (version = '4.2' OR trace_id < '8') AND metric = 'keyCommands' AND responder = 'editor'""")
        self.assertIn("new", {cell["responder"] for cell in found["cells"]})
        self.assertEqual([cell for cell in found["cells"] if cell["changed"]], [])

    def test_a_device_that_only_one_version_has_is_named(self) -> None:
        missing = self.missing("devices", """SELECT * REPLACE (CASE WHEN device_model_identifier < 'iPad13'
            THEN 'of ' || service_version ELSE device_model_identifier END AS device_model_identifier) FROM s""")
        for line, version in zip(missing, ("4.1", "4.2")):
            self.assertRegex(line, f"^not compared: all calls of a session on of {version}: only {version} has it, in ")
        for line, version in zip(missing[2:], ("4.1", "4.2"), strict=True):
            self.assertRegex(line, f"sessions of {version}: [0-9]+ in no cell of 10 samples of installations")
        body = self.run_action("report", str(self.root / "devices"))[1]
        self.assertIn('<li class="bad">not compared: 101 of 101 (100.0 %) sessions of 4.1: ', body)

    def test_sessions_in_cells_of_few_samples_are_counted_and_more_than_a_few_are_status_4(self) -> None:
        rare = "SELECT * REPLACE (CASE WHEN place <= {} THEN 'rare' ELSE 'common' END AS os_version) FROM s"
        missing = self.missing("rare", rare.format(9), within="os_version")
        where = "in no cell of 10 samples of installations in both on common devices"
        self.assertEqual(missing, [
            f"not compared: 9 of 101 (8.9 %) sessions of 4.1: 9 {where}; at most 5 % may be left out",
            f"not compared: 10 of 100 (10.0 %) sessions of 4.2: 9 {where}, 1 in quarantine; "
            "at most 5 % may be left out"])
        status, found = self.compared("rarer", "SELECT * FROM h", rare.format(3), within="os_version")
        self.assertIn(status, (0, 1))
        self.assertEqual((found["missing"], [counts["in_no_cell"] for counts in found["coverage"]]), ([], [3, 3]))
        self.assertEqual([line[:14] for line in found["left_out"]],
                         ["left out: 3 of", "left out: 4 of", "left out: 4 of"])

    def test_sessions_without_an_installation_are_counted_and_more_than_a_few_are_status_4(self) -> None:
        without = """SELECT * REPLACE (CASE WHEN service_version = '4.2' AND place <= {} THEN NULL ELSE sample_id END
            AS sample_id) FROM s"""
        line, = self.missing("nameless", without.format(40))
        self.assertRegex(line, r"^not compared: 41 of 100 .* of 4\.2: 40 without app\.installation\.id, 1 in quar")
        status, found = self.compared("some-nameless", "SELECT * FROM h", without.format(3))
        self.assertIn(status, (0, 1))
        self.assertEqual((found["missing"], found["coverage"][1]["without_installation"]), ([], 3))
        status, found = self.compared("all-nameless", "SELECT * FROM h", without.format(1000))
        self.assertEqual(status, 4)
        self.assertIn("4.2: expected sessions with times and app.installation.id, found ", found["error"])
        self.assertIn(" without app.installation.id", found["error"])

    def test_repeats_ten_times_as_slow_are_found_in_their_total(self) -> None:
        status, found = self.compared("repeats", """SELECT * FROM h UNION ALL SELECT * REPLACE (
            'repeatTick' AS occasion, CASE WHEN version = '4.2' THEN sum_ns * 10 ELSE sum_ns END AS sum_ns) FROM h""")
        cell = found["cells"][0]
        self.assertEqual((status, cell["metric"], cell["stage"]), (1, "stage", "total of repeats"))
        self.assertAlmostEqual(cell["absolute"]["change"], 9, delta=1)
        self.assertNotIn(None, cell["p99_ns"])
        self.assertEqual([cell["stage"] for cell in found["cells"] if cell["changed"]], ["total of repeats"])

    def test_many_sessions_in_quarantine_are_status_4(self) -> None:
        torn = """SELECT * EXCLUDE (is_torn) REPLACE (CASE WHEN is_torn THEN 'damaged' ELSE status END AS status,
            CASE WHEN is_torn THEN {} ELSE service_version END AS service_version)
            FROM (SELECT *, service_version = '4.2' AND status = 'ok' AND place <= 28 AS is_torn FROM s)"""
        line, = self.missing("quarantine", torn.format("service_version"))
        self.assertEqual(line, "not compared: 29 of 100 (29.0 %) sessions of 4.2: 29 in quarantine; "
                         "at most 5 % may be left out")
        line, = self.missing("unknown", torn.format("NULL"))
        self.assertRegex(line, r"^not compared: 32 of 205 \(15\.6 %\) inputs .*: 29 damaged, 1 empty, 1 foreign, 1 unm")

    def test_histograms_that_the_lake_has_lost_are_status_4(self) -> None:
        lost = """SELECT * FROM h WHERE trace_id NOT IN (SELECT trace_id FROM sessions
            WHERE service_version = '4.2' AND status = 'ok' ORDER BY trace_id LIMIT {})"""
        line, = self.missing("lost-one", "FROM s", lost.format(1))
        self.assertRegex(line, r"^not compared: 2 of 100 .* of 4\.2: 1 whose histograms are missing .*, 1 in quar")
        line, = self.missing("lost-some", "FROM s", lost.format(25))
        self.assertRegex(line, r"^not compared: 26 of .*; at most 5 % may be left out$")
        status, found = self.compared("lost-all", lost.format(1000))
        self.assertEqual(status, 4)
        self.assertRegex(found["error"], r"4\.2: expected sessions with times .*: \d+ whose histograms are missing")
        body = self.run_action("report", str(self.root / "lost-all"))[1]
        self.assertIn('<p class="empty">not compared: service_version 4.2: expected sessions with times', body)

    def test_all_sessions_with_presses_are_accounted_for(self) -> None:
        _, found = self.compared("whole", "SELECT * FROM h")
        counted = lake.connect(self.whole).execute("""SELECT service_version, count(*) FROM sessions
            WHERE status = 'ok' GROUP BY 1 ORDER BY 1""").fetchall()
        self.assertEqual([(counts["version"], counts["compared"]) for counts in found["coverage"]], counted)
        for counts in found["coverage"]:
            self.assertEqual(counts["compared"] + counts["in_quarantine"], counts["sessions"])
        self.assertEqual((found["inputs"], found["unknown_version"]),
                         (205, {"damaged": 1, "empty": 1, "foreign": 1, "unmasked": 1}))

    def test_devices_are_compared_with_each_other(self) -> None:
        status, found = self.compared("by-device", "SELECT * FROM h", by="device_model_identifier",
                                      versions=("iPad14,3", "iPad11,6"))
        self.assertEqual(status, 1)
        self.assertEqual(found["cells"][0]["changed"], True)

    def test_a_version_that_is_not_there_is_named_in_json(self) -> None:
        status, output, notes = self.run_action("compare", str(self.whole), "4.1", "9.9", "--format", "json")
        self.assertEqual(status, 4)
        value = json.loads(output)
        self.assertEqual((value["schema"], value["cells"]), ("keyflight.fleet.compare/1", []))
        self.assertIn("9.9", value["error"])
        self.assertIn("9.9", notes)

    def test_too_few_samples_for_any_cell_is_status_4(self) -> None:
        with mock.patch.object(actions.comparison, "LEAST_SAMPLES", 101):
            status, output, notes = self.run_action("compare", str(self.whole), "4.1", "4.2", "--format", "json")
        self.assertEqual((status, json.loads(output)["cells"]), (4, []))
        line = json.loads(output)["missing"][0]
        self.assertRegex(line, "^not compared: 4.1 and 4.2: expected cells of 101 samples .* none; [0-9]+ are smaller")
        self.assertIn(f": {line} [KF0400]", notes)


if __name__ == "__main__":
    unittest.main()
