// swift-tools-version: 6.1
import PackageDescription

/// Every target: imports stay internal unless said otherwise, members need their module's import, and `any` is
/// written out.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

/// The fuse of the recorder: without this condition no call of it records, and `Keyflight.start` refuses. Debug builds
/// have it; release builds only with the trait `Recording`.
let fuse: [SwiftSetting] = [
    .define("KEYFLIGHT_RECORDING", .when(configuration: .debug)),
    .define("KEYFLIGHT_RECORDING", .when(traits: ["Recording"])),
]

/// The pages that state the rules of the specification, which `keyflight help` prints.
let rulePages =
    ["Data", "Delivery", "Command", "Matching", "Dispatch", "Chain", "Overlay", "Trap", "Vector", "RecentSystem"]
    .map { "ResponderEngine/ResponderEngine.docc/Rules/\($0)Rules" }
    + ["Component", "Text", "KeyBinding"].map { "ResponderKit/ResponderKit.docc/Rules/\($0)Rules" }
    + ["HIDCapture/HIDCapture.docc/Rules/CaptureRules", "AppAdapter/AppAdapter.docc/Rules/LiveAppRules"]

/// Of tests. In a release build it is the modules they test that are optimised: optimising the tests as well would take
/// longer than all of the rest.
let strictTests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Apple's tools ask each library for its privacy manifest. Where they are not, it would bring Foundation with it.
#if os(macOS)
let privacy: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let withoutPrivacy: [String] = []
#else
let privacy: [Resource] = []
let withoutPrivacy = ["PrivacyInfo.xcprivacy"]
#endif

/// What only the command line and scenes need stands behind the trait `Tools`, so that an app that links the
/// recorder with `traits: []` clones none of it.
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"]))
let yaml = Target.Dependency.target(name: "CYAML", condition: .when(traits: ["Tools"]))
/// Not behind the trait: the recorder needs it, and nothing else of other people's.
let atomics = Target.Dependency.product(name: "Atomics", package: "swift-atomics")
let system = Target.Dependency.product(
    name: "SystemPackage", package: "swift-system", condition: .when(traits: ["Tools"]))

