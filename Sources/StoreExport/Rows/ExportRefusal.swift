/// An object that is left out of a file, because it could not be imported unchanged.
public struct ExportRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The URI of the object, such as `x-coredata://UUID/Entity/pN`.
    public let uri: String
    /// The reason why the object could not be imported unchanged.
    public let reason: String

    public var description: String { "\(uri): \(reason)" }
}
