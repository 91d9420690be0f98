// swift-tools-version: 6.1
import PackageDescription

// An app as a user of goldens has one: responders in Swift, tests in both libraries, a gate in CI.
let package = Package(
    name: "GoldenApp",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "keyflight", path: "../../..")],
    targets: [
        .target(name: "Tabs", dependencies: [.product(name: "KeyflightEngine", package: "keyflight")]),
        .testTarget(
            name: "TabsTests",
            dependencies: [
                "Tabs", .product(name: "KeyflightEngine", package: "keyflight"),
                .product(name: "KeyflightTesting", package: "keyflight"),
            ],
            exclude: ["Goldens"]),
    ])
