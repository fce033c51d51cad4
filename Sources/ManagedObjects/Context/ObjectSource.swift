import ManagedObjectModels
import StoreFetching

/// Where a context has its objects from, and saves them to: the stores of a coordinator, or a parent.
protocol ObjectSource: AnyObject {
    /// Reads the rows that a block waits for, at least as far as these places of them; nil for all.
    func load(_ block: SnapshotBlock, _ positions: Range<Int>?) throws

    /// The links of a to-many relationship of objects that are of one table, in the order of the objects.
    func links(_ owners: [ObjectKey], _ relationship: ResolvedRelationship) throws -> [[ToManyState.Link]]

    /// The object with its entity, if it is there.
    func find(_ key: ObjectKey) throws -> ObjectKey?

    /// What a request finds, without what has changed in the context.
    func fetch(_ search: ObjectSearch) throws -> FetchedRows

    func count(_ search: ObjectSearch) throws -> Int

    /// The dictionaries of a request, as the stores have them.
    func fetchDictionaries(_ search: ObjectSearch) throws -> [[String: DictionaryValue]]

    /// How values in files of an object are read; nil if rows have the values themselves.
    func files(of key: ObjectKey) -> ExternalDataReader?

    /// Writes the changes of a context.
    func save(_ context: ManagedObjectContext) throws -> SavedObjects

    /// Gives new objects the keys with which they will be saved.
    func permanentKeys(for objects: [ManagedObject], of context: ManagedObjectContext) throws -> [ObjectKey: ObjectKey]

    /// How often the stores were read.
    var readCount: Int { get }
}

extension ObjectSource {
    /// Reads the rows that a block waits for, whole.
    func load(_ block: SnapshotBlock) throws { try load(block, nil) }
}
