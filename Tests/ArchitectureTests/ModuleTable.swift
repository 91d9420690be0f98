/// Which modules of the package each module may import. This is the design: a new line here is a decision about
/// the architecture, not a repair of a test.
enum ModuleTable {
    /// In data-flow order. Every module may import `KeyModel` and `Libc` besides.
    static let allowed: [(module: String, imports: Set<String>)] = [
        ("Libc", []),
        ("KeyModel", []),
        ("HIDCapture", ["CPcap", "CPrivileges", "CZlib"]),
        ("KeyLayout", ["CXKBCommon"]),
        ("TraceFormat", ["CCRC32C"]),
        ("TracePresses", ["TraceFormat"]),
        ("TraceTools", ["TraceFormat"]),
        ("FlightRecorder", ["TraceFormat", "CRecorderSupport"]),
        // Products by their names; they have no code.
        ("KeyflightRecorder", ["FlightRecorder"]),
        ("KeyflightRecorderC", ["FlightRecorder", "CKeyflightRecorder"]),
        ("AppAdapter", ["CObjCHooks", "CStackSampler", "FlightRecorder"]),
        ("KeyflightUIKit", ["AppAdapter", "FlightRecorder"]),
        ("CaptureImport", ["HIDCapture", "TraceFormat"]),
        ("ResponderEngine", []),
        ("ResponderKit", ["ResponderEngine"]),
        ("Scenes", ["ResponderEngine", "ResponderKit", "CYAML"]),
        ("FlightReplay", ["TraceFormat", "TracePresses", "ResponderEngine", "ResponderKit", "Scenes"]),
        ("KeyflightEngine", ["FlightReplay", "KeyLayout", "ResponderEngine", "ResponderKit", "Scenes"]),
        ("UIKitNames", ["KeyflightEngine"]),
        ("LatencyAnalysis", ["TraceFormat", "TracePresses"]),
        ("WhatIf", ["ResponderEngine", "ResponderKit", "Scenes", "FlightReplay", "LatencyAnalysis", "TraceFormat"]),
        ("TraceReports", ["LatencyAnalysis", "TraceFormat", "TracePresses"]),
        ("TraceExport", ["TraceFormat", "TracePresses", "LatencyAnalysis", "CSQLite"]),
        (
            "RegressionGate",
            [
                "FlightReplay", "ResponderEngine", "Scenes", "LatencyAnalysis", "TraceFormat", "TracePresses",
                "TraceReports",
            ]
        ),
        // Layouts, because a test that replays needs one.
        (
            "KeyflightTesting",
            ["KeyflightEngine", "RegressionGate", "FlightReplay", "Scenes", "KeyLayout", "Testing", "XCTest"]
        ),
        // What its verbs need, which is never a capture decoder. It writes what a launched app records.
        (
            "keyflight",
            [
                "KeyLayout", "TraceFormat", "TraceTools", "CaptureImport", "ResponderEngine", "Scenes", "FlightReplay",
                "LatencyAnalysis", "WhatIf", "TracePresses", "TraceReports", "TraceExport", "RegressionGate",
                "FlightRecorder", "ArgumentParser", "CBuildStamp",
            ]
        ),
        (
            "keyflight-bench",
            [
                "HIDCapture", "KeyLayout", "TraceFormat", "FlightRecorder", "CaptureImport", "ResponderEngine",
                "ResponderKit", "Scenes", "FlightReplay", "LatencyAnalysis", "TracePresses", "TraceReports",
                "RegressionGate", "CAllocationCount",
            ]
        ),
    ]

    /// What every Swift module may import besides: the system's own, which SwiftPM does not ask to declare.
    static let platform: Set<String> = [
        "Glibc", "Musl", "Darwin", "Synchronization", "Foundation",
    ]

    /// The toolchain's test libraries, which only the module for tests may import.
    static let testLibraries: Set<String> = ["Testing", "XCTest"]

    /// Packages that every module may use.
    static let everywhere: Set<String> = [
        "SystemPackage", "Collections", "DequeModule", "OrderedCollections", "Atomics",
    ]

    /// The engine side and the analysis side meet only in `FlightReplay` and what stands on it.
    static let engine: Set<String> = ["ResponderEngine", "ResponderKit", "Scenes", "FlightReplay"]
}
