import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// `ferry fixture` with the built tool.
@Suite struct FixtureCommandTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    @Test(.long, arguments: ["Company", "Recipes", "Library"])
    func storesOfAllVersionsAreSoundAndMigrateToTheNewest(_ sample: String) throws {
        let made = try ferry(
            "fixture", "--models", Samples.models(sample), "--all-versions", "--rows", "17", "--output", "stores",
            "--progress", "none")
        #expect(made.status == 0, "\(made.summary)")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("stores"))
            .filter { $0.hasSuffix(".sqlite") }
        #expect(names.count == 4 || sample == "Library")
        for name in names {
            let store = directory.file("stores/" + name)
            let version = "\(Samples.models(sample))/\(name.dropLast(7)).xcdatamodel"
            if StoreChecker.isPresent {
                for command in ["layout", "integrity"] {
                    let verdict = try StoreChecker.check(command, store, version)
                    #expect(verdict.text.hasSuffix(": 0 errors, 0 warnings\n"), "\(name)\n\(verdict.text)")
                }
            }
            let inspected = try ferry("inspect", store, "--models", Samples.models(sample))
            #expect(inspected.status == 0, "\(inspected.summary)")
            let migrated = try ferry("migrate", store, "--models", Samples.models(sample), "--progress", "none")
            #expect(migrated.status == 0, "\(name)\n\(migrated.summary)")
        }
    }

    @Test func aSeedGivesTheSameStoreInAnotherRun() throws {
        for store in ["a.sqlite", "b.sqlite"] {
            let made = try ferry("fixture", "-m", Samples.models("Recipes"), "--rows", "20", "--seed", "9", "-o", store)
            #expect(made.status == 0, "\(made.summary)")
        }
        let (first, second) = (directory.file("a.sqlite"), directory.file("b.sqlite"))
        #expect(FileManager.default.contentsEqual(atPath: first, andPath: second))
        #expect(
            FileManager.default.contentsEqual(
                atPath: directory.file(".a_SUPPORT"), andPath: directory.file(".b_SUPPORT")))
    }

    @Test func whatIsThereIsRefusedBeforeAnythingIsMade() throws {
        try FileManager.default.createDirectory(atPath: directory.file("stores"), withIntermediateDirectories: true)
        try directory.write("mine", to: "stores/Recipes 3.sqlite")
        let all = try ferry("fixture", "-m", Samples.models("Recipes"), "--all-versions", "-o", "stores")
        #expect(all.status == 2)
        #expect(all.errors.contains("Recipes 3.sqlite: it exists already"), "\(all.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("stores")) == ["Recipes 3.sqlite"])
        let one = try ferry("fixture", "-m", Samples.models("Recipes"), "-o", "stores/Recipes 3.sqlite")
        #expect(one.status == 2)
        let nowhere = try ferry("fixture", "-m", Samples.models("Recipes"), "-o", "nowhere/a.sqlite")
        #expect(nowhere.status == 2)
        let wrong = try ferry(
            "fixture", "-m", Samples.models("Recipes"), "--all-versions", "--version", "Recipes 1", "-o", "x")
        #expect(wrong.status == 64)
    }

    @Test func aPartOfAModelAndAMergedModel() throws {
        for (name, entity) in [("One", "A"), ("Two", "B")] {
            let folder = "\(name).xcdatamodeld/\(name).xcdatamodel"
            try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
            try directory.write(
                """
                <model type="com.apple.IDECoreDataModeler.DataModel">
                    <entity name="\(entity)"><attribute name="name" optional="YES" attributeType="String"/></entity>
                    <entity name="Both"><attribute name="name" optional="YES" attributeType="String"/></entity>
                    <configuration name="Part"><memberEntity name="\(entity)"/></configuration>
                </model>
                """, to: folder + "/contents")
        }
        func entities(_ store: String) throws -> [String] {
            try Connection(path: directory.file(store), access: .readOnly)
                .rows("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT").compactMap { $0[0].string }
        }
        let part = try ferry("fixture", "-m", "One.xcdatamodeld", "--configuration", "Part", "-o", "part.sqlite")
        #expect(part.status == 0, "\(part.summary)")
        // A configuration limits the objects, not the model.
        #expect(try entities("part.sqlite") == ["A", "Both"])
        let merged = try ferry(
            "fixture", "-m", "One.xcdatamodeld", "-m", "Two.xcdatamodeld", "--merge", "-o", "all.sqlite")
        #expect(merged.status == 0, "\(merged.summary)")
        #expect(try entities("all.sqlite") == ["A", "B", "Both"])
    }

    @Test(.long) func theMemoryDoesNotGrowWithTheRows() throws {
        func memory(_ rows: String) throws -> Int64 {
            let made = try ferry(
                "fixture", "-m", Samples.models("Ledger") + "/Ledger.xcdatamodel", "--rows", rows,
                "-o", "\(rows).sqlite", "--json", "--progress", "none")
            #expect(made.status == 0, "\(made.summary)")
            return try JSONDecoder().decode(FixtureDocument.self, from: Data(made.output.utf8)).stores[0].peakMemory
        }
        let few = try memory("1000")
        let many = try memory("30000")
        // SQLite's cache has 4 MiB, and sorting an index twice that.
        #expect(many - few < 16 << 20, "\(few) bytes, then \(many)")
    }
}

/// What `--json` prints, as far as it matters here.
private struct FixtureDocument: Decodable {
    struct Store: Decodable {
        let peakMemory: Int64
    }

    let stores: [Store]
}
