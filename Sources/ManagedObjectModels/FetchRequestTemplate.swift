/// A fetch request that a model defines by name, or that a fetched property executes.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// The name of the request in the model.
    public var name: String
    /// The name of the entity whose objects are fetched.
    public var entityName: String

    /// The predicate in the predicate format language; nil for all objects.
    public var predicateFormat: String?

    /// The order of the results, the first key first; empty for no order.
    public var sortDescriptors: [FetchSortDescriptor]

    /// The maximum number of results; 0 for no limit.
    public var fetchLimit: Int
    /// The number of results to skip.
    public var fetchOffset: Int

    /// How many objects are read at a time; 0 for no batches.
    public var fetchBatchSize: Int

    /// The type of the results: 0 for objects, 1 for object IDs, 2 for dictionaries, 4 for their number.
    public var resultType: Int

    /// Whether objects of subentities are fetched as well.
    public var includesSubentities: Bool
    /// Whether the objects' values are fetched with them.
    public var includesPropertyValues: Bool
    /// Whether unsaved changes are considered.
    public var includesPendingChanges: Bool
    /// Whether objects are fetched without their values.
    public var returnsObjectsAsFaults: Bool
    /// Whether duplicate results are removed, for results that are dictionaries.
    public var returnsDistinctResults: Bool
    /// The key paths of relationships whose destinations are fetched together with the objects.
    public var relationshipKeyPathsForPrefetching: [String]

    /// Makes a request; the defaults are those of a new request in Core Data.
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

    /// The request as Xcode's compiler archives it: without limit and batches, and with the standard flags, regardless
    /// of the source.
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
