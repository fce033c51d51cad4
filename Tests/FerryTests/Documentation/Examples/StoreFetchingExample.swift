import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching
import StoreMigration

/// The employees with the highest salaries, as CSV.
func bestPaid(in path: String, models: String) throws -> String {
    let store = try SQLiteStore(path: path)
    let version = try VersionCatalog(paths: [models]).sourceVersion(of: store, named: nil)
    var request = FetchRequest(entityName: "Employee", predicate: try Predicate(format: "salary > 0"))
    request.sortDescriptors = [.init(keyPath: "salary", isAscending: false)]
    request.fetchLimit = 3
    request.resultType = .dictionaries
    request.propertiesToFetch = try ["lastName", "salary"].map { FetchedProperty(try Expression(format: $0)) }
    let layout = store.layout(for: version.model)
    let plan = try FetchCompiler.plan(request, layout: layout, storeUUID: store.metadata.uuid)
    let cursor = try FetchCursor(plan, store: store, layout: layout)
    var bytes: [UInt8] = []
    var writer = CSVWriter(OutputBuffer { bytes += $0 }, for: cursor)
    _ = try writer.writeAll(cursor)
    return String(decoding: bytes, as: UTF8.self)
}
