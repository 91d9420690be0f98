import KeyModel
import Libc
import SystemPackage

/// An app that ran before it was recorded, and goes on when the recording ends.
final class AttachedApp: LaunchedApp {
    /// `/proc/PID/stat`, opened once: another process that gets the number later is not this one.
    private let state: ProcessFile?
    private let injector: Injector
    private let console: Console
    private var isAskedToDetach = false
    private var isWaitReported = false

    init(_ process: pid_t, _ injector: Injector, _ console: Console) {
        state = ProcessFile("/proc/\(process)/stat")
        (self.injector, self.console) = (injector, console)
        super.init(running: process)
    }

    override var isAttached: Bool { true }

    override func hasEnded() -> Bool {
        if end == nil, isAskedToDetach { detach() }
        if end == nil, ProcessState(state) == nil { end = .unknown }
        return end != nil
    }

    override func askToQuit(isUp: Bool) { isAskedToDetach = true }

    /// The recording that cannot be ended stays in the app, and the next one that attaches ends it.
    override func give(up reason: String) -> String {
        end = .detached
        return "its main thread did not come back to its events, and it is recorded on; --attach again ends that"
    }

    private func detach() {
        switch try? injector.detach() {
        case .done?: end = .detached
        case .busy?, nil:
            report("The app is busy; waiting to detach from it.")
        case .failed(let reason)?:
            if ProcessState(state) != nil { report("gdb: \(VisibleText.escaped(reason)); trying again to detach.") }
        }
    }

    private func report(_ words: String) {
        if !isWaitReported { console.note(words) }
        isWaitReported = true
    }

    // MARK: Beginning

    /// Brings the adapter into the app.
    /// - Throws: a `Failure` where that cannot be done; the app is as it was.
    func begin(_ variables: [String: String]) throws {
        let obstacle: String
        switch try injector.attach(variables) {
        case .done(0): return
        case .done(let number):
            switch AdapterObstacle(rawValue: number) {
            case .recorded?: obstacle = "one that is recorded already"
            case .noToolkit?: obstacle = "one that has not loaded GNUstep's AppKit"
            case .noRuntime?: obstacle = "one without GCC's Objective-C runtime"
            default: obstacle = "one whose adapter cannot record (obstacle \(number))"
            }
        case .busy: obstacle = "one whose main thread did not come to its run loop within 5 s; it was left as it was"
        case .failed(let reason): obstacle = "that gdb cannot do it: \(VisibleText.escaped(reason))"
        }
        throw AttachedApp.failure(injector.process, "expected an app that can be recorded, found \(obstacle)")
    }

    /// Checks without disturbing the process whether it can be recorded, and returns its program.
    /// - Throws: a `Failure` that names what is in the way, and what to do.
    static func program(of process: pid_t) throws -> AppProgram {
        #if os(Linux) && arch(x86_64)
            let folder = "/proc/\(process)"
            var owner = stat()
            guard process > 0, stat(folder, &owner) == 0, let path = program(at: folder + "/exe", owner.st_uid) else {
                throw failure(process, "expected a process of this user, found " + (process > 0
                    && Files.exists(folder)
                    ? "one of \(userName(owner.st_uid)); run keyflight as that user" : "none of this number"))
            }
            for obstacle in [
                ProcessState(ProcessFile(folder + "/stat"))?.obstacle, tracer(folder),
                AppProgram(path: folder + "/exe").obstacle, toolkitObstacle(folder), recorder(folder),
            ].compactMap(\.self) {
                throw failure(process, "expected an app of GNUstep that runs without keyflight, found \(obstacle)")
            }
            try checkScope(process)
            return AppProgram(path: path)
        #else
            throw failure(process, "expected Linux on x86-64, found another system")
        #endif
    }

    private static func failure(_ process: pid_t, _ words: String) -> Failure {
        Failure(.notAttachable, "--attach \(process): \(words)")
    }

    private static func program(at link: String, _ owner: uid_t) -> String? {
        guard owner == geteuid() else { return nil }
        return Files.target(ofLink: link)
    }

    private static func userName(_ number: uid_t) -> String {
        getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? "user \(number)"
    }

    private static func text(_ path: String) -> String {
        (try? ByteFile.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func tracer(_ folder: String) -> String? {
        let line = text(folder + "/status").split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
        guard let number = line?.split(whereSeparator: \.isWhitespace).last, number != "0" else { return nil }
        return "one that process \(number) traces, a debugger or strace: end that first"
    }

    private static func toolkitObstacle(_ folder: String) -> String? {
        let libraries = text(folder + "/maps")
        guard libraries.contains("libgnustep-gui") else {
            return "a program without GNUstep's AppKit (libgnustep-gui)"
        }
        return libraries.contains("/libobjc.so") ? nil : "a program without GCC's Objective-C runtime"
    }

    /// The keyflight that records it, or started it.
    private static func recorder(_ folder: String) -> String? {
        let label = "/memfd:keyflight-"
        let maps = text(folder + "/maps")
        if let place = maps.firstRange(of: label), let number = Int32(maps[place.upperBound...].prefix { $0.isNumber }),
            kill(number, 0) == 0 || errno == EPERM
        {
            return "one that keyflight (process \(number)) records"
        }
        let variables = text(folder + "/environ").split(separator: "\0")
        let isLaunched = variables.contains {
            $0.hasPrefix(AdapterLibrary.loaderVariable + "=") && $0.contains(AdapterLibrary.fileName)
        }
        return isLaunched ? "one that was started with the adapter, by keyflight launch" : nil
    }

    /// Yama lets processes trace their descendants alone, or none.
    private static func checkScope(_ process: pid_t) throws {
        let scope = text("/proc/sys/kernel/yama/ptrace_scope").prefix(1)
        guard scope == "3" || scope != "" && scope != "0" && geteuid() != 0 else { return }
        throw failure(process, "expected kernel.yama.ptrace_scope 0, found \(scope), which forbids debuggers; " + (scope
            == "3" ? "it stays so until the system starts anew" : "sudo sysctl kernel.yama.ptrace_scope=0 allows them"))
    }
}

/// A file of a process, which is opened once and read from its beginning each time.
final class ProcessFile {
    private let descriptor: FileDescriptor

    init?(_ path: String) {
        guard let opened = try? FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec) else {
            return nil
        }
        descriptor = opened
    }

    deinit { try? descriptor.close() }

    /// `nil` when the process has ended.
    func read() -> [UInt8]? {
        try? [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
            count = try descriptor.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

/// The state of a process as its `stat` file has it; `nil` for one that has ended.
struct ProcessState {
    let letter: Character

    init?(_ file: ProcessFile?) {
        guard let data = file?.read(), let end = data.lastIndex(of: UInt8(ascii: ")")), data.count > end + 2
        else { return nil }
        letter = Character(Unicode.Scalar(data[end + 2]))
        if "ZXx".contains(letter) { return nil }
    }

    var obstacle: String? { letter == "T" ? "one that is stopped: kill -CONT lets it go on" : nil }
}
