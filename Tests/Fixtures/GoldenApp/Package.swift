// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "TabsApp",
    platforms: [.macOS(.v14), .iOS(.v17)],
    // Scenes are read with the trait Tools; without traits, goldens are of responders written in Swift.
    dependencies: [.package(path: "../keyflight", traits: ["Tools"])],
    targets: [
        .target(name: "Tabs", dependencies: [.product(name: "KeyflightEngine", package: "keyflight")]),
        .testTarget(
            name: "TabsTests",
            dependencies: ["Tabs", .product(name: "KeyflightTesting", package: "keyflight")],
            exclude: ["Goldens"]),
    ])
