/// A fetch request that a model names, or that a fetched property runs.
public struct FetchRequestTemplate: Sendable, Hashable {
    public var name: String
    public var entityName: String

    /// The predicate in the predicate format language.
    public var predicateFormat: String?

    public var sortDescriptors: [FetchSortDescriptor]

    /// At most this many results; 0 for no limit.
    public var fetchLimit: Int
    public var fetchOffset: Int

    /// 0 for no batches.
    public var fetchBatchSize: Int

    /// 0 objects, 1 object IDs, 2 dictionaries, 4 count.
    public var resultType: Int

    public var includesSubentities: Bool
    public var includesPropertyValues: Bool
    public var includesPendingChanges: Bool
    public var returnsObjectsAsFaults: Bool
    public var returnsDistinctResults: Bool
    public var relationshipKeyPathsForPrefetching: [String]

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
