/// A step of the path to a value in a JSON or XML record.
public enum RecordStep: Sendable, Hashable {
    /// A key; in XML an element, `@name` for an attribute, `.` for the text of the enclosing element.
    case name(String)
    /// An index in an array, or among elements with the same name, counted from 0.
    case item(Int)
}

extension RecordStep: Comparable {
    /// Whether the step is an index in an array, not a key.
    public var isItem: Bool { if case .item = self { true } else { false } }

    /// Whether it is an attribute of an XML element.
    public var isAttribute: Bool { if case .name(let name) = self { name.hasPrefix("@") } else { false } }

    /// Returns whether a step sorts before another: names first, then indexes by number.
    public static func < (left: RecordStep, right: RecordStep) -> Bool {
        switch (left, right) {
        case (.name(let name), .name(let other)): name < other
        case (.item(let index), .item(let other)): index < other
        case (.name, .item): true
        case (.item, .name): false
        }
    }
}

extension RecordStep: CustomStringConvertible {
    public var description: String {
        switch self {
        case .name(let name): name
        case .item(let index): "[\(index)]"
        }
    }
}
