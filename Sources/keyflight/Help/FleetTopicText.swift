import TraceExport

/// The text of `keyflight help tables`.
extension HelpTopic {
    static let tablesText = """
        Tables of many traces: keyflight export TRACE… --table TABLE --format arrow|csv -o OUT
          keyflight export Sessions/*.keyflight --table sessions --format csv -o sessions.csv
          find Sessions -name '*.keyflight' -print0 | keyflight export --files-from - --null --table histograms …
          tar -c Sessions | keyflight export - --table histograms --format arrow -o - | python3 load.py
        Rows are in the order of the inputs, and the same in every run. A bad input (damaged, without its end, empty,
        foreign, unmasked, a duplicate, not there) is a row of sessions whose status is not ok; other tables have
        nothing of it. Schema keyflight.fleet/1: columns may be added, those that are there keep name, type and meaning.

        buckets are codes: a duration below 128 ns is its own code; above, with s = floor(log2 ns) - 6, the code is
        64 (s + 1) + the six bits after the highest. A code c from 128 on stands for (64 + c % 64) 2^s + 2^(s - 1), with
        s = c / 64 - 1, at most 0.8 % off. Histograms are merged by adding counts; n, sum_ns and max_ns are exact.

        Keys, text, effects, marks, focus, devices, press times and titles are in no table, and of facts only those
        below. Unmasked traces are refused. Responder ids and action names can carry the names of documents: those that
        --allow-ids FILE does not name are (other). session_key and sample_id are made with --pseudonym-key FILE alone.
        Whoever publishes numbers shows no cell of fewer than 10 installations: count the different sample_id of a cell,
        which are never more than its installations, before it is rolled up; and drop session_key before that.

        Facts about where a trace comes from, which an app records or --fact NAME=VALUE of replay and import adds

        """

    static func columns(of table: FleetTable) -> [(String, String)] {
        table.columns.map { column in
            let kind =
                switch column.kind {
                case .integer: "int64"
                case .text: "utf8"
                case .flag: "bool"
                case .integers: "list of int64"
                }
            return (column.name, "\(kind): \(column.meaning)")
        }
    }
}
