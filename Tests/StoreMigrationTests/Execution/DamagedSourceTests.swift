import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// A damaged store is never replaced by what looks like a sound one.
@Suite struct DamagedSourceTests {
    private static let old = [entity("Note", [attribute("number", .integer32), attribute("text")])]

    /// A store with two rows of a page in the wrong order: SQLite reads on, and finds only some of them by their keys.
    private func store(to new: [EntityDescription]) throws -> TestStore {
        let store = try TestStore(
            from: Self.old, to: new,
            rows: """
                WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZTEXT) SELECT i, 1, 1, i, 'marked ' || i FROM n;
                """)
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.path)))
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        let page = try #require(
            stride(from: size, to: bytes.count, by: size).first { start in
                bytes[start] == 13 && String(decoding: bytes[start..<start + size], as: UTF8.self).contains("marked 9")
            })
        // The first two cell pointers of a leaf, behind its header of eight bytes.
        bytes.swapAt(page + 8, page + 10)
        bytes.swapAt(page + 9, page + 11)
        try Data(bytes).write(to: URL(fileURLWithPath: store.path))
        return store
    }

    /// Made in a new file, and by a change of the schema in a copy.
    private static let changes: [[EntityDescription]] = [
        [entity("Note", [attribute("number", .double), attribute("text")])],
        [entity("Note", [attribute("more"), attribute("number", .integer32), attribute("text")])],
    ]

    @Test(arguments: changes.indices, ["replace", "in place", "output"])
    func aMigrationOfItFailsAndChangesNothing(_ change: Int, placement: String) throws {
        let store = try store(to: Self.changes[change])
        let before = try FolderState(of: store.directory.path)
        let place: MigrationPlacement =
            switch placement {
            case "replace": .replace(backup: nil)
            case "in place": .inPlace(backup: nil)
            default: .output(store.directory.file("New.sqlite"))
            }
        let error = #expect(throws: StoreError.self) { try store.migrate(place) }
        #expect(error?.description.contains("out of order") == true, "\(error?.description ?? "")")
        #expect(try FolderState(of: store.directory.path).byteDifferences(from: before) == [])
    }

    @Test func aCopyOfItFailsThoughItsVersionIsTheRightOne() throws {
        let store = try store(to: Self.old)
        let new = store.directory.file("New.sqlite")
        #expect(throws: StoreError.self) { try store.migrate(.output(new)) }
        #expect(!FileSystem.exists(new))
    }

    @Test func aDryRunSaysSo() throws {
        let plan = try store(to: Self.changes[0]).plan(isThorough: true)
        #expect(plan.isRefused && plan.findings.contains { $0.code == "damaged-store" })
    }
}
