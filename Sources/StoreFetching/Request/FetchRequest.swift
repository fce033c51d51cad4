public import ManagedObjectModels
public import PredicateExpressions
public import ValueTransformers

/// Which objects of an entity are wanted, in which order, and what of them: Core Data's `NSFetchRequest`.
public struct FetchRequest: Sendable {
    /// What the results are.
    public enum ResultType: Sendable, Hashable {
        /// The objects with all their attributes and to-one relationships.
        case objects
        /// The IDs of the objects.
        case objectIDs
        /// The values of `propertiesToFetch`.
        case dictionaries
        /// How many there are.
        case count
    }

    /// The name of the entity whose objects are wanted.
    public var entityName: String
    /// Which of the objects are wanted; nil for all.
    public var predicate: Predicate?
    /// The order of the results; by primary key if empty.
    public var sortDescriptors: [FetchSortDescriptor] = []

    /// The most results; 0 for no limit.
    public var fetchLimit = 0
    /// How many of the first results are skipped.
    public var fetchOffset = 0
    /// Whether objects of subentities are wanted, too.
    public var includesSubentities = true
    /// What the results are.
    public var resultType = ResultType.objects

    /// With dictionaries: key paths, expressions and aggregates; empty for all attributes and to-one relationships.
    public var propertiesToFetch: [FetchedProperty] = []
    /// With dictionaries: whether equal results count once.
    public var returnsDistinctResults = false

    /// With dictionaries: key paths or expressions whose equal values make a group.
    public var propertiesToGroupBy: [Expression] = []

    /// With groups: which of them are wanted, in terms of the groups' properties and of aggregates; nil for all.
    public var havingPredicate: Predicate?

    /// Relationships whose objects' attributes are fetched too, each as a property `relationship.attribute`.
    public var relationshipKeyPathsForPrefetching: [String] = []

    /// Only objects that a relationship leads to, in its order; nil for all. Which object has it, the cursor is told.
    public var owner: FetchOwner?

    /// The objects whose fetched property is wanted; the request is then that of the property, for each of them; nil
    /// for other requests.
    public var fetchSource: FetchSource?

    /// A to-many relationship that gives a result for each object that it leads to, in its order; nil for a result for
    /// each object.
    public var unwoundRelationship: String?

    /// With dictionaries: single values that the cursor knows beside the columns.
    public var hiddenProperties: [FetchedProperty] = []

    /// Whether the cursor knows the primary key of each result.
    public var includesPrimaryKey = false

    /// Whether the results are those of a range of primary keys, which `FetchCursor.begin(keys:)` says.
    package var isOfKeyRange = false

    /// Whether the cursor has what rows are sorted by as hidden columns, behind the hidden properties.
    package var includesSortKeys = false

    /// The UUIDs of other stores that the same request is made to: URIs of their objects name no object
    /// of this one.
    package var siblingStoreUUIDs: Set<String> = []

    /// Columns of the entity's table that are wanted as they stand in the rows, and nothing else; nil for none.
    package var storedColumns: [String]?

    /// What makes JSON of the bytes of transformable attributes; nil for the bytes. Groups have bytes always.
    public var transformers: ValueTransformerRegistry?

    /// The values of the predicates' variables.
    public var variables: [String: ConstantValue] = [:]

    /// Makes a request for the objects of an entity.
    public init(entityName: String, predicate: Predicate? = nil) {
        self.entityName = entityName
        self.predicate = predicate
    }

    /// Whether its results are groups of objects.
    package var isGrouped: Bool {
        !propertiesToGroupBy.isEmpty || havingPredicate != nil || propertiesToFetch.contains(where: \.isAggregate)
    }
}
