// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "TabsApp",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(path: "../keyflight", traits: ["Tools"])],
    targets: [
        .testTarget(
            name: "TabsTests", dependencies: [.product(name: "KeyflightTesting", package: "keyflight")],
            exclude: ["Goldens"])
    ])
