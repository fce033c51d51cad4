import PersistentStores
import ReportPages
import StoreMigration
import StoreVerification

/// A page that says what is wrong with a store.
func verificationPage(of path: String, models: String) throws -> String {
    let store = try SQLiteStore(path: path)
    let version = try VersionCatalog(paths: [models]).sourceVersion(of: store, named: nil)
    let report = try StoreVerifier(store, model: version.model, named: version.name).verify()
    return ReportPage(report, version: version, tool: "mytool 1.0").html()
}
