import Testing

/// Rules of the house that a machine can check.
@Suite struct HouseRuleTests {
    static let swift = Repository.files(under: "Sources", ext: "swift") + Repository.files(under: "Tests", ext: "swift")

    /// What people wrote; the rest a program made out of another file of the package.
    static let written = swift.filter { !$0.hasSuffix(".pb.swift") }

    /// Files that are one table each: longer than a person reads at once, and never read from top to bottom.
    static let tables: Set<String> = []

    /// The rules below look through listings, which must not be empty.
    @Test func thereAreFilesOfEveryKind() {
        for (folder, ends) in [
            ("Sources/", [".swift", ".c", ".h", ".py", ".sql", ".js"]), ("Tests/", [".swift", ".txt", ".m"]),
            ("Scripts/", ["/test", "/prepare", ".py", ".bash"]), ("Traces/", [".md", "/scene.yaml", ".keyflight"]),
        ] {
            for end in ends {
                let isThere = Repository.files.contains { $0.hasPrefix(folder) && $0.hasSuffix(end) }
                #expect(isThere, "no file …\(end) in \(folder)")
            }
        }
        #expect(Self.written.count > 700)
    }

    @Test func filesStayReadable() {
        for file in Self.written where !Self.tables.contains(file) {
            let count = Repository.lines(file).count - 1
            #expect(count <= 400, "\(file) has \(count) lines; 400 is the most a file of this package has")
        }
    }

    @Test func linesFitThePage() {
        for file in Self.written {
            for (index, line) in Repository.lines(file).enumerated() where line.count > 120 {
                Issue.record("\(file): line \(index + 1) has \(line.count) columns; 120 is the most")
            }
        }
    }

    @Test func noFileIsNamedForNothing() {
        let empty = ["Utils", "Utilities", "Helpers", "Types", "Misc", "Common", "Extensions", "Module"]
        for file in Self.swift {
            let name = file.split(separator: "/").last.map { $0.split(separator: ".")[0] } ?? ""
            #expect(!empty.contains(String(name)), "\(file): say what it holds")
        }
    }

    @Test func theTopLevelHoldsNothingElse() {
        let allowed: Set<String> = ["Package.swift", "Sources", "Tests", "Traces", "Scripts", "README.md"]
        let top = Set(Repository.files.map { String($0.split(separator: "/")[0]) }).filter { !$0.hasPrefix(".") }
        #expect(top.subtracting(allowed).sorted() == [])
    }

    /// Words that mean unfinished work, spelled in two halves so that this file is not its own finding.
    @Test func nothingIsLeftUnfinished() {
        let words = ["TO" + "DO", "FIX" + "ME", "not " + "implemented", "un" + "implemented"]
        for file in Repository.files where ["Sources/", "Tests/", "Scripts/"].contains(where: { file.hasPrefix($0) }) {
            for (index, line) in Repository.lines(file).enumerated() {
                for word in words where line.contains(word) {
                    Issue.record("\(file): line \(index + 1) says \(word)")
                }
            }
        }
    }

    /// A path of the machine that something was written on means nothing on any other.
    @Test func noFileNamesAPathOfOneMachine() {
        let patterns = ["work/", "root/", "farm/", "opt/swift"].map { "/" + $0 }
        for file in Repository.files {
            guard let text = Repository.text(file) else { continue }
            for pattern in patterns {
                for range in text.ranges(of: pattern) {
                    let before = text[..<range.lowerBound].last
                    // `golden/root/` is a folder of ours; a machine's path begins the word.
                    if let before, before.isLetter || before.isNumber || "._-})".contains(before) { continue }
                    Issue.record("\(file) names \(pattern), a path of one machine")
                }
            }
        }
    }

    /// A recording of keys goes nowhere by itself: there is no network code at all, in the recorder or elsewhere.
    @Test func thereIsNoNetworkCode() {
        for file in Repository.files where file.hasPrefix("Sources/") {
            for name in Self.networkCode(Repository.text(file) ?? "", isPython: file.hasSuffix(".py")) {
                Issue.record("\(file) has network code: \(name)")
            }
        }
    }

    @Test func networkCodeIsFound() {
        for line in ["import socket", "from urllib.request import urlopen", "    import os, http.client as client"] {
            #expect(Self.networkCode("import sys\n\(line)\n", isPython: true).count == 1, "\(line)")
        }
        #expect(Self.networkCode("from keyflight import http_text\n# import socket\n", isPython: true) == [])
        #expect(Self.networkCode("let task = URL" + "Session.shared", isPython: false).count == 1)
    }

    private static func networkCode(_ text: String, isPython: Bool) -> [String] {
        guard isPython else {
            let names = ["AF_INET", "SOCK_", "getaddrinfo(", "URL" + "Session", "NWConnection", "import Network"]
            return names.filter { text.contains($0) }
        }
        let modules: Set<Substring> = [
            "socket", "socketserver", "ssl", "http", "urllib", "urllib3", "requests", "httpx", "aiohttp", "asyncio",
            "ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "xmlrpc", "webbrowser",
        ]
        return text.split(separator: "\n").flatMap { line -> [String] in
            let words = line.split { $0 == " " || $0 == "," }
            guard let first = words.first, first == "import" || first == "from" else { return [] }
            let named = first == "from" ? words.dropFirst().prefix(1) : words.dropFirst()
            return named.compactMap { $0.split(separator: ".").first }.filter(modules.contains).map(String.init)
        }
    }

    @Test func onlyTheCIEntryLooksBesideTheRepository() {
        let beside = ".." + "/shared"
        for file in Repository.files where file != ".ci/run" {
            #expect(Repository.text(file)?.contains(beside) != true, "\(file) looks outside the repository")
        }
    }
}
