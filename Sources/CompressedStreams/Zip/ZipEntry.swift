/// A file in a zip archive, as the directory of the archive describes it.
public struct ZipEntry: Hashable, Sendable {
    /// The compression method of an entry.
    enum Method: Hashable {
        case stored
        case deflated
        case other(Int)
    }

    /// The path in the archive, with `/` between folders.
    public let name: String
    /// The compressed size in bytes.
    let packedSize: Int
    /// The uncompressed size in bytes.
    public let size: Int
    let checksum: UInt32
    /// The offset of the entry's local header.
    let headerOffset: Int
    let method: Method
    let isEncrypted: Bool
}
