import Foundation
import Testing

@testable import keyflight

/// What a recorder that crashes leaves behind of typed text: nothing.
@Suite struct RecorderDumpTests {
    /// Different letters by chance. The first one is rare in memory, which makes the search short.
    static func word() -> [UInt8] {
        [UInt8(ascii: "q")] + Array("abcdefghijklmnoprstuvwxyz".utf8).shuffled().prefix(11)
    }

    /// Types a word while a terminal is recorded, copies the memory that a dump would have, and ends the recorder by a
    /// signal.
    private static func crash(_ folder: String, _ word: [UInt8], by signal: String) throws -> TerminalRun {
        try TerminalRun(
            shell: """
                cd '\(folder)'
                ulimit -c unlimited || exit 77
                # Prints nothing: what is shown first has to be the question to the terminal.
                { mkdir control; (cd control; sh -c 'kill -ABRT $$'; true); } >/dev/null 2>&1
                {
                    for i in $(seq 40); do
                        "$keyflight" info --format json t.keyflight | grep -q '"presses":\(word.count),' && break
                        sleep 0.05
                    done >/dev/null 2>&1
                    id=$(cat id)
                    awk '/^[0-9a-f]+-[0-9a-f]+ / {range = $2 ~ /^rw/ ? $1 : ""}
                        /^VmFlags/ && range != "" && !/ dd/ {print range}' /proc/$id/smaps >ranges
                    while IFS=- read -r from to; do
                        from=$((0x$from / 4096))
                        dd if=/proc/$id/mem bs=4096 skip=$from count=$((0x$to / 4096 - from))
                    done <ranges >image 2>/dev/null
                    kill -\(signal) $id
                } &
                # A job in the background has QUIT ignored.
                sh -c 'echo $$ >id; exec env --default-signal "$keyflight" record --tty -o t.keyflight'
                echo "status $?"
                wait
                """,
            // Swift's own report of a crash would ask what to do next.
            environment: ["SWIFT_BACKTRACE": "enable=no"],
            typing: "\u{1B}[?62c" + String(decoding: word, as: UTF8.self))
    }

    @Test("nothing that was typed is in memory or a dump of a recorder", arguments: ["ABRT", "SEGV", "QUIT"])
    func dumps(_ signal: String) throws {
        try Files.withFolder { folder in
            let word = Self.word()
            let run = try Self.crash(folder, word, by: signal)
            guard run.status != 77 else { return print("skipped: no core dumps can be made here") }
            let status = ["ABRT": 134, "SEGV": 139, "QUIT": 131][signal] ?? 0
            #expect(run.printed.contains("status \(status)"), "\(run.shown)")
            let info = CommandRun("info", "--format", "json", folder + "/t.keyflight")
            #expect(info.text.contains("\"presses\":12,") && info.text.contains("\"dropped\":0"), "\(info.text)")
            #expect(Files.names(folder).filter { $0.hasPrefix("core") } == [])
            if Files.names(folder + "/control").isEmpty { print("dumps are not made in the working folder here") }
            let image = Files.bytes(folder + "/image")
            guard !image.isEmpty else { return print("skipped: the recorder's memory cannot be read by this user") }
            #expect(Self.strides(of: Array("t.keyflight".utf8), in: image) == [1], "the memory is another one's")
            for (kind, shift) in [("letters", 0), ("capitals", 0x20), ("usages", 0x5D)] as [(String, UInt8)] {
                #expect(Self.strides(of: word.map { $0 - shift }, in: image) == [], "\(kind) of what was typed")
            }
        }
    }

    /// The distances at which six of the bytes are one after the other, as an array of wider elements has them.
    static func strides(of pattern: [UInt8], in bytes: [UInt8]) -> [Int] {
        bytes.withUnsafeBytes { all in
            var found: Set<Int> = []
            var at = 0
            while at < all.count, let hit = memchr(all.baseAddress! + at, Int32(pattern[0]), all.count - at) {
                let place = UnsafeRawPointer(hit) - all.baseAddress!
                for stride in [1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 56, 64] where place + 5 * stride < all.count {
                    guard all[place + stride] == pattern[1], all[place + 2 * stride] == pattern[2] else { continue }
                    if (3..<6).allSatisfy({ all[place + $0 * stride] == pattern[$0] }) { found.insert(stride) }
                }
                at = place + 1
            }
            return found.sorted()
        }
    }
}
