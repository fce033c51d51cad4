// swift-tools-version: 6.2
import PackageDescription

/// A tool of one's own with a type of store of its own, which all that Ferry does takes.
let package = Package(
    name: "line-store",
    dependencies: [.package(name: "Ferry", path: "../..")],
    targets: [
        .executableTarget(
            name: "line-store",
            dependencies: [
                "KeyedArchives", "ManagedObjectModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess",
                "StoreConversion", "StoreFetching", "StoreMigration", "StoreVerification",
            ].map { .product(name: $0, package: "Ferry") })
    ]
)
