/// An index that an entity declares.
public struct FetchIndexDescription: Sendable, Hashable {
    /// The index's name, which is unique in its entity.
    public var name: String
    /// The columns that the index sorts by, in order.
    public var elements: [FetchIndexElementDescription]

    /// The predicate of a partial index, in the predicate format language; nil if the index includes all rows.
    public var partialIndexPredicate: String?

    /// Makes an index from its elements.
    public init(name: String, elements: [FetchIndexElementDescription], partialIndexPredicate: String? = nil) {
        self.name = name
        self.elements = elements
        self.partialIndexPredicate = partialIndexPredicate
    }
}
