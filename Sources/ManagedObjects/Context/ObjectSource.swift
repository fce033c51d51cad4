import ManagedObjectModels
import StoreFetching

/// The source of a context's objects, to which it saves: the stores of a coordinator, or a parent context.
protocol ObjectSource: AnyObject {
    /// Reads the rows that a block waits for, at least these positions of them; nil for all.
    func load(_ block: SnapshotBlock, _ positions: Range<Int>?) throws

    /// Returns the links of a to-many relationship of objects in one table, in the order of the objects.
    func links(_ owners: [ObjectKey], _ relationship: ResolvedRelationship) throws -> [[ToManyState.Link]]

    /// Returns the object with its actual entity, if it exists.
    func find(_ key: ObjectKey) throws -> ObjectKey?

    /// Returns the results of a request, without the changes in the context.
    func fetch(_ search: ObjectSearch) throws -> FetchedRows

    func count(_ search: ObjectSearch) throws -> Int

    /// Returns the dictionary results of a request, as in the stores.
    func fetchDictionaries(_ search: ObjectSearch) throws -> [[String: DictionaryValue]]

    /// Returns the reader of an object's external values; nil if rows contain the values themselves.
    func files(of key: ObjectKey) -> ExternalDataReader?

    /// Writes the changes of a context.
    func save(_ context: ManagedObjectContext) throws -> SavedObjects

    /// Assigns new objects the keys with which they will be saved.
    func permanentKeys(for objects: [ManagedObject], of context: ManagedObjectContext) throws -> [ObjectKey: ObjectKey]

    /// How often the stores were read.
    var readCount: Int { get }
}

extension ObjectSource {
    /// Reads the rows that a block waits for, with all columns.
    func load(_ block: SnapshotBlock) throws { try load(block, nil) }
}
