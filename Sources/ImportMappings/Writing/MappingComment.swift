/// The comments around a part of a mapping file.
public struct MappingComment: Equatable, Sendable {
    /// The lines above the part.
    public var before: [String]
    /// The comment at the end of the part's line; nil for none.
    public var beside: String?
    /// The lines at the end of the part's contents.
    public var after: [String]

    /// Makes comments; without arguments there are none.
    public init(before: [String] = [], beside: String? = nil, after: [String] = []) {
        self.before = before
        self.beside = beside
        self.after = after
    }
}
