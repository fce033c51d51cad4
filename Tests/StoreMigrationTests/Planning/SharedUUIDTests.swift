import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import Testing

/// A default is one value for all objects: of a UUID, that is seldom what is meant.
@Suite struct SharedUUIDTests {
    private static let uuid = AttributeValue.uuid([UInt8](repeating: 7, count: 16))

    private func store(rows: Int, _ old: [AttributeDescription] = []) throws -> TestStore {
        let values = (1...rows).map { "(\($0), \($0 % 2 + 1))" }.joined(separator: ", ")
        let new = [attribute("id", .uuid, default: Self.uuid), attribute("kind", .string, default: .string("a"))]
        return try TestStore(
            from: [entity("Being", old), entity("Cat", parent: "Being")],
            to: [entity("Being", new), entity("Cat", parent: "Being")],
            rows: "INSERT INTO ZBEING (Z_PK, Z_ENT) VALUES \(values)")
    }

    @Test(arguments: [true, false], [MigrationPlacement.replace(backup: nil), .inPlace(backup: nil)])
    func eachEntityWithSeveralObjectsIsNamed(isThorough: Bool, placement: MigrationPlacement) throws {
        let store = try store(rows: 5)
        var options = MigrationPlanner.Options(placement: placement)
        options.isThorough = isThorough
        let plan = try MigrationPlanner(
            store: SQLiteStore(path: store.path), from: store.source, to: store.destination, options: options
        ).plan()
        let found = plan.findings.filter { $0.code == "shared-uuid" }
        #expect(found.map(\.subject) == ["Being.id", "Cat.id"] && found.map(\.count) == [2, 3])
        #expect(found.allSatisfy { $0.severity == .warning })
    }

    @Test func oneObjectOfEachEntityIsNothing() throws {
        #expect(try store(rows: 2).plan().findings.allSatisfy { $0.code != "shared-uuid" })
    }

    @Test func valuesThatAreThereStay() throws {
        let plan = try store(rows: 5, [attribute("id", .uuid)]).plan()
        #expect(plan.findings.allSatisfy { $0.code != "shared-uuid" })
    }
}
