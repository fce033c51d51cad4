/// A name and its value, written NAME=VALUE. The value may hold further equals signs, or be empty.
public struct Assignment: Sendable, Hashable, ArgumentValue {
    /// What stands before the first equals sign; never empty.
    public let name: String
    /// What stands behind the first equals sign; may be empty.
    public let value: String

    /// Makes an assignment of its two parts.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Splits a word at its first equals sign; nil if it has none, or begins with it.
    public init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
        name = String(argument[..<sign])
        value = String(argument[argument.index(after: sign)...])
    }

    /// The two parts with an equals sign between.
    public var argument: String { name + "=" + value }

    /// What an error asks for: `NAME=VALUE`.
    public static var expectation: String { "NAME=VALUE" }
}
