/// A file to be written in a bundle.
public struct ModelFile: Sendable, Hashable {
    /// The path in the bundle, without a leading slash.
    public let path: String

    /// The content of the file.
    public let bytes: [UInt8]

    /// Makes a file from its path in the bundle and its content.
    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}
