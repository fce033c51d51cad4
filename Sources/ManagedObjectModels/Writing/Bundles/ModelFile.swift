/// A file of a bundle that is to be written.
public struct ModelFile: Sendable, Hashable {
    /// The path in the bundle, without a slash at its beginning.
    public let path: String

    public let bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
