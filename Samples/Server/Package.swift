// swift-tools-version: 6.2
import PackageDescription

/// A program that answers queries of a store from several tasks at once.
let package = Package(
    name: "object-server",
    dependencies: [.package(name: "Ferry", path: "../..")],
    targets: [
        .target(
            name: "ObjectServer",
            dependencies: [
                "ManagedObjectModels", "ManagedObjects", "PersistentStores", "PredicateExpressions", "StoreFetching",
                "StoreMigration",
            ].map { .product(name: $0, package: "Ferry") }),
        .executableTarget(name: "object-server", dependencies: ["ObjectServer"]),
    ]
)
