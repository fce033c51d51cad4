/// A fetch request that a model names, or that a fetched property runs.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// The name under which the model has the request.
    public var name: String
    /// The name of the entity whose objects are fetched.
    public var entityName: String

    /// The predicate in the predicate format language; nil for all objects.
    public var predicateFormat: String?

    /// The order of the results, the first key first; empty for no order.
    public var sortDescriptors: [FetchSortDescriptor]

    /// The most results; 0 for no limit.
    public var fetchLimit: Int
    /// How many of the first results are skipped.
    public var fetchOffset: Int

    /// How many objects are read at a time; 0 for no batches.
    public var fetchBatchSize: Int

    /// What the results are: 0 objects, 1 object IDs, 2 dictionaries, 4 their number.
    public var resultType: Int

    /// Whether objects of subentities are fetched, too.
    public var includesSubentities: Bool
    /// Whether the values of objects are fetched with them.
    public var includesPropertyValues: Bool
    /// Whether changes that are not saved yet count.
    public var includesPendingChanges: Bool
    /// Whether objects are fetched without their values.
    public var returnsObjectsAsFaults: Bool
    /// Whether equal results count once, for results that are dictionaries.
    public var returnsDistinctResults: Bool
    /// The key paths of relationships whose destinations are fetched together with the objects.
    public var relationshipKeyPathsForPrefetching: [String]

    /// Makes a request; what is not given is as Core Data has it for a new request.
    public init(
        name: String, entityName: String, predicateFormat: String? = nil, sortDescriptors: [FetchSortDescriptor] = [],
        fetchLimit: Int = 0, fetchOffset: Int = 0, fetchBatchSize: Int = 0, resultType: Int = 0,
        includesSubentities: Bool = true, includesPropertyValues: Bool = true, includesPendingChanges: Bool = true,
        returnsObjectsAsFaults: Bool = true, returnsDistinctResults: Bool = false,
        relationshipKeyPathsForPrefetching: [String] = []
    ) {
        self.name = name
        self.entityName = entityName
        self.predicateFormat = predicateFormat
        self.sortDescriptors = sortDescriptors
        self.fetchLimit = fetchLimit
        self.fetchOffset = fetchOffset
        self.fetchBatchSize = fetchBatchSize
        self.resultType = resultType
        self.includesSubentities = includesSubentities
        self.includesPropertyValues = includesPropertyValues
        self.includesPendingChanges = includesPendingChanges
        self.returnsObjectsAsFaults = returnsObjectsAsFaults
        self.returnsDistinctResults = returnsDistinctResults
        self.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    }

    /// The request as Xcode's compiler archives it: no limit, no batches, and the standard flags, whatever the source
    /// says.
    var withoutOptions: FetchRequestTemplate {
        var request = self
        request.fetchLimit = 0
        request.fetchBatchSize = 0
        request.includesSubentities = true
        request.includesPropertyValues = true
        request.includesPendingChanges = true
        request.returnsObjectsAsFaults = true
        request.returnsDistinctResults = false
        return request
    }
}