let package = Package(
    name: "keyflight",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .library(name: "KeyflightRecorder", targets: ["KeyflightRecorder"]),
        .library(name: "KeyflightRecorderC", type: .dynamic, targets: ["KeyflightRecorderC"]),
        // Loaded into an app that nobody prepared.
        .library(name: "KeyflightAdapter", type: .dynamic, targets: ["AppAdapter", "CAdapterEntry"]),
        .library(name: "KeyflightUIKit", targets: ["KeyflightUIKit", "KeyflightRecorder"]),
        .library(name: "KeyflightEngine", targets: ["KeyflightEngine"]),
        .library(name: "UIKitNames", targets: ["UIKitNames"]),
        .library(name: "KeyflightTesting", targets: ["KeyflightTesting"]),
        .executable(name: "keyflight", targets: ["keyflight"]),
    ],
    traits: [
        .trait(name: "Tools", description: "The command line, scenes and reports."),
        .trait(name: "Recording", description: "The recorder records in release builds too, not in debug builds alone."),
        .default(enabledTraits: ["Tools", "Recording"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        // The C library of the platform, whichever it is, files by their paths, and a pool of its threads.
        .target(name: "Libc", swiftSettings: strict),

        // The words all modules speak: usages, modifiers, events, chords, trace time, layouts as values.
        .target(name: "KeyModel", swiftSettings: strict),

        // Capture bytes → HID reports → key events.
        .systemLibrary(name: "CPcap", pkgConfig: "libpcap", providers: [.apt(["libpcap-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CPrivileges"),
        .target(
            name: "HIDCapture", dependencies: ["KeyModel", "Libc", "CPcap", "CPrivileges", "CZlib", system],
            swiftSettings: strict),

        // A `Layout` from libxkbcommon, and the shipped layouts.
        .systemLibrary(name: "CXKBCommon", pkgConfig: "xkbcommon", providers: [.apt(["libxkbcommon-dev"])]),
        .target(
            name: "KeyLayout", dependencies: ["KeyModel", "Libc", "CXKBCommon"],
            resources: ["us", "fr", "de", "us-dvorak"].flatMap {
                [.embedInCode("Shipped/\($0).layout"), .embedInCode("Shipped/\($0)-pc.layout")]
            },
            swiftSettings: strict),

        // Records ⇄ bytes ⇄ text: the only place that knows offsets, limits and versions.
        .target(name: "CCRC32C"),
        .target(name: "TraceFormat", dependencies: ["KeyModel", "Libc", "CCRC32C"], swiftSettings: strict),

        // Records → whole presses: the only place that knows which records belong together.
        .target(name: "TracePresses", dependencies: ["KeyModel", "TraceFormat"], swiftSettings: strict),

        // Trace → trace: cut, merge, redact, repair, strict check.
        .target(name: "TraceTools", dependencies: ["KeyModel", "TraceFormat"], swiftSettings: strict),

        // What an app links: key events and context into a masked trace.
        .target(name: "CRecorderSupport"),
        .target(
            name: "FlightRecorder",
            dependencies: ["KeyModel", "Libc", "TraceFormat", "CRecorderSupport", atomics],
            exclude: withoutPrivacy, resources: privacy, swiftSettings: strict + fuse),

        // The recorder under the name of its product.
        .target(name: "KeyflightRecorder", dependencies: ["FlightRecorder"], swiftSettings: strict),

        // The same calls for C, Objective-C and C++: a header, and a dynamic library.
        .target(name: "CKeyflightRecorder"),
        .target(
            name: "KeyflightRecorderC", dependencies: ["Libc", "FlightRecorder", "CKeyflightRecorder"],
            swiftSettings: strict + fuse),

        // Methods of a running Objective-C program, observed: its runtime by dlsym, no toolkit.
        .target(name: "CObjCHooks"),

        // The stack of a thread while it takes long: sampled, unwound and named.
        .target(name: "CStackSampler"),

        // Hook tables of toolkits, the records that each hook makes, and where a loaded library begins.
        .target(
            name: "AppAdapter", dependencies: ["KeyModel", "Libc", "CObjCHooks", "CStackSampler", "FlightRecorder"],
            swiftSettings: strict + fuse),
        .target(name: "CAdapterEntry"),

        // The adapter for UIKit as a library that an app links.
        .target(
            name: "KeyflightUIKit", dependencies: ["Libc", "FlightRecorder", "AppAdapter"], swiftSettings: strict + fuse),

        // Captures → masked trace.
        .target(
            name: "CaptureImport", dependencies: ["KeyModel", "Libc", "HIDCapture", "TraceFormat", system],
            swiftSettings: strict),

        // Key events → resolutions: chain, key commands, menus, matching, dispatch, caches.
        .target(
            name: "ResponderEngine", dependencies: ["KeyModel"],
            resources: [
                "ios7", "ios9", "ios13", "ios134", "ios15", "ios16", "ios26", "ios27", "catalyst", "react-native-dev",
                "appkit", "gnustep",
            ].map { .embedInCode("Profiles/\($0).profile") },
            swiftSettings: strict),

        // Ready-made responders.
        .target(name: "ResponderKit", dependencies: ["KeyModel", "Libc", "ResponderEngine"], swiftSettings: strict),

        // A responder tree as YAML, key scripts as text.
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "Scenes", dependencies: ["KeyModel", "ResponderEngine", "ResponderKit", yaml],
            swiftSettings: strict),

        // An event sequence and responders → resolutions on a virtual clock.
        .target(
            name: "FlightReplay",
            dependencies: ["KeyModel", "TraceFormat", "TracePresses", "ResponderEngine", "ResponderKit", "Scenes"],
            swiftSettings: strict),

        // Keys, responders and replay under the name of their product.
        .target(
            name: "KeyflightEngine",
            dependencies: ["KeyModel", "KeyLayout", "ResponderEngine", "ResponderKit", "Scenes", "FlightReplay"],
            swiftSettings: strict),

        // The responders under UIKit's names.
        .target(name: "UIKitNames", dependencies: ["KeyflightEngine"], swiftSettings: strict),

        // Trace → facts: stages, calls, cache effectiveness. Never sees the engine.
        .target(
            name: "LatencyAnalysis", dependencies: ["KeyModel", "TraceFormat", "TracePresses"], swiftSettings: strict),

        // What a scene or a trace would do otherwise: every chord in every context, other caches, costs and rules.
        .target(
            name: "WhatIf",
            dependencies: [
                "KeyModel", "TraceFormat", "ResponderEngine", "ResponderKit", "Scenes", "FlightReplay", "LatencyAnalysis",
            ],
            swiftSettings: strict),

        // Facts → text, JSON and a page for a browser.
        .target(
            name: "TraceReports", dependencies: ["KeyModel", "LatencyAnalysis", "TraceFormat", "TracePresses"],
            resources: [
                "report.html", "report.css", "words.js", "data.js", "filter.js", "dom.js", "facts.js", "map.js",
                "press.js", "list.js", "timeline.js", "tables.js", "compare.js", "main.js",
            ].map { .embedInCode("HTML/Page/\($0)") },
            swiftSettings: strict),

        // Trace → other programs' formats.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "TraceExport",
            dependencies: ["KeyModel", "Libc", "TraceFormat", "TracePresses", "LatencyAnalysis", "CSQLite"],
            swiftSettings: strict),

        // Is it the same, and is it slower: differences, goldens, gates and the statistics they stand on.
        .target(
            name: "RegressionGate",
            dependencies: [
                "KeyModel", "Libc", "ResponderEngine", "Scenes", "FlightReplay", "LatencyAnalysis", "TraceFormat",
                "TracePresses", "TraceReports",
            ],
            swiftSettings: strict),

        // Goldens for XCTest and Swift Testing. Nothing else imports those two.
        .target(
            name: "KeyflightTesting",
            dependencies: ["KeyModel", "KeyLayout", "Scenes", "FlightReplay", "KeyflightEngine", "RegressionGate"],
            swiftSettings: strict),

        // Version and commit, which the script that installs writes into the program.
        .target(name: "CBuildStamp"),
        // Parse, call, print.
        .executableTarget(
            name: "keyflight",
            dependencies: [
                "Libc", "KeyModel", "KeyLayout", "TraceFormat", "TraceTools", "CaptureImport", "ResponderEngine",
                "Scenes", "FlightReplay", "LatencyAnalysis", "WhatIf", "TracePresses", "TraceReports", "TraceExport",
                "RegressionGate", "FlightRecorder", "CBuildStamp", arguments, system,
            ],
            // What `demo` tells its story with, and the texts of help: the program is whole wherever it is.
            resources: [
                .embedInCode("../../Traces/captures/usb-keyboard-viewer.pcap"),
                .embedInCode("../../Traces/scenes/pdf-viewer.scene.yaml"),
                .embedInCode("Help/Topics.md"), .embedInCode("Help/Verbs.md"), .embedInCode("Help/Schemas.md"), .embedInCode("Help/Errors.md"),
                .embedInCode("Help/completions.bash"),
                .embedInCode("../KeyflightTesting/KeyflightTesting.docc/ContinuousIntegration.md"),
            ] + rulePages.map { .embedInCode("../\($0).md") },
            swiftSettings: strict),

        // Exact counters and timings.
        .target(name: "CAllocationCount"),
        .executableTarget(
            name: "keyflight-bench",
            dependencies: [
                "KeyModel", "Libc", "HIDCapture", "KeyLayout", "TraceFormat", "FlightRecorder", "CaptureImport",
                "ResponderEngine", "ResponderKit", "Scenes", "FlightReplay", "LatencyAnalysis", "RegressionGate",
                "TracePresses", "CAllocationCount", system,
            ],
            swiftSettings: strict),

        .testTarget(name: "ArchitectureTests", swiftSettings: strictTests),
        .testTarget(name: "KeyModelTests", dependencies: ["KeyModel"], swiftSettings: strictTests),
        .testTarget(
            name: "HIDCaptureTests",
            dependencies: ["HIDCapture", "KeyModel", "Libc", "CPcap", "CZlib", "TestRequirements", system],
            swiftSettings: strictTests),
        .testTarget(
            name: "KeyLayoutTests", dependencies: ["KeyLayout", "KeyModel", "Libc", "TestRequirements"],
            swiftSettings: strictTests),
        // What a test needs of the machine, and what becomes of it where that is missing; in no product.
        .target(name: "TestRequirements", path: "Tests/TestRequirements", swiftSettings: strict),
        // Generated traces for tests; in no product.
        .target(
            name: "GeneratedTraces", dependencies: ["KeyModel", "TraceFormat", "CCRC32C"], path: "Tests/GeneratedTraces",
            swiftSettings: strict),
        // Writes them into files, for campaigns; in no product.
        .executableTarget(
            name: "LyingTraces", dependencies: ["GeneratedTraces", "Libc", "TraceFormat"],
            path: "Tests/Fixtures/LyingTraces", swiftSettings: strict),
        .testTarget(
            name: "TraceFormatTests", dependencies: ["TraceFormat", "GeneratedTraces", "KeyModel", "Libc"],
            swiftSettings: strictTests),
        .testTarget(
            name: "TracePressesTests", dependencies: ["TracePresses", "TraceFormat", "KeyModel", "Libc"],
            swiftSettings: strictTests),
        .testTarget(
            name: "TraceToolsTests", dependencies: ["TraceTools", "TraceFormat", "GeneratedTraces", "KeyModel"],
            swiftSettings: strictTests),
        // A small app with the recorder in it, for tests and proofs; in no product.
        .executableTarget(
            name: "InstrumentedHost", dependencies: ["FlightRecorder", "Libc"], path: "Tests/Fixtures/InstrumentedHost",
            swiftSettings: strict),
        // An app that links the adapter for UIKit, on a UIKit of our own; in no product.
        .executableTarget(
            name: "LinkedReader", dependencies: ["KeyflightUIKit", "FlightRecorder", "Libc"],
            path: "Tests/Fixtures/LinkedReader", swiftSettings: strict),
        // Generated scenes, what must hold for each, and how to make a failing one small; and a program that tries many;
        // in no product.
        .target(
            name: "SceneGeneration",
            dependencies: [
                "FlightReplay", "Scenes", "ResponderEngine", "KeyLayout", "KeyModel", "WhatIf", "LatencyAnalysis",
                "TraceFormat",
            ],
            path: "Tests/Fixtures/SceneGeneration", swiftSettings: strict),
        .executableTarget(
            name: "SceneSoak", dependencies: ["SceneGeneration", "FlightReplay", "KeyModel", "Libc"],
            path: "Tests/Fixtures/SceneSoak", swiftSettings: strict),
        // Sessions of an app as traces, for tables of many; in no product.
        .executableTarget(
            name: "FleetTraces", dependencies: ["GeneratedTraces", "TraceFormat", "KeyModel"],
            path: "Tests/Fixtures/FleetTraces", swiftSettings: strict),
        .testTarget(
            name: "FlightRecorderTests",
            dependencies: ["FlightRecorder", "GeneratedTraces", "TestRequirements"], swiftSettings: strictTests),
        .testTarget(
            name: "CaptureImportTests",
            dependencies: [
                "CaptureImport", "HIDCapture", "TraceFormat", "TraceTools", "KeyModel", "TestRequirements", system,
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "TraceExportTests",
            dependencies: [
                "TraceExport", "LatencyAnalysis", "CaptureImport", "TraceFormat", "GeneratedTraces", "TestRequirements",
                "KeyModel",
            ],
            exclude: ["perfetto_trace.proto"], swiftSettings: strictTests),
        .testTarget(
            name: "ResponderEngineTests", dependencies: ["ResponderEngine", "ResponderKit", "KeyModel", "KeyLayout"],
            swiftSettings: strictTests),
        .testTarget(
            name: "ResponderKitTests", dependencies: ["ResponderKit", "ResponderEngine", "KeyModel", "KeyLayout"],
            swiftSettings: strictTests),
        .testTarget(
            name: "ScenesTests",
            dependencies: ["Scenes", "ResponderEngine", "ResponderKit", "KeyLayout", "KeyModel", "Libc"],
            swiftSettings: strictTests),
        .testTarget(
            name: "FlightReplayTests",
            dependencies: [
                "FlightReplay", "Scenes", "ResponderEngine", "ResponderKit", "TraceFormat", "TracePresses", "KeyLayout",
                "KeyModel", "SceneGeneration",
            ],
            swiftSettings: strictTests),
        // What the README and the documentation show, run.
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "KeyflightEngine", "KeyflightRecorder", "KeyflightUIKit", "TraceFormat", "UIKitNames",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "LatencyAnalysisTests",
            dependencies: [
                "LatencyAnalysis", "TraceReports", "TracePresses", "TraceFormat", "KeyModel", "GeneratedTraces",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "KeyflightTestingTests",
            dependencies: [
                "KeyflightTesting", "RegressionGate", "FlightReplay", "ResponderEngine", "KeyLayout", "KeyModel",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "RegressionGateTests",
            dependencies: [
                "RegressionGate", "FlightReplay", "Scenes", "LatencyAnalysis", "TraceFormat", "TraceReports", "KeyLayout",
                "KeyModel", "GeneratedTraces",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "WhatIfTests",
            dependencies: [
                "WhatIf", "FlightReplay", "LatencyAnalysis", "Scenes", "ResponderEngine", "TraceFormat",
                "TraceReports", "SceneGeneration", "KeyLayout", "KeyModel",
            ],
            swiftSettings: strictTests),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "keyflight", "RegressionGate", "TraceExport", "KeyModel", "Libc", "GeneratedTraces", "TestRequirements",
            ],
            swiftSettings: strictTests),
    ],
    cxxLanguageStandard: .cxx17
)
