/// An error of decompression.
public struct DeflateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: String, Hashable, Sendable {
        /// The data end before the stream is complete.
        case truncated
        /// The bytes are not a DEFLATE stream.
        case damaged
        /// Bytes follow the end of the stream.
        case trailingContent
        /// The output would exceed the limit.
        case tooLarge
        /// zlib could not allocate memory.
        case outOfMemory
    }

    /// The kind of the error.
    public let code: Code

    /// Makes an error of a kind.
    public init(_ code: Code) {
        self.code = code
    }

    /// A one-sentence description; its wording may change.
    public var description: String {
        switch code {
        case .truncated: "compressed data: they end too early; get a complete copy"
        case .damaged: "compressed data: they are damaged or not DEFLATE; get an intact copy"
        case .trailingContent: "compressed data: more bytes follow their end; get an intact copy"
        case .tooLarge: "compressed data: they unpack to more than is allowed here; they are damaged or hostile"
        case .outOfMemory: "compressed data: there is not enough memory to unpack them; free some and try again"
        }
    }
}
