/// What an archive holds under a key or in a collection.
public enum ArchivedValue: Hashable {
    /// Absent, or archived as nil.
    case null
    /// A number, text, data or another value that has no class in the archive.
    case scalar(PropertyListValue)
    /// An object with a class.
    case object(ArchivedObject)

    /// Whether the value is absent, or archived as nil.
    public var isNull: Bool { self == .null }

    /// The object; nil if this is a plain value.
    public var object: ArchivedObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The plain value; nil if this is an object with a class.
    public var scalar: PropertyListValue? {
        if case .scalar(let value) = self { value } else { nil }
    }

    /// What this is, as a message names it.
    var kind: String {
        switch self {
        case .null: "nil"
        case .scalar(let value): value.kind
        case .object(let object): object.className
        }
    }
}
