/// Why compressed data could not be unpacked.
public struct DeflateError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case truncated
        case damaged
        case trailingContent
        case tooLarge
        case outOfMemory
    }

    public let code: Code

    public init(_ code: Code) {
        self.code = code
    }

    /// One sentence; its wording may change.
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
