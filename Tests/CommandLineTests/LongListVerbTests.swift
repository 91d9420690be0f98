import GeneratedTraces
import Testing

@testable import keyflight

/// A list of commands takes a byte each in a trace, and a press may have all of them as candidates: what a verb keeps
/// of one press is a few times that list and no more.
@Suite(.enabled(if: isOptimisedBuild, "large inputs")) struct LongListVerbTests {
    /// A press, and 65,536 times the same command that has its key: as what a responder answered, disabled, or as the
    /// main menu, which is validated command by command.
    private static func text(isMenu: Bool) -> String {
        let attributes = isMenu ? "" : #","attributes":"disabled""#
        let command = #"{"input":"w","modifiers":"command","action":"close:"\#(attributes)}"#
        let list = Array(repeating: command, count: 65_536).joined(separator: ",")
        let call = #"call press=1 call=\#(isMenu ? "buildMenu" : "keyCommands") occasion=down \#(page)"#
        let lines = [
            "first_responder \(page) cause=start",
            "key device=1 press=1 phase=down key=W modifiers=command",
            "\(call) pass=1 depth=0 duration_ns=10 answer=commands list=[\(list)]",
            #"call press=1 call=validate occasion=down \#(page) pass=1 depth=0 action="close:" answer=yes"#,
            "resolution press=1 outcome=unhandled",
        ]
        let records = lines.enumerated().map { "\($0) \($0) \($1)" }.joined(separator: "\n")
        return "keyflight-text 1 form=canonical level=calls first_sequence=0\n\(records)\nend\n"
    }

    private static let page = #"responder={"id":"page","kind":"view"}"#

    @Test(arguments: [true, false])
    func verifyTakesFlatMemory(_ isMenu: Bool) throws {
        try Files.withFolder { folder in
            try Files.write(Array(Self.text(isMenu: isMenu).utf8), to: folder + "/list.txt")
            let assembled = CommandRun("assemble", folder + "/list.txt", "-o", folder + "/list.keyflight")
            #expect(assembled.status == 0, "\(assembled.notes)")
            let run = try ProgramRun(
                shell: "cd '\(folder)' && ulimit -c 0; ulimit -d 65536; exec $keyflight verify list.keyflight")
            #expect(!run.wasSignalled && run.status == 1, "\(run.notes)")
            #expect(run.output.contains("differs from the recording, first at press 1 "), "\(run.output)")
        }
    }

    /// 64 MiB, and four times the bytes of the input.
    @Test(arguments: [
        (OutsizedTrace.losses, 300_000, "info in.keyflight --format json"),
        (.lists, 24, "minimise in.keyflight --test true --tries 2 -o out"), (.lists, 3, "report in.keyflight -o -"),
        (.actions, 196_608, "bindings in.keyflight"), (.actions, 65_536, "report in.keyflight -o -"),
    ])
    func aVerbTakesTheMemoryOfTheBytesPresent(_ kind: OutsizedTrace, _ size: Int, _ line: String) throws {
        try Files.withFolder { folder in
            let output = Collected()
            try kind.write(size: size) { output.bytes.append(contentsOf: $0) }
            try Files.write(output.bytes, to: folder + "/in.keyflight")
            try Self.expectSuccess(of: line, in: folder, output.bytes.count)
        }
    }

    /// Each of them is offered every press, and a file names one in ten bytes.
    @Test(arguments: ["verify", "replay", "replay --what-if cache=chain"])
    func aReplayHasAStatedNumberOfResponders(_ verb: String) throws {
        try Files.withFolder { folder in
            for (count, status) in [(8_192, Int32(0)), (8_193, 2)] {
                let output = Collected()
                try OutsizedTrace.chain.write(size: count) { output.bytes.append(contentsOf: $0) }
                try Files.write(output.bytes, to: folder + "/in.keyflight")
                let words = verb.split(separator: " ").map(String.init)
                let run = CommandRun([words[0], folder + "/in.keyflight"] + words.dropFirst())
                #expect(run.status == status, "\(run.notes)")
                let error = "responders: expected at most 8192 to replay, found 8193 [KF0222]"
                #expect((status == 0) != run.notes.contains(error), "\(run.notes)")
            }
        }
    }

    /// Each of them is an object of the replay, and a file names one in twenty bytes.
    @Test(arguments: ["verify", "replay", "replay --what-if cache=chain"])
    func aReplayHasAStatedNumberOfCommands(_ verb: String) throws {
        try Files.withFolder { folder in
            let output = Collected()
            try OutsizedTrace.actions.write(size: 32_769) { output.bytes.append(contentsOf: $0) }
            try Files.write(output.bytes, to: folder + "/in.keyflight")
            let words = verb.split(separator: " ").map(String.init)
            let run = CommandRun([words[0], folder + "/in.keyflight"] + words.dropFirst())
            let error = "commands: expected at most 32768 different ones to replay, found 32769 [KF0222]"
            #expect(run.status == 2 && run.notes.contains(error), "\(run.notes)")
            let derived = CommandRun(["lint", folder + "/in.keyflight"])
            #expect(derived.notes.contains("candidates are not derived: commands: expected at most 32768 different"))
        }
    }

    /// 65,536 are kept: what is left out is said, and a page is no larger.
    @Test func offersBeyondTheirLimitAreLeftOut() throws {
        try Files.withFolder { folder in
            let output = Collected()
            try OutsizedTrace.actions.write(size: 65_537) { output.bytes.append(contentsOf: $0) }
            try Files.write(output.bytes, to: folder + "/in.keyflight")
            let text = CommandRun(["bindings", folder + "/in.keyflight"])
            #expect(text.status == 0 && text.text.contains("\nMore than 65,536 offers: the others are left out, "))
            let json = CommandRun(["bindings", folder + "/in.keyflight", "--format", "json"])
            #expect(json.text.contains("\"offers_left_out\":true"))
            let page = CommandRun(["report", folder + "/in.keyflight", "-o", "-"])
            #expect(page.status == 0 && page.output.count < 2_000_000)
            #expect(page.text.contains("\"65,515 more\""))
        }
    }

    /// Whatever the names in it are.
    @Test func aPageIsNeverLargerThanTwoMegabytes() throws {
        try Files.withFolder { folder in
            for (name, size) in [("in", 90), ("other", 150)] {
                let output = Collected()
                try OutsizedTrace.names.write(size: size) { output.bytes.append(contentsOf: $0) }
                try Files.write(output.bytes, to: "\(folder)/\(name).keyflight")
            }
            for inputs in [["in"], ["other"], ["in", "other"]] {
                let page = CommandRun(["report"] + inputs.map { "\(folder)/\($0).keyflight" } + ["-o", "-"])
                #expect(page.status == 0 && page.output.count < 2_000_000, "\(inputs): \(page.output.count) bytes")
                #expect(page.output.count > 200_000)
            }
        }
    }

    @Test func aLineOfAMillionCharactersIsReadInTheMemoryOfItsBytes() throws {
        try Files.withFolder { folder in
            let line = "type " + String(repeating: "a", count: 1_000_000) + "\n"
            try Files.write(Array(line.utf8), to: folder + "/in.keys")
            try Self.expectSuccess(of: "info in.keys", in: folder, line.utf8.count)
        }
    }

    private static func expectSuccess(of line: String, in folder: String, _ bytes: Int) throws {
        let run = try ProgramRun(
            shell: """
                cd '\(folder)' && ulimit -c 0; ulimit -d \(65_536 + 4 * bytes / 1024)
                exec "$keyflight" \(line) >result
                """)
        #expect(!run.wasSignalled && run.status == 0, "\(run.notes)")
    }

    private final class Collected { var bytes: [UInt8] = [] }
}
