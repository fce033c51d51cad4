// swift-tools-version: 6.2
import PackageDescription

/// Drivers for libFuzzer; `run` builds them with the sanitizers and Ferry's code with them.
let package = Package(
    name: "ferry-fuzzing",
    dependencies: [.package(name: "Ferry", path: "..")],
    targets: [
        .target(name: "FuzzDriving"),
        .executableTarget(
            name: "fuzz-models",
            dependencies: ["FuzzDriving"]
                + [
                    "DocumentReading", "KeyedArchives", "ManagedObjectModels", "MappingModels", "ModelDiagrams",
                    "ModelLinting", "PredicateExpressions", "SwiftDataModels", "XMLStores",
                ].map { .product(name: $0, package: "Ferry") }),
        .executableTarget(
            name: "fuzz-sources",
            dependencies: ["FuzzDriving"]
                + [
                    "DocumentReading", "ImportMappings", "ManagedObjectModels", "MappingDrafting", "RecordSources",
                    "StoreImport",
                ].map { .product(name: $0, package: "Ferry") }),
        .executableTarget(
            name: "fuzz-stores",
            dependencies: ["FuzzDriving"]
                + [
                    "ManagedObjectModels", "PersistentStores", "SQLiteAccess", "SQLiteFileBuilder", "StoreConversion",
                    "StoreMigration", "StoreVerification",
                ].map { .product(name: $0, package: "Ferry") }),
    ]
)
