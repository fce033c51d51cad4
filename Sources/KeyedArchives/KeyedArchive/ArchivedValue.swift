/// A value in an archive, under a key or in a collection.
public enum ArchivedValue: Hashable {
    /// Missing, or archived as nil.
    case null
    /// A number, text, data or another value without a class in the archive.
    case scalar(PropertyListValue)
    /// An object with a class.
    case object(ArchivedObject)

    /// Whether the value is missing, or archived as nil.
    public var isNull: Bool { self == .null }

    /// The object; nil if this is a plain value.
    public var object: ArchivedObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The plain value; nil if this is an object with a class.
    public var scalar: PropertyListValue? {
        if case .scalar(let value) = self { value } else { nil }
    }

    /// The kind of the value, for messages.
    var kind: String {
        switch self {
        case .null: "nil"
        case .scalar(let value): value.kind
        case .object(let object): object.className
        }
    }
}
