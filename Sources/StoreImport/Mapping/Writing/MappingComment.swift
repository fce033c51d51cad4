/// What is said in comments around a part of a mapping file.
public struct MappingComment: Equatable, Sendable {
    /// Lines above it.
    public var before: [String]
    /// At the end of its line.
    public var beside: String?
    /// Lines at the end of what is inside it.
    public var after: [String]

    /// Makes comments around a part; without arguments there are none.
    public init(before: [String] = [], beside: String? = nil, after: [String] = []) {
        self.before = before
        self.beside = beside
        self.after = after
    }
}
