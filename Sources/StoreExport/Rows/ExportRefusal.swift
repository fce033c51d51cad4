/// An object that is left out of a file, because it would not come back as it is.
public struct ExportRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The URI of the object, `x-coredata://UUID/Entity/pN`.
    public let uri: String
    /// Why the object would not come back as it is.
    public let reason: String

    public var description: String { "\(uri): \(reason)" }
}
