import Foundation
import PersistentStores
import TestSupport
import Testing

/// Real stores go to the newest version over the mapping models of their projects, and hold what these say.
@Suite(.enabled(if: Corpus.isPresent, "there is no corpus"))
struct RealChainTests {
    private struct Chain {
        let store: String
        let result: String
        let run: ToolProcess.Result
        let directory: TemporaryDirectory
    }

    private static func path(_ part: String) -> String { (Corpus.path ?? "") + "/" + part }

    /// Migrates a copy into a new store, and has the result checked.
    private func migrate(
        _ store: String, models bundle: String, to version: String, _ words: [String]
    ) throws -> Chain {
        let directory = try TemporaryDirectory()
        let copy = directory.file(FileSystem.name(of: store))
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: Self.path("3_stores/" + store) + end) {
            try FileManager.default.copyItem(atPath: Self.path("3_stores/" + store) + end, toPath: copy + end)
        }
        let result = directory.file("New.sqlite")
        let run = try ToolProcess.ferry(
            [
                "migrate", copy, "--models", Self.path("1_models/" + bundle), "--to", version, "--output", result,
                "--progress",
                "none",
            ] + words)
        #expect(run.status < 2, "\(run.summary)")
        if run.status < 2 {
            #expect(
                try ChainScenario.faults(result, model: Self.path("1_models/\(bundle)/\(version).xcdatamodel")) == [])
        }
        return Chain(store: copy, result: result, run: run, directory: directory)
    }

    private static let apptentive = "apptentive__apptentive-ios/Apptentive"

    @Test(.long, arguments: [("v1", 5), ("v2", 4), ("v3", 3), ("v4", 2), ("v5", 1)])
    func fiveStepsByMappingModels(_ version: String, _ steps: Int) throws {
        let chain = try migrate(
            "\(Self.apptentive)/ApptentiveTests/data/ATDataModel\(version).sqlite",
            models: "\(Self.apptentive)/Apptentive/Model/ATDataModel.xcdatamodeld", to: "ATDataModel 6",
            ["--mapping", Self.path("2_mappings/apptentive__apptentive-ios")])
        #expect(steps == 1 || chain.run.output.contains("in \(steps) steps"), "\(chain.run.summary)")
        // All kinds of messages are one now; what had a text has it still, and so have events their labels.
        for query in [
            "SELECT ZBODY, ZCLIENTCREATIONTIME FROM ZATRECORD WHERE ZBODY NOT NULL ORDER BY 1, 2",
            "SELECT ZLABEL, ZCREATIONTIME FROM ZATRECORD WHERE ZLABEL NOT NULL ORDER BY 1, 2",
        ] {
            let before = try StoreRows.of(chain.store, query)
            #expect(try StoreRows.of(chain.result, query) == before)
            #expect(!before.isEmpty || query.contains("ZLABEL"))
        }
    }

    private static let wire = "wireapp__wire-ios-data-model"

    @Test(.long, arguments: ["store1-28", "store2-46-0", "store2-54-0"])
    func aLongHistoryIsThreeStepsAroundItsMappingModel(_ store: String) throws {
        let chain = try migrate(
            "\(Self.wire)/Tests/Resources/\(store).wiredatabase",
            models: "\(Self.wire)/Resources/zmessaging.xcdatamodeld",
            to: "zmessaging2.101.0", ["--mapping", Self.path("2_mappings/\(Self.wire)")])
        if store != "store2-54-0" {
            #expect(chain.run.output.contains("zmessaging2.53.0 to zmessaging2.54.0 by mapping model migration2.54"))
            #expect(chain.run.output.contains("in 3 steps"), "\(chain.run.summary)")
        } else {
            #expect(!chain.run.output.contains("by mapping model"))
        }
        for query in ["SELECT ZREMOTEIDENTIFIER_DATA FROM ZUSER ORDER BY 1", "SELECT ZNAME FROM ZUSER ORDER BY 1"] {
            #expect(try StoreRows.of(chain.result, query) == StoreRows.of(chain.store, query))
        }
    }

    private static let moody = "objcio__core-data/Migrations"

    /// Relationships by source mapping names and collection operators, then an attribute for a relationship.
    @Test(arguments: ["Moody", "Moody 2", "Moody 3", "Moody 4"])
    func theBooksExampleByItsOwnMappingModels(_ version: String) throws {
        let chain = try migrate(
            "\(Self.moody)/MigrationsTests/\(version).moody", models: "\(Self.moody)/Migrations/Moody.xcdatamodeld",
            to: "Moody 5", ["--mapping", Self.path("2_mappings/objcio__core-data")])
        // The continent of each country is its number now, as the objects said before.
        let continents = try StoreRows.of(
            chain.result, "SELECT count(*), count(ZISOCONTINENT) FROM ZCOUNTRY")
        #expect(continents.first?.first != "0" && continents.first?.first == continents.first?.last)
        let moods = "SELECT count(*) FROM ZMOOD"
        #expect(try StoreRows.of(chain.result, moods) == StoreRows.of(chain.store, moods))
    }

    private static let wibosco = "wibosco__CoreDataMigration-Example/CoreDataMigration-Example"

    /// A value expression, then a colour object for each post's colour, then a lightweight step.
    @Test func coloursBecomeObjectsOnTheWayToTheNewestVersion() throws {
        let directory = try TemporaryDirectory()
        let mapping = try directory.write(
            "mapping: 1\nmodels: {source: CoreDataMigration_Example 2.xcdatamodel, "
                + "destination: CoreDataMigration_Example 3.xcdatamodel}\n" + CustomMigrationTests.coloursOfPosts,
            to: "m.yaml")
        let first = Self.path("2_mappings/\(Self.wibosco)/CoreData/Migration/Mappings/Migration1to2.xcmappingmodel")
        let chain = try migrate(
            "\(Self.wibosco)Tests/Resources/SQLite/CoreDataMigration_Example_1.sqlite",
            models: "\(Self.wibosco)/CoreData/Model/CoreDataMigration_Example.xcdatamodeld",
            to: "CoreDataMigration_Example 4", ["--mapping", first, "--mapping", mapping])
        #expect(chain.run.output.contains("in 3 steps"), "\(chain.run.summary)")
        let colours = try StoreRows.of(chain.store, "SELECT ZPOSTID, ZCOLOR FROM ZPOST ORDER BY 1")
        #expect(colours.count > 900)
        #expect(
            try StoreRows.of(
                chain.result, "SELECT p.ZPOSTID, c.ZHEX FROM ZPOST p JOIN ZCOLOR c ON c.Z_PK = p.ZCOLOR ORDER BY 1")
                == colours)
    }
}
