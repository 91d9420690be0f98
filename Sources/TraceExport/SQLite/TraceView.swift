import KeyModel

/// A common query of a trace, as a view of its tables.
package struct TraceView: Sendable {
    package var name: String
    /// The view's content, in a line.
    package var meaning: String
    var sql: String

    /// The stage that took the longest of those in the columns of presses.
    private static let longestStage: String = {
        let columns = LatencyStage.columns.map(\.name)
        let longest = columns.map { "ifnull(\($0), -1)" }.joined(separator: ", ")
        let cases = zip(columns, LatencyStage.allCases).map { "WHEN \($0) THEN '\($1.name)'" }
        return "CASE max(\(longest)) \(cases.joined(separator: " ")) END"
    }()

    package static let all: [TraceView] = [
        TraceView(
            name: "slowest_presses", meaning: "presses and repeats, the slowest first, with their longest stage",
            sql: """
                SELECT press, tick, t_ns, chord, outcome, action, target, first_responder, total_ns,
                  \(longestStage) AS longest_stage
                FROM (SELECT * FROM presses UNION ALL SELECT * FROM repeats)
                WHERE total_ns IS NOT NULL ORDER BY total_ns DESC, press, tick
                """),
        TraceView(
            name: "stage_times", meaning: "time in each stage at first presses; p99 from 100 presses on",
            sql: """
                WITH spent AS (
                  SELECT stage, press, sum(duration_ns) AS ns, max(derived) AS derived FROM stages
                  WHERE tick = 0 AND press > 0 GROUP BY 1, 2),
                ranked AS (
                  SELECT stage, ns, derived, row_number() OVER (PARTITION BY stage ORDER BY ns) AS rank,
                    count(*) OVER (PARTITION BY stage) AS n FROM spent)
                SELECT stage, n,
                  max(CASE WHEN rank = (n * 500 + 999) / 1000 THEN ns END) AS p50_ns,
                  max(CASE WHEN n >= 10 AND rank = (n * 900 + 999) / 1000 THEN ns END) AS p90_ns,
                  max(CASE WHEN n >= 100 AND rank = (n * 990 + 999) / 1000 THEN ns END) AS p99_ns,
                  max(ns) AS max_ns, sum(ns) AS sum_ns, max(derived) AS derived
                FROM ranked GROUP BY stage ORDER BY sum_ns DESC, stage
                """),
        TraceView(
            name: "shadowed",
            meaning: "who shadowed whom: commands that match but lost, with the one or the stage that won",
            sql: """
                SELECT p.chord, coalesce(w.supplier, p.taken_by) AS winner, w.action AS winner_action,
                  c.supplier AS loser, c.action AS loser_action, count(*) AS presses, min(p.press) AS first_press
                FROM candidates AS c
                JOIN presses AS p ON p.press = c.press AND c.tick = 0
                LEFT JOIN candidates AS w ON w.press = c.press AND w.tick = c.tick AND w.verdict = 'won'
                WHERE c.verdict IN ('shadowed', 'taken')
                GROUP BY 1, 2, 3, 4, 5 ORDER BY presses DESC, first_press
                """),
        TraceView(
            name: "responder_costs", meaning: "cost of keyCommands per responder at presses and repeats",
            sql: """
                SELECT responder, count(*) AS calls, sum(self_ns) AS self_ns, sum(duration_ns) AS total_ns,
                  max(duration_ns) AS max_ns, count(DISTINCT list) AS lists
                FROM calls WHERE kind = 'keyCommands' AND occasion IN ('down', 'repeatTick')
                GROUP BY responder ORDER BY self_ns DESC, calls DESC, responder
                """),
        TraceView(
            name: "calls_per_press", meaning: "questions asked for each press, the most first",
            sql: """
                SELECT press, chord, outcome, key_commands_calls, can_perform_calls, validate_calls, build_menu_calls,
                  key_commands_on_release
                FROM presses WHERE key_commands_calls IS NOT NULL
                ORDER BY key_commands_calls + can_perform_calls + validate_calls + build_menu_calls DESC, press
                """),
        TraceView(
            name: "presses_by_first_responder", meaning: "presses, their outcomes and time by first responder",
            sql: """
                SELECT first_responder, count(*) AS presses, sum(outcome = 'performed') AS performed,
                  sum(outcome = 'consumedByText') AS consumed_by_text, sum(outcome = 'unhandled') AS unhandled,
                  avg(total_ns) AS mean_ns, max(total_ns) AS max_ns
                FROM presses GROUP BY first_responder ORDER BY presses DESC, first_responder
                """),
        TraceView(
            name: "presses_by_chord", meaning: "chords, with what they came to",
            sql: """
                SELECT coalesce(chord, class) AS chord, outcome, action, target, count(*) AS presses,
                  avg(total_ns) AS mean_ns, min(press) AS first_press
                FROM presses GROUP BY 1, 2, 3, 4 ORDER BY presses DESC, first_press
                """),
        TraceView(
            name: "nothing_happened", meaning: "presses that no responder handled, or that a command blocked",
            sql: """
                SELECT press, t_ns, chord, outcome, first_responder, key_window FROM presses
                WHERE outcome IN ('unhandled', 'noStart', 'blockedUnperformable', 'swallowedByPresses') ORDER BY press
                """),
        TraceView(
            name: "near_misses", meaning: "commands whose modifiers differ, or which no responder performs",
            sql: """
                SELECT p.press, p.chord, c.supplier, c.action, c.modifiers, c.verdict, c.reason, p.outcome
                FROM candidates AS c JOIN presses AS p ON p.press = c.press AND c.tick = 0
                WHERE c.verdict IN ('otherModifiers', 'unperformable', 'disabled') ORDER BY p.press
                """),
        TraceView(
            name: "held_keys", meaning: "held keys: how many repeats, how fast they came, how long one took",
            sql: """
                SELECT r.press, p.chord, p.action, count(*) AS repeats,
                  CASE WHEN count(*) > 1 THEN (max(r.t_ns) - min(r.t_ns)) / (count(*) - 1) END AS interval_ns,
                  avg(r.total_ns - ifnull(r.input_delay_ns, 0)) AS mean_service_ns,
                  max(r.input_delay_ns) AS longest_wait_ns
                FROM repeats AS r LEFT JOIN presses AS p ON p.press = r.press
                GROUP BY r.press ORDER BY repeats DESC, r.press
                """),
        TraceView(
            name: "changing_lists", meaning: "responders whose keyCommands answered with more than one list",
            sql: """
                SELECT responder, count(DISTINCT list) AS lists, count(*) AS calls, min(press) AS first_press
                FROM calls WHERE kind = 'keyCommands' GROUP BY responder HAVING lists > 1
                ORDER BY lists DESC, responder
                """),
        TraceView(
            name: "what_was_lost", meaning: "what is missing from the trace, by cause",
            sql: """
                SELECT cause, count(*) AS times, sum(count) AS records, sum(duration_ns) AS duration_ns,
                  min(t_ns) AS first_t_ns
                FROM loss GROUP BY cause ORDER BY times DESC, cause
                """),
        TraceView(
            name: "proven_findings", meaning: "findings of lint, each with the first presses that prove it",
            sql: """
                SELECT f.finding, f.severity, f.rule, f.chord, f.presses,
                  (SELECT group_concat(press) FROM evidence AS e WHERE e.finding = f.finding) AS evidence, f.message
                FROM findings AS f ORDER BY f.finding
                """),
    ]
}

extension TraceTable {
    /// The statement that makes the table, with what its columns hold beside them.
    package var definition: String {
        let width = columns.map(\.name.utf8.count).max() ?? 0
        let rows = columns.enumerated().map { place, column in
            let padding = String(repeating: " ", count: width - column.name.utf8.count)
            let comma = place + 1 < columns.count ? "," : " "
            let kind = column.kind == .text ? "TEXT\(comma)   " : "INTEGER\(comma)"
            return "  \(column.name)\(padding) \(kind) -- \(column.meaning)\n"
        }
        return "CREATE TABLE \(name) (  -- \(meaning)\n\(rows.joined()));\n"
    }
}

extension TraceView {
    /// The statement that makes the view.
    package var definition: String { "CREATE VIEW \(name) AS  -- \(meaning)\n\(sql);\n" }
}
