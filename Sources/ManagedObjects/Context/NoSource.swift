import ManagedObjectModels
import StoreFetching

/// The source of a context during its initialization.
final class NoSource: ObjectSource {
    let readCount = 0

    func load(_ block: SnapshotBlock, _ positions: Range<Int>?) throws {
        block.take(BlockRows(ReadColumns(width: block.width), count: block.awaited.count))
    }

    func links(_ owners: [ObjectKey], _ relationship: ResolvedRelationship) -> [[ToManyState.Link]] {
        owners.map { _ in [] }
    }

    func find(_ key: ObjectKey) -> ObjectKey? { nil }
    func fetch(_ search: ObjectSearch) -> FetchedRows { FetchedRows() }
    func count(_ search: ObjectSearch) -> Int { 0 }
    func fetchDictionaries(_ search: ObjectSearch) -> [[String: DictionaryValue]] { [] }
    func files(of key: ObjectKey) -> ExternalDataReader? { nil }
    func save(_ context: ManagedObjectContext) -> SavedObjects { SavedObjects() }
    func permanentKeys(for objects: [ManagedObject], of context: ManagedObjectContext) -> [ObjectKey: ObjectKey] { [:] }
}
