// swift-tools-version: 6.2
import PackageDescription

/// Each function in a section of its own, so that the linker leaves out of the tool what it does not call: a tenth of
/// the file. Only unsafe flags say so, and a package with such flags cannot be depended upon by version: not there.
let sections: [SwiftSetting] =
    Context.packageDirectory.contains("/checkouts/")
    ? [] : [.unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release))]

/// Modules that never show a value by the names of its cases or fields need no names of these; as above, not for
/// dependents.
let unnamed: [SwiftSetting] =
    sections.isEmpty
    ? [] : [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"], .when(configuration: .release))]

/// Where a call takes no time that anybody waits for, small code is better than fast code, and sequences that repeat are
/// functions; as above, not for dependents.
let small: [SwiftSetting] =
    sections.isEmpty
    ? [] : [.unsafeFlags(["-Osize", "-Xllvm", "-enable-machine-outliner=always"], .when(configuration: .release))]

/// Release builds whose modules tests may import, as `Tests/run` makes them. Nobody debugs these builds.
let testable: [SwiftSetting] =
    Context.environment["FERRY_TESTABLE"] == nil
    ? [] : [.unsafeFlags(["-enable-testing", "-gnone"], .when(configuration: .release))]

/// Settings of every Swift target: what a warning says is worth mending at once, and imports say what they expose.
let settings: [SwiftSetting] =
    sections + testable + [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

/// The wrappers of C libraries mark every unsafe expression.
let wrapperSettings = settings + [.strictMemorySafety()]

/// What Packaging/deb and .ci/release say of the commit that they build.
let commit = (Context.environment["FERRY_COMMIT"] ?? "").filter { $0.isHexDigit || $0 == "+" }

/// Tests are not optimized: the time is spent in what they call. Nothing waits for their interfaces, and a compiler
/// that makes them separately expands all macros twice.
let testSettings =
    settings + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))]

func layer(_ name: String, _ dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = settings) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(of name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, swiftSettings: testSettings)
}

