import KeyModel
import Libc
import RegressionGate
import Scenes
import SystemPackage

/// What is typed into a launched app, a key script or the keys of a trace: its steps in a file without a name, which
/// the app inherits, so that what is typed is in no folder. The adapter adds a byte to it for each key that it has
/// typed.
final class TypedScript {
    let name: String
    /// Keys that are pressed, modifiers not counted.
    let presses: Int
    let longestWait: TraceDuration
    private let file: Int32
    private let length: Int

    /// - Throws: a `Failure` for what is no script, and for a step that a live app cannot follow.
    init(_ path: String, layout: String?, _ console: Console) throws {
        let input = try Input(path, console)
        guard let script = try input.typedScript() else {
            throw Failure(.otherInput, "\(input.name): --keys: expected a script or a trace, found something else")
        }
        name = input.name
        let table = try LayoutChoice.named(layout ?? "us")
        let steps: [TypedStep]
        do throws(SourceTextError) {
            steps = try script.typedSteps(layout: table)
        } catch {
            throw Failure(.usage, error.description)
        }
        presses = steps.count { $0.isPress }
        var time = TraceTime.zero
        var longest = TraceDuration.zero
        for step in steps {
            longest = max(longest, step.wait, step.time.since(time))
            time = step.time
        }
        longestWait = longest
        let list = steps.map { $0.line + "\n" }.joined()
        length = list.utf8.count
        file = try TypedScript.unnamedFile(list)
    }

    deinit { close(file) }

    /// The path of the list, in the app.
    var path: String { "/dev/fd/\(file)" }

    /// Keys typed so far; one more when the app was asked to quit after them.
    var progress: Int {
        var state = stat()
        return fstat(file, &state) == 0 ? max(0, Int(state.st_size) - length) : 0
    }

    private static func unnamedFile(_ text: String) throws -> Int32 {
        var template = "\(TemporaryFolder.parent)/keyflight-XXXXXX".utf8CString
        let file = template.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
        guard file >= 0 else {
            throw Failure(.unwritable, "--keys: make a file: expected room, found \(String(cString: strerror(errno)))")
        }
        _ = template.withUnsafeBufferPointer { unlink($0.baseAddress!) }
        do { _ = try FileDescriptor(rawValue: file).writeAll(text.utf8) } catch {
            close(file)
            throw Failure(
                .unwritable, "--keys: write: expected room for \(text.utf8.count) bytes, found \(error)")
        }
        return file
    }
}
