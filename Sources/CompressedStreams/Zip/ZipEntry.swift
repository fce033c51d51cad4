/// A file in a zip archive, as the directory of the archive describes it.
public struct ZipEntry: Hashable, Sendable {
    /// How the bytes are kept.
    enum Method: Hashable {
        case stored
        case deflated
        case other(Int)
    }

    /// The path in the archive, with `/` between folders.
    public let name: String
    /// Bytes in the archive.
    let packedSize: Int
    /// The size of the file once it is unpacked, in bytes.
    public let size: Int
    let checksum: UInt32
    /// Where its own header begins in the archive.
    let headerOffset: Int
    let method: Method
    let isEncrypted: Bool
}
