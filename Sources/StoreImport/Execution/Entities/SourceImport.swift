import ImportMappings
import PersistentStores
import SQLiteAccess

/// The mapping of a source while the records of its files are imported.
final class SourceImport {
    /// The index of the mapping in the import.
    let index: Int
    let compiled: CompiledSource
    /// The object mappings, in their order.
    private(set) var entities: [EntityImport] = []
    /// The size of all its files in bytes; 0 if it is not known.
    var size: Int64 = 0
    /// The paths that no record of its files has had so far; nil before the first record.
    var missingPaths: MissingPaths?
    /// Whether one of its records may have to be revoked when others are read.
    let mayOpen: Bool
    /// Whether all changes of its records are noted.
    private(set) var logsEveryObject: Bool

    /// Whether a record that must not find an existing object (`onMatch: error`) waits until it is known which records
    /// of its batch are proven. It counts if the record that created the object is rejected.
    let rejectsMatchesLate: Bool

    /// - Parameter pending: what the records of the import must prove.
    init(
        _ compiled: CompiledSource, index: Int, writers: [MappedObjectWriter], _ pending: PendingChecks,
        _ indexes: IndexKeeper, _ layout: StoreLayout
    ) throws {
        self.index = index
        self.compiled = compiled
        mayOpen = pending.mayOpen[index]
        logsEveryObject =
            pending.mayOpen.contains(true)
            && (compiled.objects.count > 1 || pending.isRuled[index].joined().contains(true))
        rejectsMatchesLate =
            pending.mayOpen.contains(true) && compiled.objects.contains { $0.hasKey && $0.onMatch == .error }
        entities = compiled.objects.indices.map { object in
            EntityImport(object, of: self, writer: writers[object], pending, layout: layout)
        }
        guard pending.mayOpen.contains(true) else { return }
        for entity in entities {
            let object = entity.object
            let key = Set(object.keyColumns.map { SQLiteIdentifier.quoted($0) })
            let mapped = Set(
                (object.attributes.map(\.column) + object.toOnes.compactMap(\.column)).map {
                    SQLiteIdentifier.quoted($0)
                })
            entity.uniqueColumns = Set(try indexes.uniqueColumns(of: object.table.name).joined())
                .intersection(mapped).subtracting(key)
            if !entity.uniqueColumns.isEmpty { logsEveryObject = true }
        }
    }

    /// The inspector that finds all faults of rejected records.
    private(set) lazy var inspector = RecordInspector(compiled)

    /// The object mappings in the order in which their objects are written.
    var entitiesAsWritten: [EntityImport] { compiled.writeOrder.map { entities[$0] } }

    /// The object mappings in the order in which their objects are written if all objects are new.
    private(set) lazy var entitiesOfNewObjects: [EntityImport] =
        (compiled.orderOfNewObjects ?? compiled.writeOrder).map { entities[$0] }
}
