/// A sort key of a fetch.
public struct FetchSortDescriptor: Sendable, Hashable {
    /// The property or key path whose values are compared.
    public var keyPath: String
    /// Whether smaller values come first.
    public var isAscending: Bool

    /// The comparison method's name; nil for `compare:`.
    public var selectorName: String?

    /// Makes a sort key of a fetch.
    public init(keyPath: String, isAscending: Bool = true, selectorName: String? = nil) {
        self.keyPath = keyPath
        self.isAscending = isAscending
        self.selectorName = selectorName
    }
}
