import PersistentStores
import StoreEditing
import StoreMigration

/// Deletes departments by the delete rules of the model, and says how many objects of each entity went.
func deleteDepartments(below code: Int, of path: String, models: String) throws -> [String: Int64] {
    let version = try VersionCatalog(paths: [models])
        .sourceVersion(of: SQLiteStore(path: path), named: nil)
    let report = try StoreEditor(path: path, model: version.model)
        .run([.delete("Department", where: "code < \(code)")])
    return report.isValid ? report.deleted.mapValues(\.count) : [:]
}
