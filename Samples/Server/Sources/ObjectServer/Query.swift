/// What a client asks, as one line.
///
///     count Employee salary > 100
///     fetch Employee lastName BEGINSWITH "A"
///     object x-coredata://.../Employee/p1
///     set x-coredata://.../Employee/p1 lastName Abel
public enum Query: Sendable, Equatable {
    /// How many objects satisfy a predicate; all without one.
    case count(String, where: String?)
    /// The URIs of these objects.
    case fetch(String, where: String?)
    /// The attributes of an object.
    case object(String)
    /// Gives a text attribute of an object a value.
    case set(String, attribute: String, value: String)

    /// nil for a line that is not a query.
    public init?(_ line: String) {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        guard words.count > 1 else { return nil }
        let rest = words.count > 2 ? words[2] : nil
        switch words[0] {
        case "count": self = .count(words[1], where: rest)
        case "fetch": self = .fetch(words[1], where: rest)
        case "object" where rest == nil: self = .object(words[1])
        case "set":
            let parts = (rest ?? "").split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return nil }
            self = .set(words[1], attribute: parts[0], value: parts[1])
        default: return nil
        }
    }
}
