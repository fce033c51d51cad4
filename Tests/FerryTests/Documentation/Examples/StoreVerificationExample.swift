import PersistentStores
import StoreMigration
import StoreVerification

/// What is wrong with a store: the code of each rule that is broken, and how many objects break it.
func faults(of path: String, models: String) throws -> [String: Int64] {
    let store = try SQLiteStore(path: path)
    let version = try VersionCatalog(paths: [models]).sourceVersion(of: store, named: nil)
    let report = try StoreVerifier(store, model: version.model, named: version.name).verify()
    return report.findings.reduce(into: [:]) { faults, finding in
        faults[finding.code, default: 0] += finding.count
    }
}
