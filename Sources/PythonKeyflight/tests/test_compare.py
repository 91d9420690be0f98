"""What a comparison of real traces compares, and what it names as not compared. The environment is that of lake_case.
"""

from __future__ import annotations

import json
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

    def test_calls_of_responders_without_names_are_said_to_be_compared_together(self) -> None:
        _, found = self.compared("hidden", """SELECT * REPLACE (CASE WHEN responder = 'editor' THEN '(other)'
            ELSE responder END AS responder) FROM h""")
        line, = (line for line in found["left_out"] if "--allow-ids" in line)
        self.assertTrue(line.endswith("they are compared together, as (other)"), line)
        self.assertIn(line, self.shown("hidden"))
        _, found = self.compared("named", "SELECT * FROM h")
        self.assertEqual([line for line in found["left_out"] if "--allow-ids" in line], [])

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
        where = "in no cell of 10 samples of installations in both on common devices, profiles, layouts and levels"
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


# SQL of a lake in which most sessions of 4.2 have lost some rows.
SOME = "trace_id NOT IN (SELECT trace_id FROM sessions WHERE service_version = '4.2' AND status = 'ok' "\
       "ORDER BY trace_id LIMIT 85)"


class CoverageTests(LakeCase):
    """What is not compared is named, and more than a little of it gives 4."""

    def test_a_kind_of_times_that_most_sessions_of_a_version_lack_is_status_4(self) -> None:
        for kind, what, row in (("stages", "stages", "metric <> 'stage' OR stage = 'total'"),
                                ("totals", "totals of presses", "coalesce(stage, '') <> 'total'"),
                                ("calls", "calls", "metric = 'stage'")):
            lines = self.missing(f"without-{kind}", "FROM s", f"SELECT * FROM h WHERE {row} OR {SOME}")
            self.assertEqual(lines[0], f"not compared: {what}: 86 of 100 (86.0 %) sessions of 4.2: 85 without times of "
                             f"{what}, 1 in quarantine; at most 5 % may be left out")
            found = json.loads(self.shown(f"without-{kind}", "--format", "json"))
            self.assertEqual([counts["kinds"][kind]["compared"] for counts in found["coverage"]], [101, 14])
            self.assertEqual([counts["compared"] for counts in found["coverage"]], [101, 99])
            body = self.run_action("report", str(self.root / f"without-{kind}"))[1]
            self.assertRegex(body, f'<li class="bad">not compared: {what}: [0-9]+ of 100 .* of 4.2: 85 without')

    def test_one_stage_that_most_sessions_of_a_version_lack_is_status_4(self) -> None:
        rows = f"SELECT * FROM h WHERE coalesce(stage, '') <> 'action' OR {SOME}"
        self.assertEqual(self.missing("without-action", "FROM s", rows),
                         ["not compared: action stage: 101 of 101 sessions of 4.1, 14 of 99 of 4.2"])

    def test_a_kind_that_neither_version_has_is_status_4_where_its_level_has_it(self) -> None:
        for kind, row in (("stages", "metric <> 'stage'"), ("calls", "metric = 'stage'")):
            self.assertIn(f"not compared: {kind}: neither version has times of them",
                          self.missing(f"no-{kind}", "FROM s", f"SELECT * FROM h WHERE {row}"))
        for number, change in enumerate(("'stages' AS level", "NULL::VARCHAR AS profile")):
            status, found = self.compared(f"none-expected-{number}", "SELECT * FROM h WHERE metric = 'stage'",
                                          f"SELECT * REPLACE ({change}) FROM s")
            self.assertEqual((status, found["missing"]), (0, []))
            self.assertIn("left out: calls: neither version has times of them", found["left_out"])

    def test_sessions_with_losses_are_counted_and_more_than_a_few_are_status_4(self) -> None:
        some = "service_version = '4.2' AND status = 'ok' AND place <= {}"
        changes = ("NOT ({}) AS complete", "CASE WHEN {} THEN 1 ELSE records_lost END AS records_lost",
                   "CASE WHEN {} THEN NULL ELSE records_lost END AS records_lost",
                   "CASE WHEN {} THEN presses * 11 // 10 + 1 ELSE presses END AS presses")
        for number, change in enumerate(changes):
            line, = self.missing(f"losses-{number}", f"SELECT * REPLACE ({change.format(some.format(20))}) FROM s")
            self.assertEqual(line, "not compared: 21 of 100 (21.0 %) sessions of 4.2: 20 that lost records, or times "
                             "of some presses, 1 in quarantine; at most 5 % may be left out")
            status, found = self.compared(f"few-losses-{number}", "SELECT * FROM h",
                                          f"SELECT * REPLACE ({change.format(some.format(3))}) FROM s")
            self.assertEqual((status, found["missing"]), (0, []))
            self.assertEqual(found["coverage"][1]["with_losses"], 3)
            self.assertIn("3 that lost records", " ".join(found["left_out"]))

    def rare(self, name: str, where: str, **more: Any) -> tuple[int, dict[str, Any]]:
        """compare of the lake with one more call in some sessions."""
        return self.compared(name, f"""SELECT * FROM h UNION ALL SELECT * REPLACE ('rare' AS responder) FROM h
            WHERE metric = 'keyCommands' AND responder = 'editor' AND ({where})""", **more)

    def test_a_call_of_too_few_sessions_to_compare_is_named(self) -> None:
        first = "version = '{}' AND trace_id IN (SELECT trace_id FROM sessions WHERE service_version = '{}' " \
                "AND status = 'ok' ORDER BY trace_id LIMIT {})"
        status, found = self.rare("rare-call", f"{first.format('4.1', '4.1', 8)} OR {first.format('4.2', '4.2', 3)}")
        self.assertEqual((status, found["missing"]), (0, []))
        line = "left out: rare keyCommands: 8 of 101 sessions of 4.1, 3 of 99 of 4.2; compared in 0 and 0 of them"
        self.assertIn(line, found["left_out"])
        self.assertEqual(found["rare"], [{
            "stratum": None, "metric": "keyCommands", "responder": "rare", "stage": None, "sessions": [8, 3],
            "compared": [0, 0], "of": [101, 99], "missing": False}])
        self.assertIn(f"\n{line}\n", self.shown("rare-call"))
        # What few installations have is on no page.
        body = self.run_action("report", str(self.root / "rare-call"))[1]
        self.assertNotIn("rare", body)
        self.assertRegex(body, "<li>left out or uneven: [0-9]+ calls, stages or conditions, which ")
        # One version has it in enough sessions, and the other in hardly any.
        status, found = self.rare("one-sided", f"version = '4.1' OR {first.format('4.2', '4.2', 3)}")
        self.assertEqual((status, found["missing"]), (4, [
            "not compared: rare keyCommands: only 4.1 has it in enough sessions, 101; 4.2 has too few"]))
        self.assertEqual([(single["sessions"], single["others"]) for single in found["not_compared"]], [(101, 3)])

    def test_a_call_that_many_sessions_have_where_it_is_not_compared_is_status_4(self) -> None:
        status, found = self.rare("elsewhere-call", """trace_id IN (SELECT trace_id FROM s
            WHERE (service_version = '4.1') = (device_model_identifier = 'iPad14,3'))""")
        lines = [line for line in found["missing"] if line.endswith("; compared in 0 and 0 of them")]
        self.assertEqual((status, len(lines)), (4, 1))
        self.assertRegex(lines[0], r"^not compared: rare keyCommands: \d+ of 101 sessions of 4\.1, \d+ of 99 of 4\.2;")

    def test_conditions_that_one_version_has_alone_are_named_and_status_4(self) -> None:
        for column, value in (("profile", "ios15"), ("layout", "fr"), ("level", "stages")):
            some = f"CASE WHEN service_version = '4.2' AND place <= {{}} THEN '{value}' ELSE {column} END AS {column}"
            for count, name in ((85, "most"), (1000, "all")):
                lines = self.missing(f"{name}-{column}", f"SELECT * REPLACE ({some.format(count)}) FROM s")
                named = f"on iPad14,3, {column} {value}: only 4.2 has it, in "
                self.assertTrue(any(named in line for line in lines), lines)
                self.assertRegex(lines[-1], r"sessions of 4\.2: \d+ in no cell of 10 samples .* profiles, layouts and")
                found = json.loads(self.shown(f"{name}-{column}", "--format", "json"))
                value_of = {(entry["column"], entry["value"]): entry["sessions"] for entry in found["conditions"]}
                self.assertEqual(value_of[column, value], [0, 85 if count == 85 else 99])
                single = next(entry for entry in found["not_compared"] if entry[column] == value)
                self.assertEqual(single["version"], "4.2")

    def test_another_mix_of_conditions_is_no_change_and_named(self) -> None:
        # Where calls take twice as long under one layout, that both versions have.
        status, found = self.compared("mixed", """SELECT * REPLACE (CASE WHEN trace_id IN (SELECT trace_id FROM slow)
            THEN sum_ns * 2 ELSE sum_ns END AS sum_ns) FROM h""", """SELECT * REPLACE (CASE WHEN trace_id IN
            (SELECT trace_id FROM slow) THEN 'fr' ELSE layout END AS layout) FROM s""", more="""slow AS (
            SELECT trace_id FROM (SELECT trace_id, service_version, row_number() OVER (
                PARTITION BY service_version, device_model_identifier ORDER BY trace_id)
                / count(*) OVER (PARTITION BY service_version, device_model_identifier) AS share
            FROM sessions WHERE status = 'ok')
            WHERE share <= CASE WHEN service_version = '4.2' THEN 0.7 ELSE 0.3 END)""")
        self.assertEqual((status, found["missing"], found["changed"]), (0, [], 0))
        self.assertRegex(" ".join(found["uneven"]), r"uneven: layout fr: \d+ of 101 sessions of 4\.1, \d+ of 99 of 4")

    def test_sessions_without_a_version_are_counted_and_more_than_a_few_are_status_4(self) -> None:
        without = """SELECT * REPLACE (CASE WHEN place <= {} THEN NULL ELSE service_version END AS service_version)
            FROM s"""
        line, = self.missing("versionless", without.format(20))
        self.assertRegex(line, r"^not compared: \d+ of 205 .* .* 40 without service_version")
        status, found = self.compared("few-versionless", "SELECT * FROM h", without.format(1))
        self.assertEqual((status, found["missing"], found["unknown_version"]["ok"]), (0, [], 2))
        self.assertIn("2 without service_version", " ".join(found["left_out"]))
        status, found = self.compared("elsewhere", "SELECT * FROM h WHERE place > 20 OR version IS NULL", """
            SELECT * REPLACE (CASE WHEN place <= 20 THEN NULL ELSE service_version END AS service_version,
                CASE WHEN place <= 20 AND status = 'ok' THEN 2 ELSE batch END AS batch) FROM s""")
        self.assertEqual(found["unknown_version_elsewhere"], 40)
        self.assertIn("left out: 40 sessions of other ingests without service_version", found["left_out"])

    def test_sessions_without_presses_are_named_and_many_more_in_one_version_are_status_4(self) -> None:
        empty = "SELECT * REPLACE (CASE WHEN place <= 60 AND {} THEN 0 ELSE presses END AS presses) FROM s"
        rows = "SELECT * FROM h WHERE NOT (place <= 60 AND {})"
        one, both = "service_version = '4.2' AND status = 'ok'", "status = 'ok'"
        lines = self.missing("pressless", empty.format(one), rows.format("version = '4.2'"))
        self.assertEqual(lines, ["not compared: 60 of 100 (60.0 %) sessions of 4.2: without presses; expected a like "
                                 "share in both"])
        status, found = self.compared("both-pressless", rows.format("true"), empty.format(both))
        self.assertNotEqual(status, 1)
        self.assertEqual([counts["without_presses"] for counts in found["coverage"]], [60, 60])
        self.assertIn("left out: 60 of 101 (59.4 %) sessions of 4.1: without presses", found["left_out"])


if __name__ == "__main__":
    unittest.main()
