import KeyModel
import Libc
import RegressionGate

/// gdb, which brings the adapter into a running app and takes it out again.
///
/// It calls the library's functions on the app's main thread while that is about to wait for events: the next `poll`
/// that GNUstep's run loop calls. No lock is held there, and no system call is under way. An idle app is woken as by a
/// signal: its `poll` is interrupted (EINTR), and the run loop calls another one.
struct Injector {
    enum Answer: Equatable {
        /// The result of the called function.
        case done(UInt64)
        /// The main thread did not come to its run loop in time; nothing was called.
        case busy
        /// Nothing was called, or a call failed, in words.
        case failed(String)
    }

    let process: pid_t
    let gdb: String
    let library: String
    /// Seconds within which the main thread has to come to its run loop.
    private static let timeout = 5

    /// - Throws: a `Failure` where there is no gdb.
    init(_ process: pid_t, _ library: AdapterLibrary, paths: String?) throws {
        guard let gdb = try? AppProgram(named: "gdb", paths: paths).path else {
            throw Failure(
                .notAttachable, "--attach: expected gdb in PATH, found none; sudo apt-get install gdb brings it")
        }
        (self.process, self.gdb, self.library) = (process, gdb, library.path)
    }

    func attach(_ variables: [String: String]) throws -> Answer {
        let text = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\u{1F}" }.joined()
        return try call("keyflight_attach", text)
    }

    func detach() throws -> Answer { try call("keyflight_detach", "") }

