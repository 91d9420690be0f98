// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "KeyRecording",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [.library(name: "KeyRecording", targets: ["KeyRecording"])],
    dependencies: [.package(path: "../keyflight", traits: [])],
    targets: [
        .target(name: "KeyRecording", dependencies: [.product(name: "KeyflightUIKit", package: "keyflight")])
    ])
