/// The formats in which a property list is stored.
public enum PropertyListFormat: Hashable, Sendable {
    /// `bplist00`.
    case binary
    case xml
    /// The brace format of OpenStep, also of `.strings` files.
    case openStep
}
