public import ManagedObjectModels
public import PredicateExpressions
public import ValueTransformers

/// A request for objects of an entity or their values, like Core Data's `NSFetchRequest`.
public struct FetchRequest: Sendable {
    /// The type of the results.
    public enum ResultType: Sendable, Hashable {
        /// The objects with all their attributes and to-one relationships.
        case objects
        /// The IDs of the objects.
        case objectIDs
        /// The values of `propertiesToFetch`.
        case dictionaries
        /// The number of results.
        case count
    }

    /// The name of the entity whose objects are fetched.
    public var entityName: String
    /// The predicate that selects the objects; nil for all.
    public var predicate: Predicate?
    /// The sort order of the results; by primary key if empty.
    public var sortDescriptors: [FetchSortDescriptor] = []

    /// The maximum number of results; 0 for no limit.
    public var fetchLimit = 0
    /// The number of results to skip.
    public var fetchOffset = 0
    /// Whether objects of subentities are fetched as well.
    public var includesSubentities = true
    /// The type of the results.
    public var resultType = ResultType.objects

    /// For dictionaries: key paths, expressions and aggregates; empty for all attributes and to-one relationships.
    public var propertiesToFetch: [FetchedProperty] = []
    /// For dictionaries: whether duplicate results are removed.
    public var returnsDistinctResults = false

    /// For dictionaries: key paths or expressions whose equal values form a group.
    public var propertiesToGroupBy: [Expression] = []

    /// For groups: the predicate that selects groups, over their properties and aggregates; nil for all.
    public var havingPredicate: Predicate?

    /// Relationships of whose objects the attributes are fetched as well, each as a property `relationship.attribute`.
    public var relationshipKeyPathsForPrefetching: [String] = []

    /// The relationship whose objects are fetched, in its order; nil for all objects. Its object is set with the
    /// cursor.
    public var owner: FetchOwner?

    /// The objects whose fetched property is fetched, for each of them; nil for other requests.
    public var fetchSource: FetchSource?

    /// A to-many relationship that gives one result for each object that it leads to, in its order; nil for one result
    /// per object.
    public var unwoundRelationship: String?

    /// For dictionaries: single values that the cursor provides in addition to the columns.
    public var hiddenProperties: [FetchedProperty] = []

    /// Whether the cursor provides the primary key of each result.
    public var includesPrimaryKey = false

    /// Whether the results are those in a range of primary keys, set with `FetchCursor.begin(keys:)`.
    package var isOfKeyRange = false

    /// Whether the cursor provides the sort keys as hidden columns, after the hidden properties.
    package var includesSortKeys = false

    /// The UUIDs of other stores on which the same request is run: URIs of their objects match no object of this one.
    package var siblingStoreUUIDs: Set<String> = []

    /// Columns of the entity's table that are fetched exactly as stored, and nothing else; nil for none.
    package var storedColumns: [String]?

    /// The transformers that convert the bytes of transformable attributes to JSON; nil for the bytes. Groups always
    /// have bytes.
    public var transformers: ValueTransformerRegistry?

    /// The values of the predicates' variables.
    public var variables: [String: ConstantValue] = [:]

    /// Makes a request for the objects of an entity.
    public init(entityName: String, predicate: Predicate? = nil) {
        self.entityName = entityName
        self.predicate = predicate
    }

    /// Whether the results are groups of objects.
    package var isGrouped: Bool {
        !propertiesToGroupBy.isEmpty || havingPredicate != nil || propertiesToFetch.contains(where: \.isAggregate)
    }
}
