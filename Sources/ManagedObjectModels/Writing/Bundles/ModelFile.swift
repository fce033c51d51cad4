/// A file of a bundle that is to be written.
public struct ModelFile: Sendable, Hashable {
    /// The path in the bundle, without a slash at its beginning.
    public let path: String

    /// The content of the file.
    public let bytes: [UInt8]

    /// Makes a file of a path in the bundle and its content.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
