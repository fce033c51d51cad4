import PersistentStores
import PredicateExpressions
import StoreExport
import StoreMigration

/// The departments of a store as CSV.
func exportDepartments(of path: String, models: String) throws -> String {
    let store = try SQLiteStore(path: path)
    let version = try VersionCatalog(paths: [models]).sourceVersion(of: store, named: nil)
    let columns = try ["name", "code"].map { name in
        ExportColumn(path: [name], value: try Expression(format: name))
    }
    let file = ExportFile(name: "departments.csv", entity: "Department", format: .csv, columns: columns)
    var bytes: [UInt8] = []
    _ = try Exporter(store: store, layout: store.layout(for: version.model)).write(file) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
}
