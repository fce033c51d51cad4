/// A name and its value, written NAME=VALUE. The value may contain further equals signs, or be empty.
public struct Assignment: Sendable, Hashable, ArgumentValue {
    /// The text before the first equals sign; never empty.
    public let name: String
    /// The text after the first equals sign; may be empty.
    public let value: String

    /// Makes an assignment from its two parts.
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

    /// The two parts, joined by an equals sign.
    public var argument: String { name + "=" + value }

    /// The description of a value in errors: `NAME=VALUE`.
    public static var expectation: String { "NAME=VALUE" }
}
