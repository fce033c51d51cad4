import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import StoreMigration
import Testing
import TestSupport

/// What a plan says that it needs, by what it does.
@Suite struct SpaceEstimateTests {
    static let rows = """
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTEXT) SELECT i, 1, hex(zeroblob(300)) FROM n;
        """
    static let notes = [entity("Note", [attribute("text")])]
    static let dated = [entity("Note", [attribute("date", .date), attribute("text")])]
    static let required = [entity("Note", [attribute("text", optional: false, default: .string(""))])]

    @Test func changingTheSchemaInPlaceTakesLittle() throws {
        let store = try TestStore(from: Self.notes, to: Self.dated, rows: Self.rows)
        let size = try #require(FileSystem.size(store.path))
        #expect(try store.plan(.inPlace(backup: nil)).bytesNeeded < size / 2)
        #expect(try store.plan().bytesNeeded >= size)
    }

    @Test func rewritingRowsInPlaceTakesTheNewRowsAndTheJournal() throws {
        let store = try TestStore(from: Self.notes, to: Self.required, rows: Self.rows)
        let size = try #require(FileSystem.size(store.path))
        #expect(try store.plan(.inPlace(backup: nil)).bytesNeeded >= size * 2)
    }

    @Test func whatGoesThroughALogTakesItsPlaceTwice() throws {
        let store = try TestStore(from: Self.notes, to: Self.required, rows: Self.rows, usesLog: true)
        let size = try #require(FileSystem.size(store.path))
        #expect(try store.plan(.inPlace(backup: nil)).bytesNeeded >= size * 3)
    }

    @Test(arguments: [false, true])
    func rowsOfSeveralMappingsWaitOnDisk(areInOneTable: Bool) throws {
        let model = Self.notes + [entity("Letter", parent: areInOneTable ? "Note" : nil, [attribute("place")])]
        let store = try TestStore(from: model, to: model + [entity("Tag", [attribute("name")])], rows: Self.rows)
        let size = try #require(FileSystem.size(store.path))
        let plan = try store.plan(
            by: MappingModel(entityMappings: [
                EntityMapping(
                    name: "Notes", type: .undefined, sourceEntityName: "Note", destinationEntityName: "Note",
                    attributeMappings: [PropertyMapping(name: "text", valueExpression: "lowercase:($source.text)")]),
                EntityMapping(
                    name: "Letters", type: .undefined, sourceEntityName: "Letter", destinationEntityName: "Letter"),
            ]), .refuse)
        #expect(plan.bytesNeeded == size + size / 2 + (areInOneTable ? size : 0))
    }

    @Test func aCopyOfAnUpToDateStoreTakesItsSize() throws {
        let store = try TestStore(from: Self.notes, to: Self.notes, rows: Self.rows)
        let size = try #require(FileSystem.size(store.path))
        #expect(try store.plan(.output(store.directory.file("New.sqlite"))).bytesNeeded >= size)
        #expect(try store.plan().bytesNeeded == 0)
    }

    @Test func aBackupCountsWhereItGoes() throws {
        let store = try TestStore(from: Self.notes, to: Self.dated, rows: Self.rows)
        let size = try #require(FileSystem.size(store.path))
        let without = try store.plan().bytesNeeded
        let here = try store.plan(.replace(backup: store.directory.file("old/deep")))
        #expect(here.bytesNeeded >= without + size && here.backupSpace == nil)
        // Memory is a file system of its own on Linux.
        guard FileSystem.device("/dev/shm") != nil, FileSystem.device("/dev/shm") != FileSystem.device(store.path)
        else { return }
        let elsewhere = try store.plan(.replace(backup: "/dev/shm/ferry-tests/never made"))
        #expect(elsewhere.bytesNeeded == without)
        #expect(elsewhere.backupSpace?.bytesNeeded ?? 0 >= size)
    }
}
