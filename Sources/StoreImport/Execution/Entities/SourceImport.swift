import PersistentStores

/// A mapping of a source while the records of its files are imported.
final class SourceImport {
    /// Which of the import's mappings.
    let index: Int
    let compiled: CompiledSource
    /// The object mappings, in their order.
    private(set) var entities: [EntityImport] = []
    /// The bytes of all its files; 0 if that is not known.
    var size: Int64 = 0
    /// The paths that no record of its files had so far; nil before the first record.
    var missingPaths: MissingPaths?
    /// Whether one of its records may have to be taken back when others are read.
    let mayOpen: Bool
    /// Whether all changes of its records are noted.
    let logsEveryObject: Bool

    /// - Parameter pending: what the records of the import must prove.
    init(_ compiled: CompiledSource, index: Int, writers: [MappedObjectWriter], _ pending: PendingChecks) {
        self.index = index
        self.compiled = compiled
        mayOpen = pending.mayOpen[index]
        logsEveryObject =
            pending.mayOpen.contains(true)
            && (compiled.objects.count > 1 || pending.isRuled[index].joined().contains(true))
        entities = compiled.objects.indices.map { object in
            EntityImport(
                object, of: self, writer: writers[object], isRuled: pending.isRuled[index][object])
        }
    }

    /// The object mappings in the order in which their objects are written.
    var entitiesAsWritten: [EntityImport] { compiled.writeOrder.map { entities[$0] } }

    /// The object mappings in the order in which their objects are written where all objects are new.
    private(set) lazy var entitiesOfNewObjects: [EntityImport] =
        (compiled.orderOfNewObjects ?? compiled.writeOrder).map { entities[$0] }
}
