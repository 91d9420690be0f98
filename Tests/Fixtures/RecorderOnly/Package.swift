// swift-tools-version: 6.1
import PackageDescription

// An app that takes the recorder and nothing else: what it clones is the proof.
let package = Package(
    name: "RecorderOnly",
    dependencies: [.package(name: "keyflight", path: "../../..", traits: [])],
    targets: [
        .executableTarget(
            name: "RecorderOnly", dependencies: [.product(name: "KeyflightRecorder", package: "keyflight")])
    ])
