// swift-tools-version: 6.1
import PackageDescription

// An app that takes keyflight without traits: what it clones is the proof. It records, with and without UIKit, and its
// goldens are of responders written in Swift.
let package = Package(
    name: "RecorderOnly",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "keyflight", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "RecorderOnly", dependencies: [.product(name: "KeyflightRecorder", package: "keyflight")]),
        .target(name: "UIKit"),
        .executableTarget(
            name: "UIKitApp", dependencies: ["UIKit", .product(name: "KeyflightRecorder", package: "keyflight")]),
        .testTarget(
            name: "GoldenTests", dependencies: [.product(name: "KeyflightTesting", package: "keyflight")],
            exclude: ["Goldens"]),
    ])
