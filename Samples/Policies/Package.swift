// swift-tools-version: 6.2
import PackageDescription

/// A tool of one's own that migrates with policies written in Swift.
let package = Package(
    name: "company-policies",
    dependencies: [.package(name: "Ferry", path: "../..")],
    targets: [
        .executableTarget(
            name: "company-policies",
            dependencies: ["ManagedObjectModels", "MappingModels", "PersistentStores", "StoreMigration"].map {
                .product(name: $0, package: "Ferry")
            })
    ]
)
