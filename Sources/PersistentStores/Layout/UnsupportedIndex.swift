/// An index of a model that is not created: without it queries are only slower, and Core Data can create it later.
public struct UnsupportedIndex: Sendable, Hashable {
    /// Why the index is not created.
    public enum Reason: Sendable, Hashable {
        /// It contains an expression, or a property without a column.
        case noColumn
        /// It has a predicate whose SQL form is not known.
        case partial
        /// It is an R-tree, for spatial queries.
        case rTree
    }

    /// The name of the entity that declares the index.
    public let entity: String
    /// The name of the index in the model.
    public let index: String
    /// Why the index is not created.
    public let reason: Reason
}

extension UnsupportedIndex: CustomStringConvertible {
    public var description: String { "\(entity): \(sentence)" }

    /// A sentence about the missing index and the reason, without the entity's name.
    public var sentence: String {
        let reason =
            switch reason {
            case .noColumn: "names a property without a column of its own"
            case .partial: "has a predicate whose SQL form is not known"
            case .rTree: "is an R-tree"
            }
        return "the index \(index) \(reason) and is left out: fetches that use it are slower"
    }
}
