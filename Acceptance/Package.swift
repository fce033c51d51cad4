// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Acceptance",
    platforms: [.macOS(.v14)],
    targets: [.executableTarget(name: "acceptance")]
)
