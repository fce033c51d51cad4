/// An index of a model that is not created: it only costs speed, and Core Data can make it later.
public struct UnsupportedIndex: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// It names a property without a column, or an expression.
        case noColumn
        /// It has a predicate.
        case partial
        case rTree
    }

    public let entity: String
    public let index: String
    public let reason: Reason
}

extension UnsupportedIndex: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .noColumn: "index \(index) of \(entity) names a property without a column of its own; it is left out"
        case .partial: "index \(index) of \(entity) has a predicate; it is left out"
        case .rTree: "index \(index) of \(entity) is an R-tree; it is left out"
        }
    }
}
