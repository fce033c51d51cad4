import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import SQLiteAccess
import StoreMigration
import Testing

/// A store with an import that was interrupted keeps its version until the import is complete or given up.
@Suite struct InterruptedImportTests {
    private func store() throws -> TestStore {
        let store = try TestStore(
            from: [entity("Person", [attribute("name")])],
            to: [entity("Person", [attribute("name"), attribute("nickname")])])
        let connection = try Connection(path: store.path, access: .readWrite)
        try connection.execute("CREATE TABLE \(InterruptedImport.table) (content BLOB)")
        try connection.close()
        return store
    }

    @Test(arguments: [false, true], [MigrationPlacement.replace(backup: nil), .inPlace(backup: nil)])
    func itIsNotMigrated(hasMapping: Bool, placement: MigrationPlacement) throws {
        let store = try store()
        var options = MigrationPlanner.Options(placement: placement)
        if hasMapping {
            options.mapping = store.inferred.mappingModel
        }
        func plan() throws -> MigrationPlan {
            try MigrationPlanner(
                store: SQLiteStore(path: store.path), from: store.source, to: store.destination, options: options
            ).plan()
        }
        let refused = try plan()
        let errors = refused.findings.filter { $0.severity == .error }
        #expect(errors.map(\.code) == ["import-interrupted"] && refused.isRefused)
        #expect(errors.allSatisfy { $0.message.contains("ferry import --abandon") })
        let connection = try Connection(path: store.path, access: .readWrite)
        try connection.execute("DROP TABLE \(InterruptedImport.table)")
        try connection.close()
        #expect(try !plan().isRefused)
    }
}
