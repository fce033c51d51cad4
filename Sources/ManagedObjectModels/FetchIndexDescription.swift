/// An index that an entity declares.
public struct FetchIndexDescription: Sendable, Hashable {
    public var name: String
    public var elements: [FetchIndexElementDescription]

    /// The predicate of a partial index, in the predicate format language.
    public var partialIndexPredicate: String?

    public init(name: String, elements: [FetchIndexElementDescription], partialIndexPredicate: String? = nil) {
        self.name = name
        self.elements = elements
        self.partialIndexPredicate = partialIndexPredicate
    }
}
