/// An error of decoding a compressed stream.
public enum StreamDecodingError: Error, Hashable, Sendable {
    /// The data are damaged; with the decoder's message.
    case damaged(String)
    /// Bytes that are not compressed data follow the end.
    case trailingContent
    /// The stream ends before it is complete.
    case truncated
    /// The decoder's library could not allocate memory.
    case outOfMemory
}

extension StreamDecodingError: CustomStringConvertible {
    /// What is wrong and what to do, without the location.
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