let package = Package(
    name: "Ferry",
    products: [
        .library(name: "CommandLineParsing", targets: ["CommandLineParsing"]),
        .library(name: "CompressedStreams", targets: ["CompressedStreams"]),
        .library(name: "DocumentReading", targets: ["DocumentReading"]),
        .library(name: "ExternalPrograms", targets: ["ExternalPrograms"]),
        .library(name: "ImportMappings", targets: ["ImportMappings"]),
        .library(name: "KeyedArchives", targets: ["KeyedArchives"]),
        .library(name: "ManagedObjectModels", targets: ["ManagedObjectModels"]),
        .library(name: "ManagedObjects", targets: ["ManagedObjects"]),
        .library(name: "MappingDrafting", targets: ["MappingDrafting"]),
        .library(name: "MappingModels", targets: ["MappingModels"]),
        .library(name: "ModelDiagrams", targets: ["ModelDiagrams"]),
        .library(name: "ModelLinting", targets: ["ModelLinting"]),
        .library(name: "ObjectValidation", targets: ["ObjectValidation"]),
        .library(name: "PersistentStores", targets: ["PersistentStores"]),
        .library(name: "PredicateExpressions", targets: ["PredicateExpressions"]),
        .library(name: "RecordConversion", targets: ["RecordConversion"]),
        .library(name: "RecordSources", targets: ["RecordSources"]),
        .library(name: "ReportPages", targets: ["ReportPages"]),
        .library(name: "SQLiteAccess", targets: ["SQLiteAccess"]),
        .library(name: "SQLiteFileBuilder", targets: ["SQLiteFileBuilder"]),
        .library(name: "StoreConversion", targets: ["StoreConversion"]),
        .library(name: "StoreEditing", targets: ["StoreEditing"]),
        .library(name: "StoreExport", targets: ["StoreExport"]),
        .library(name: "StoreFetching", targets: ["StoreFetching"]),
        .library(name: "StoreFixtures", targets: ["StoreFixtures"]),
        .library(name: "StoreFleets", targets: ["StoreFleets"]),
        .library(name: "StoreImport", targets: ["StoreImport"]),
        .library(name: "StoreMigration", targets: ["StoreMigration"]),
        .library(name: "StoreVerification", targets: ["StoreVerification"]),
        .library(name: "SwiftDataModels", targets: ["SwiftDataModels"]),
        .library(name: "TextEncodings", targets: ["TextEncodings"]),
        .library(name: "ValueTransformers", targets: ["ValueTransformers"]),
        .library(name: "XMLStores", targets: ["XMLStores"]),
        .executable(name: "ferry", targets: ["ferry"]),
        .executable(name: "ferry-benchmarks", targets: ["ferry-benchmarks"]),
    ],
    targets: [
        .systemLibrary(name: "CLibXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CSpawn"),
        .target(name: "CBuildFacts", cSettings: commit.isEmpty ? [] : [.define("FERRY_COMMIT", to: "\"\(commit)\"")]),
        // Compiled, because ICU's headers may not be seen by modules that also see Foundation's.
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),

        layer("ChildProcesses", ["CSpawn"]),
        layer("ExternalPrograms", ["ChildProcesses"], settings: settings + small + unnamed),
        layer("TextEncodings"),
        layer("UnicodeText", ["CICU"], settings: wrapperSettings),
        layer("Threading"),
        layer("SQLiteAccess", ["CSQLite", "TextEncodings"], settings: wrapperSettings + small + unnamed),
        layer("SQLiteFileBuilder", ["SQLiteAccess", "Threading"]),
        layer("DocumentReading", ["CLibXML", "CLibYAML", "TextEncodings"], settings: wrapperSettings + unnamed),
        layer("CompressedStreams", ["CZlib", "CZstd"], settings: settings + small + unnamed),
        layer("KeyedArchives", ["TextEncodings"], settings: settings + small),
        layer("CommandLineParsing", ["TextEncodings"], settings: settings + small + unnamed),
        layer(
            "ManagedObjectModels",
            [
                "CNettle", "CompressedStreams", "DocumentReading", "KeyedArchives", "PredicateExpressions",
                "TextEncodings",
            ], settings: settings + small),
        layer(
            "PredicateExpressions", ["KeyedArchives", "SQLiteAccess", "TextEncodings", "UnicodeText"],
            settings: settings + small),
        layer(
            "ValueTransformers", ["ExternalPrograms", "KeyedArchives", "ManagedObjectModels", "TextEncodings"],
            settings: settings + small),
        layer(
            "XMLStores", ["DocumentReading", "KeyedArchives", "TextEncodings"], settings: settings + small + unnamed),
        layer(
            "MappingModels",
            [
                "DocumentReading", "KeyedArchives", "ManagedObjectModels", "PredicateExpressions", "TextEncodings",
                "XMLStores",
            ], settings: settings + small),
        layer("SwiftDataModels", ["DocumentReading", "ManagedObjectModels"], settings: settings + small + unnamed),
        layer(
            "ModelDiagrams", ["ManagedObjectModels", "MappingModels", "TextEncodings"],
            settings: settings + small + unnamed),
        layer(
            "ModelLinting",
            [
                "ChildProcesses", "DocumentReading", "ManagedObjectModels", "MappingModels", "PredicateExpressions",
                "TextEncodings",
            ], settings: settings + small + unnamed),
        layer(
            "PersistentStores",
            [
                "DocumentReading", "KeyedArchives", "ManagedObjectModels", "PredicateExpressions", "SQLiteAccess",
                "TextEncodings", "Threading", "XMLStores",
            ], settings: settings + small),
        layer(
            "ObjectValidation", ["ManagedObjectModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess"],
            settings: settings + small + unnamed),
        layer(
            "StoreAssembly", ["PersistentStores", "SQLiteAccess", "SQLiteFileBuilder", "Threading"],
            settings: settings + unnamed),
        layer(
            "StoreFixtures",
            [
                "KeyedArchives", "ManagedObjectModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess",
                "SQLiteFileBuilder", "StoreAssembly", "TextEncodings",
            ], settings: settings + small + unnamed),
        layer(
            "StoreConversion",
            [
                "DocumentReading", "KeyedArchives", "ManagedObjectModels", "PersistentStores", "SQLiteAccess",
                "SQLiteFileBuilder", "StoreAssembly", "TextEncodings", "Threading", "XMLStores",
            ], settings: settings + small + unnamed),
        layer(
            "StoreMigration",
            [
                "DocumentReading", "ExternalPrograms", "KeyedArchives", "ManagedObjectModels", "MappingModels",
                "ObjectValidation",
                "PersistentStores", "PredicateExpressions", "SQLiteAccess", "SQLiteFileBuilder", "StoreAssembly",
                "StoreConversion", "StoreEditing", "SwiftDataModels", "TextEncodings", "Threading",
            ], settings: settings + small + unnamed),
        layer(
            "StoreEditing",
            [
                "DocumentReading", "ManagedObjectModels", "ObjectValidation", "PersistentStores",
                "PredicateExpressions",
                "SQLiteAccess", "StoreConversion", "StoreFetching", "ValueTransformers",
            ], settings: settings + small + unnamed),
        layer(
            "ManagedObjects",
            [
                "KeyedArchives", "ManagedObjectModels", "ObjectValidation", "PersistentStores",
                "PredicateExpressions", "SQLiteAccess", "StoreConversion", "StoreEditing", "StoreFetching",
                "TextEncodings", "ValueTransformers", "XMLStores",
            ]),
        layer(
            "StoreExport",
            [
                "ImportMappings", "KeyedArchives", "ManagedObjectModels", "PersistentStores",
                "PredicateExpressions", "RecordConversion", "RecordSources", "SQLiteAccess", "StoreFetching",
                "StoreImport", "Threading",
                "ValueTransformers",
            ], settings: settings + small + unnamed),
        layer(
            "StoreFetching",
            [
                "KeyedArchives", "ManagedObjectModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess",
                "SQLiteFileBuilder", "TextEncodings", "ValueTransformers",
            ], settings: settings + small + unnamed),
        layer(
            "StoreFleets",
            [
                "ChildProcesses", "DocumentReading", "ExternalPrograms", "ManagedObjectModels", "MappingModels",
                "PersistentStores", "SQLiteAccess", "StoreConversion", "StoreExport", "StoreFetching", "StoreImport",
                "StoreMigration", "StoreVerification", "SwiftDataModels", "Threading",
            ], settings: settings + small + unnamed),
        layer(
            "RecordSources",
            [
                "CompressedStreams", "DocumentReading", "KeyedArchives", "PersistentStores", "SQLiteAccess",
                "TextEncodings",
            ], settings: settings + unnamed),
        layer(
            "RecordConversion",
            [
                "DocumentReading", "ManagedObjectModels", "PersistentStores", "RecordSources", "SQLiteAccess",
                "TextEncodings", "UnicodeText",
            ], settings: settings + unnamed),
        layer(
            "ImportMappings",
            [
                "CompressedStreams", "DocumentReading", "ManagedObjectModels", "PredicateExpressions",
                "RecordConversion", "RecordSources", "SQLiteAccess", "TextEncodings",
            ], settings: settings + small + unnamed),
        layer(
            "MappingDrafting",
            [
                "DocumentReading", "ImportMappings", "ManagedObjectModels", "ObjectValidation", "PersistentStores",
                "RecordConversion", "RecordSources", "SQLiteAccess", "TextEncodings",
            ], settings: settings + small + unnamed),
        layer(
            "StoreImport",
            [
                "CompressedStreams", "ImportMappings", "KeyedArchives", "ManagedObjectModels", "MappingDrafting",
                "ObjectValidation", "PersistentStores", "PredicateExpressions", "RecordConversion", "RecordSources",
                "SQLiteAccess", "SQLiteFileBuilder", "StoreAssembly", "TextEncodings", "Threading", "ValueTransformers",
            ], settings: settings + small + unnamed),
        layer(
            "StoreVerification",
            [
                "DocumentReading", "KeyedArchives", "ManagedObjectModels", "ObjectValidation", "PersistentStores",
                "PredicateExpressions", "SQLiteAccess", "SQLiteFileBuilder", "StoreConversion",
                "XMLStores",
            ], settings: settings + small + unnamed),
        layer(
            "ReportPages",
            [
                "ModelDiagrams", "ModelLinting", "PersistentStores", "StoreFleets", "StoreImport", "StoreMigration",
                "StoreVerification", "TextEncodings",
            ], settings: settings + small),
        // The commands are a library: tests import it, and are not linked like the tool.
        layer(
            "FerryCommands",
            [
                "CBuildFacts", "CommandLineParsing", "CompressedStreams", "DocumentReading", "ExternalPrograms",
                "ImportMappings", "KeyedArchives", "ManagedObjectModels", "MappingDrafting", "MappingModels",
                "ModelDiagrams", "ModelLinting", "PersistentStores", "PredicateExpressions", "RecordSources",
                "ReportPages", "SQLiteAccess", "StoreConversion", "StoreEditing", "StoreExport", "StoreFetching",
                "StoreFixtures", "StoreFleets", "StoreImport", "StoreMigration", "StoreVerification", "SwiftDataModels",
                "TextEncodings", "Threading", "UnicodeText", "ValueTransformers",
            ], settings: settings + small),
        .executableTarget(
            name: "ferry", dependencies: ["FerryCommands"],
            // Swift's runtime inside the tool halves its start and leaves nothing but C libraries to install beside it.
            // LLVM's linker, because the other one warns of calls inside Foundation that nobody makes here.
            // Nothing loads the tool as a library: it exports no symbols, and its relocations are packed (glibc 2.36).
            swiftSettings: settings + small + [.unsafeFlags(["-static-stdlib"], .when(configuration: .release))],
            linkerSettings: [
                .unsafeFlags(
                    [
                        "-static-stdlib", "-use-ld=lld", "-Xlinker", "--no-export-dynamic",
                        // Nothing that no one calls, and code of equal functions once.
                        "-Xlinker", "--gc-sections", "-Xlinker", "--icf=all",
                        "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
                        // No tables for unwinding.
                        "-Xlinker", "--no-eh-frame-hdr",
                        "-Xlinker", "-T", "-Xlinker", Context.packageDirectory + "/Packaging/sections.ld",
                    ], .when(configuration: .release))
            ]),
        .executableTarget(
            name: "ferry-benchmarks",
            // The tool itself is measured: it must be built with the benchmarks.
            dependencies: [
                "ChildProcesses", "CommandLineParsing", "KeyedArchives", "ManagedObjectModels", "ManagedObjects",
                "MappingModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess", "StoreFetching",
                "StoreMigration", "ferry",
            ],
            swiftSettings: settings),
        // The example of a tool of one's own; it also has a package of its own, as a user's would.
        .executableTarget(
            name: "company-policies",
            dependencies: ["ManagedObjectModels", "MappingModels", "PersistentStores", "StoreMigration"],
            path: "Samples/Policies/Sources/company-policies", swiftSettings: settings),
        // The example of a type of store of one's own, likewise.
        .executableTarget(
            name: "line-store",
            dependencies: [
                "KeyedArchives", "ManagedObjectModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess",
                "StoreConversion", "StoreFetching", "StoreMigration", "StoreVerification",
            ],
            path: "Samples/CustomStore/Sources/line-store", swiftSettings: settings),
        // The example of a server, likewise.
        .target(
            name: "ObjectServer",
            dependencies: [
                "ManagedObjectModels", "ManagedObjects", "PersistentStores", "PredicateExpressions", "StoreFetching",
                "StoreMigration",
            ],
            path: "Samples/Server/Sources/ObjectServer", swiftSettings: settings),
        .executableTarget(
            name: "object-server", dependencies: ["ObjectServer"], path: "Samples/Server/Sources/object-server",
            swiftSettings: settings),

        .target(name: "CTestProcess", dependencies: ["CSQLite"], path: "Tests/CTestProcess"),
        .target(
            name: "TestSupport", dependencies: ["ChildProcesses", "CTestProcess"], path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "GeneratedStores",
            dependencies: [
                "KeyedArchives", "ManagedObjectModels", "PersistentStores", "SQLiteAccess", "SQLiteFileBuilder",
                "TestSupport",
            ],
            path: "Tests/GeneratedStores", swiftSettings: settings),
        .testTarget(
            name: "ObjectServerTests", dependencies: ["ObjectServer", "TestSupport"],
            path: "Samples/Server/Tests/ObjectServerTests", swiftSettings: testSettings),
        tests(of: "ChildProcesses", ["ChildProcesses", "TestSupport"]),
        tests(of: "ExternalPrograms", ["ExternalPrograms", "TestSupport"]),
        tests(of: "TextEncodings", ["TestSupport", "TextEncodings"]),
        tests(of: "UnicodeText", ["TestSupport", "UnicodeText"]),
        tests(of: "Threading", ["Threading"]),
        tests(of: "SQLiteAccess", ["SQLiteAccess", "TestSupport"]),
        tests(
            of: "StoreAssembly",
            ["GeneratedStores", "SQLiteAccess", "SQLiteFileBuilder", "StoreAssembly", "TestSupport", "Threading"]),
        tests(
            of: "SQLiteFileBuilder",
            ["GeneratedStores", "SQLiteAccess", "SQLiteFileBuilder", "TestSupport", "Threading"]),
        tests(of: "DocumentReading", ["DocumentReading", "TestSupport"]),
        tests(of: "CompressedStreams", ["CompressedStreams", "TestSupport"]),
        tests(of: "KeyedArchives", ["CompressedStreams", "KeyedArchives", "SQLiteAccess", "TestSupport"]),
        tests(of: "CommandLineParsing", ["CommandLineParsing", "TestSupport"]),
        tests(
            of: "ManagedObjectModels",
            [
                "CompressedStreams", "KeyedArchives", "ManagedObjectModels", "SQLiteAccess", "TestSupport",
                "TextEncodings",
            ]),
        tests(
            of: "PredicateExpressions",
            ["KeyedArchives", "PredicateExpressions", "SQLiteAccess", "TestSupport", "TextEncodings"]),
        tests(of: "SwiftDataModels", ["ManagedObjectModels", "SwiftDataModels", "TestSupport"]),
        tests(of: "ValueTransformers", ["KeyedArchives", "ManagedObjectModels", "ValueTransformers"]),
        tests(of: "XMLStores", ["DocumentReading", "KeyedArchives", "TestSupport", "XMLStores"]),
        tests(
            of: "MappingModels",
            [
                "DocumentReading", "GeneratedStores", "KeyedArchives", "ManagedObjectModels", "MappingModels",
                "PredicateExpressions", "TestSupport",
            ]),
        .testTarget(
            name: "ModelDiagramsTests",
            dependencies: ["ManagedObjectModels", "ModelDiagrams", "TestSupport"],
            // Recorded texts.
            exclude: [
                "Golden/company.dot", "Golden/company.mmd", "Golden/company.svg", "Golden/company-change.mmd",
                "Golden/company-change.svg",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "ModelLintingTests",
            dependencies: ["ManagedObjectModels", "MappingModels", "ModelLinting", "TestSupport"],
            // A script that counts independently.
            exclude: ["Corpus/count-findings.py"],
            swiftSettings: testSettings),
        tests(
            of: "PersistentStores",
            [
                "GeneratedStores", "KeyedArchives", "ManagedObjectModels", "PersistentStores", "SQLiteAccess",
                "TestSupport", "Threading", "XMLStores",
            ]),
        // A second process on a store of the tests of contexts.
        .target(
            name: "ObjectSides", dependencies: ["ManagedObjects", "PersistentStores"], path: "Tests/ObjectSides",
            swiftSettings: settings),
        .executableTarget(
            name: "object-side", dependencies: ["ManagedObjectModels", "ManagedObjects", "ObjectSides"],
            path: "Tests/object-side", swiftSettings: settings),
        tests(
            of: "ManagedObjects",
            [
                "DocumentReading", "ExternalPrograms", "GeneratedStores", "KeyedArchives", "ManagedObjectModels",
                "ManagedObjects", "MappingModels", "object-side", "ObjectSides", "PersistentStores",
                "PredicateExpressions",
                "SQLiteAccess", "StoreConversion", "StoreEditing", "StoreFetching", "StoreMigration",
                "StoreVerification",
                "TestSupport", "ValueTransformers",
            ]),
        tests(of: "ObjectValidation", ["ManagedObjectModels", "ObjectValidation", "PersistentStores", "SQLiteAccess"]),
        tests(
            of: "StoreFixtures",
            [
                "GeneratedStores", "ManagedObjectModels", "PersistentStores", "SQLiteAccess", "StoreFixtures",
                "TestSupport",
            ]),
        tests(
            of: "StoreExport",
            [
                "GeneratedStores", "ManagedObjectModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess",
                "StoreExport", "StoreFetching", "TestSupport", "Threading",
            ]),
        tests(
            of: "StoreFleets",
            [
                "KeyedArchives", "PersistentStores", "SQLiteAccess", "StoreFleets", "StoreMigration", "TestSupport",
            ]),
        tests(
            of: "StoreConversion",
            [
                "DocumentReading", "GeneratedStores", "KeyedArchives", "ManagedObjectModels", "PersistentStores",
                "SQLiteAccess", "SQLiteFileBuilder", "StoreConversion", "TestSupport", "Threading", "XMLStores",
            ]),
        tests(
            of: "StoreMigration",
            [
                "ExternalPrograms", "GeneratedStores", "ManagedObjectModels", "MappingModels", "PersistentStores",
                "SQLiteAccess", "SQLiteFileBuilder", "StoreEditing", "StoreMigration", "TestSupport", "Threading",
            ]),
        .testTarget(
            name: "FerryTests",
            // The documentation has an example of every library, which is compiled here.
            dependencies: [
                "CommandLineParsing", "CompressedStreams", "DocumentReading", "ExternalPrograms", "FerryCommands",
                "ImportMappings", "KeyedArchives", "ManagedObjectModels", "ManagedObjects", "MappingDrafting",
                "MappingModels", "ModelDiagrams", "ModelLinting", "ObjectValidation", "PersistentStores",
                "PredicateExpressions", "RecordConversion", "RecordSources", "ReportPages", "SQLiteAccess",
                "SQLiteFileBuilder", "StoreConversion", "StoreEditing", "StoreExport", "StoreFetching", "StoreFixtures",
                "StoreFleets", "StoreImport", "StoreMigration", "StoreVerification", "SwiftDataModels", "TestSupport",
                "TextEncodings", "ValueTransformers", "XMLStores",
            ],
            swiftSettings: testSettings),
        // They run the built tool as users do.
        tests(
            of: "EndToEnd",
            [
                "company-policies", "CompressedStreams", "GeneratedStores", "KeyedArchives", "line-store",
                "ManagedObjectModels", "MappingModels", "PersistentStores", "SQLiteAccess", "StoreMigration",
                "TestSupport",
            ]),
        tests(
            of: "ReportPages",
            [
                "DocumentReading", "ModelLinting", "PersistentStores", "ReportPages", "StoreFleets", "StoreImport",
                "StoreMigration", "StoreVerification", "TestSupport",
            ]),
        tests(
            of: "StoreEditing",
            [
                "DocumentReading", "ExternalPrograms", "GeneratedStores", "KeyedArchives", "ManagedObjectModels",
                "PersistentStores", "SQLiteAccess", "StoreEditing", "TestSupport", "ValueTransformers",
            ]),
        tests(
            of: "StoreFetching",
            [
                "KeyedArchives", "ManagedObjectModels", "PersistentStores", "PredicateExpressions", "SQLiteAccess",
                "StoreFetching", "StoreFixtures", "TestSupport",
            ]),
        tests(
            of: "StoreVerification",
            [
                "KeyedArchives", "ManagedObjectModels", "PersistentStores", "SQLiteAccess", "StoreConversion",
                "StoreVerification", "TestSupport", "Threading",
            ]),
        // What tests read of a source, in the plainest way, and mappings that they hold as texts.
        .target(
            name: "ImportTestSupport", dependencies: ["ImportMappings", "RecordSources"],
            path: "Tests/ImportTestSupport",
            swiftSettings: settings),
        tests(
            of: "RecordSources",
            [
                "CompressedStreams", "DocumentReading", "ImportTestSupport", "KeyedArchives", "RecordSources",
                "SQLiteAccess", "TestSupport",
            ]),
        tests(
            of: "RecordConversion",
            [
                "ImportTestSupport", "ManagedObjectModels", "RecordConversion", "RecordSources", "SQLiteAccess",
                "TestSupport",
            ]),
        tests(
            of: "ImportMappings",
            [
                "DocumentReading", "ImportMappings", "ImportTestSupport", "ManagedObjectModels", "RecordConversion",
                "RecordSources", "SQLiteAccess", "TestSupport",
            ]),
        tests(of: "MappingDrafting", ["MappingDrafting"]),
        tests(
            of: "StoreImport",
            [
                "CompressedStreams", "DocumentReading", "GeneratedStores", "ImportMappings", "ImportTestSupport",
                "KeyedArchives", "ManagedObjectModels", "MappingDrafting", "ObjectValidation", "PersistentStores",
                "RecordConversion", "RecordSources", "SQLiteAccess", "StoreAssembly", "StoreImport", "TestSupport",
            ]),
    ]
)
