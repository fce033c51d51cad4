import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Compares the files of external data with the rows that name them (docs/format/sqlite-store.md#external-binary-data).
struct ExternalDataChecks {
    let store: SQLiteStore
    let layout: StoreLayout
    /// The folder of the files.
    let folder: String

    /// Throws `SQLiteError` if a table cannot be read.
    func findings() throws(SQLiteError) -> [MigrationFinding] {
        // Names that are UUIDs are kept as 16 bytes each, because there may be very many.
        var unnamed: Set<UUIDBytes> = []
        var others: Int64 = 0
        for name in (try? FileSystem.names(in: folder)) ?? [] {
            if let uuid = UUIDBytes(name.utf8) { unnamed.insert(uuid) } else { others += 1 }
        }
        let files = unnamed
        var result: [MigrationFinding] = []
        for entity in layout.model.entities {
            for attribute in entity.declaredAttributes
            where attribute.isStored && attribute.description.hasExternalData {
                guard let table = layout.table(ofEntity: entity.slot)?.name,
                    let column = layout.column(.attribute(attribute.key))?.name
                else { continue }
                var missing = ConcernedObjects()
                let name = "s." + SQLiteIdentifier.bare(column)
                let statement = try store.connection.prepare(
                    "SELECT s.Z_PK, substr(\(name), 2, 36) FROM \(SQLiteIdentifier.quoted(table)) s "
                        + "WHERE substr(\(name), 1, 1) = X'02' AND length(\(name)) = 38")
                while try statement.step() {
                    let uuid = statement.withBytes(1) { UUIDBytes($0) }
                    if let uuid, files.contains(uuid) {
                        unnamed.remove(uuid)
                        continue
                    }
                    missing.count += 1
                    if missing.examples.count < ConcernedObjects.exampleCount {
                        missing.examples.append(store.uri(of: statement.integer(0), entity: entity.name))
                    }
                }
                guard missing.count > 0 else { continue }
                result.append(
                    MigrationFinding(
                        .warning, "external-data-missing", cocoaCode: 134200,
                        subject: "\(entity.name).\(attribute.name)",
                        message: "files of external data are not in \(folder): the values are kept, and Core Data will "
                            + "not find them; restore the folder that belongs to the store",
                        count: missing.count, examples: missing.examples))
            }
        }
        return result + orphans(unnamed, others, in: folder)
    }

    private func orphans(_ unnamed: Set<UUIDBytes>, _ others: Int64, in folder: String) -> [MigrationFinding] {
        let count = Int64(unnamed.count) + others
        guard count > 0 else { return [] }
        let names = unnamed.prefix(ConcernedObjects.exampleCount).map(\.text).sorted()
        return [
            MigrationFinding(
                .note, "external-data-unused",
                message: "no row names these files in \(folder); they stay where they are, and go into a new store's "
                    + "folder too",
                count: count, examples: names)
        ]
    }
}
