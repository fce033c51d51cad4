import ManagedObjectModels
import ManagedObjects
import SQLiteAccess
import TestSupport

/// A coordinator with one new store of any model.
struct TestDirectoryHolder {
    let directory: TemporaryDirectory
    let path: String
    let coordinator: PersistentStoreCoordinator

    init(_ model: ManagedObjectModel, _ options: CoordinatorOptions = CoordinatorOptions()) throws {
        directory = try TemporaryDirectory()
        path = directory.file("Store.sqlite")
        coordinator = PersistentStoreCoordinator(model: try ResolvedModel(model), options: options)
        try coordinator.addStore(at: path)
    }

    func rows(_ sql: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return try connection.rows(sql).map { $0.map(\.literal).joined(separator: "|") }
    }
}
