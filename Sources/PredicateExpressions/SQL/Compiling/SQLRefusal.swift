/// Why an expression cannot become SQL. It can be evaluated in Swift all the same.
public struct SQLRefusal: Error, Hashable, Sendable {
    /// The part that has no counterpart, as it is printed.
    public let part: String
    /// A clause.
    public let reason: String
}

extension SQLRefusal: CustomStringConvertible {
    /// One sentence; its wording may change.
    public var description: String { "\(part) is not for SQL: \(reason)" }
}
