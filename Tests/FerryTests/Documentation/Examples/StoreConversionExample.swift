import PersistentStores
import StoreConversion
import StoreMigration

/// Converts a SQLite store to an XML store.
func convert(_ path: String, models: String, toXML output: String) throws -> ConversionReport {
    let version = try VersionCatalog(paths: [models])
        .sourceVersion(of: SQLiteStore(path: path), named: nil)
    let converter = StoreConverter(
        sources: [.init(path: path, model: version.model)],
        target: .init(path: output, type: .xml, newStore: version.newStore),
        options: ConversionOptions())
    return try converter.convert()
}
