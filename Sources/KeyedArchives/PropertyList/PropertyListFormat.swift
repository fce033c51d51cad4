/// The formats in which a property list is stored.
public enum PropertyListFormat: Hashable, Sendable {
    /// The binary format, which begins with `bplist00`.
    case binary
    /// The `plist` element of Apple's DTD.
    case xml
    /// The brace format of OpenStep, which `.strings` files also have.
    case openStep
}
