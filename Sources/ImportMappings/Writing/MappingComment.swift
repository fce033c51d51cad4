/// What is said in comments around a part of a mapping file.
public struct MappingComment: Equatable, Sendable {
    /// The lines above the part.
    public var before: [String]
    /// What stands at the end of the part's line; nil for nothing.
    public var beside: String?
    /// The lines at the end of what is inside the part.
    public var after: [String]

    /// Makes comments around a part; without arguments there are none.
    public init(before: [String] = [], beside: String? = nil, after: [String] = []) {
        self.before = before
        self.beside = beside
        self.after = after
    }
}
