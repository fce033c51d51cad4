/// A name and its value, written NAME=VALUE. The value may hold further equals signs, or be empty.
public struct Assignment: Sendable, Hashable, ArgumentValue {
    public let name: String
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    public init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
        name = String(argument[..<sign])
        value = String(argument[argument.index(after: sign)...])
    }

    public var argument: String { name + "=" + value }

    public static var expectation: String { "NAME=VALUE" }
}
