/// Why a compressed stream cannot be decoded any further.
public enum StreamDecodingError: Error, Hashable, Sendable {
    /// The bytes are not what they should be: what the decoder says of it.
    case damaged(String)
    /// Bytes follow the end that are not compressed data.
    case trailingContent
    /// It ends before it is complete.
    case truncated
    /// The decoder's library could not get its memory.
    case outOfMemory
}

extension StreamDecodingError: CustomStringConvertible {
    /// What is wrong and what to do, without the place.
    public var description: String {
        switch self {
        case .damaged(let detail): "the compressed data are damaged (\(detail)); get an intact copy"
        case .trailingContent:
            "the compressed data end here, and bytes follow that are not compressed; get an intact copy, or cut them off"
        case .truncated: "the file ends before its compressed data do; get a whole copy"
        case .outOfMemory: "there is not enough memory to decompress the data; free some and try again"
        }
    }
}
