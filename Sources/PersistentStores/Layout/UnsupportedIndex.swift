/// An index of a model that is not created: it only costs speed, and Core Data can make it later.
public struct UnsupportedIndex: Sendable, Hashable {
    /// Why the index is not created.
    public enum Reason: Sendable, Hashable {
        /// It names a property without a column, or an expression.
        case noColumn
        /// It has a predicate whose SQL form is not known.
        case partial
        /// It is an R-tree, for queries of places.
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

    /// What is missing and why, without the entity.
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
