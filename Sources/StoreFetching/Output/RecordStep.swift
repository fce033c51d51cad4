/// A step of the way to a value in a record of JSON or XML.
public enum RecordStep: Sendable, Hashable {
    /// A key; in XML an element, `@name` for an attribute, `.` for the text of the element around.
    case name(String)
    /// A place in an array, or among elements of one name, from 0.
    case item(Int)
}

extension RecordStep: Comparable {
    /// Whether the step is a place in an array, and not a key.
    public var isItem: Bool { if case .item = self { true } else { false } }

    /// Whether it is an attribute of an XML element.
    public var isAttribute: Bool { if case .name(let name) = self { name.hasPrefix("@") } else { false } }

    /// Places by their number, behind all names.
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