    private func call(_ function: String, _ text: String) throws -> Answer {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(.notAttachable, "--attach: pipe: expected two ends, found none") }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var spawn = Spawn()
        // Ctrl-C in the terminal is not for gdb, which would leave the app.
        spawn.leadsGroup = true
        spawn.output = ends[1]
        spawn.files = [(0, "/dev/null", O_RDONLY)]
        spawn.defaultSignals += [SIGINT, SIGTERM, SIGHUP]
        var environment = environmentVariables
        environment["INJECTOR_CALL"] = [String(process), function, library, text].joined(separator: "\u{1E}")
        environment["INJECTOR_SCRIPT"] = Injector.script
        environment[AdapterLibrary.loaderVariable] = nil
        spawn.environment = environment
        let words = [
            gdb, "-nx", "-batch", "-iex", "set auto-load off", "-ex",
            "python import gdb, os, re; exec(os.environ['INJECTOR_SCRIPT'])",
        ]
        let child: pid_t
        do { child = try spawn.start(words) } catch {
            close(ends[1])
            throw Failure(.notAttachable, "\(gdb): run: expected a program, found \(error)")
        }
        close(ends[1])
        let said = read(ends[0], of: child)
        var state: Int32 = 0
        while waitpid(child, &state, 0) < 0, errno == EINTR {}
        return Injector.answer(said)
    }

    /// All that gdb prints. It is interrupted, and leaves the app, when the main thread does not come.
    private func read(_ descriptor: Int32, of child: pid_t) -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        var deadline: ContinuousClock.Instant?
        while true {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, 100) > 0 {
                let count = Libc.read(descriptor, &buffer, buffer.count)
                if count == 0 || count < 0 && errno != EINTR { break }
                text += buffer[..<max(0, count)]
            }
            let lines = String(decoding: text, as: UTF8.self)
            if lines.contains("keyflight: calling\n") {
                deadline = nil
            } else if deadline == nil, lines.contains("keyflight: waiting\n") {
                deadline = .now + .seconds(Injector.timeout)
            }
            if let end = deadline, .now > end {
                kill(child, SIGINT)
                deadline = .now + .seconds(Injector.timeout)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func answer(_ said: String) -> Answer {
        let lines = said.split(separator: "\n").map(String.init)
        let words = lines.last { $0.hasPrefix("keyflight: ") }?.split(separator: " ", maxSplits: 2).map(String.init)
        switch words?.dropFirst().first {
        case "done": return words?.last.flatMap { UInt64($0) }.map { .done($0) } ?? .failed("no result")
        case "busy": return .busy
        case "failed": return .failed(words?.last ?? "")
        default: return .failed(lines.last ?? "no answer of gdb")
        }
    }

    /// What gdb runs. A failure before the first call leaves the app as it was: registers are written to once before
    /// anything depends on it, as there are machines where gdb cannot.
    private static let script = #"""
        process, function, library, text = os.environ["INJECTOR_CALL"].split("\x1e")

        def say(*words):
            print("keyflight:", *words, flush=True)

        def quietly(command):
            try:
                gdb.execute(command, to_string=True)
            except gdb.error:
                pass

        def ranges(pattern):
            with open("/proc/%s/maps" % process) as maps:
                places = [line.split()[0].split("-") for line in maps if re.search(pattern, line)]
            return [(int(begin, 16), int(end, 16)) for begin, end in places]

        def is_within(address, places):
            return any(begin <= address < end for begin, end in places)

        def number(expression):
            return int(gdb.parse_and_eval("(unsigned long)(%s)" % expression))

        def call(address, *arguments):
            kinds = ", ".join(["unsigned long"] * len(arguments)) or "void"
            values = ", ".join("%dUL" % argument for argument in arguments)
            return number("((unsigned long (*)(%s))%d)(%s)" % (kinds, address, values))

        class RunLoop(gdb.Breakpoint):
            """At poll, when the run loop calls it."""

            is_hit = False

            def stop(self):
                self.is_hit = is_within(number("*(unsigned long *)$sp"), loops)
                return self.is_hit

        def wake():
            """Ends the poll of the run loop as a signal does."""
            result = int(gdb.parse_and_eval("(long)$rax"))
            caller = gdb.newest_frame().older()
            if number("$orig_rax") in (7, 271) and -516 <= result <= -512 and caller and is_within(caller.pc(), loops):
                gdb.execute("set $rax = -4")
                gdb.execute("set $orig_rax = -1")

        def string(value):
            data = value.encode("utf-8", "surrogateescape") + b"\0"
            place = call(known["malloc"], len(data))
            gdb.selected_inferior().write_memory(place, data)
            return place

        def inject():
            path, name = string(library), string(function)
            # RTLD_NOW | RTLD_LOCAL
            handle = call(known["dlopen"], path, 2)
            entry = call(known["dlsym"], handle, name) if handle else 0
            if not entry:
                reason = call(known["dlerror"])
                return say("failed", gdb.parse_and_eval("(char *)%d" % reason).string() if reason else "no " + function)
            content = string(text)
            result = call(entry, content)
            for place in (path, name, content):
                call(known["free"], place)
            say("done", result)

        def approach():
            for thread in gdb.selected_inferior().threads():
                if thread.ptid[1] == int(process):
                    thread.switch()
            gdb.execute("set $mxcsr = $mxcsr")
            gdb.execute("set $rax = $rax")
            quietly("sharedlibrary /lib(c|dl)[-.]")
            libraries = ranges(r"/lib(c|dl)[-.][^/]*$")
            for name in ("poll", "malloc", "free", "dlopen", "dlsym", "dlerror"):
                known[name] = number("&" + name)
                if not is_within(known[name], libraries):
                    raise gdb.error("expected %s in libc" % name)
            place = RunLoop("*%d" % known["poll"], internal=True)
            place.thread = gdb.selected_thread().num
            wake()
            say("waiting")
            try:
                gdb.execute("continue", to_string=True)
            finally:
                place.delete()
            if place.is_hit:
                say("calling")
                inject()
            elif gdb.selected_inferior().pid:
                say("busy")
            else:
                say("failed", "the app ended")

        known = {}
        for setting in ("confirm off", "pagination off", "width 0", "language c", "auto-solib-add off",
                        "debuginfod enabled off", "unwindonsignal on", "print thread-events off"):
            quietly("set " + setting)
        quietly("handle all nostop noprint pass")
        quietly("handle SIGSEGV SIGBUS SIGILL SIGFPE SIGABRT stop print pass")
        loops = ranges("libgnustep-base")
        try:
            gdb.execute("attach " + process, to_string=True)
            approach()
        except KeyboardInterrupt:
            say("busy")
        except gdb.error as error:
            say("failed", str(error).replace("\n", " "))
        if gdb.selected_inferior().pid:
            quietly("detach")
        """#
}
