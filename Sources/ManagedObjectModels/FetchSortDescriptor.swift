/// One key of a fetch's order.
public struct FetchSortDescriptor: Sendable, Hashable {
    public var keyPath: String
    public var isAscending: Bool

    /// The comparison method's name; nil for `compare:`.
    public var selectorName: String?

    public init(keyPath: String, isAscending: Bool = true, selectorName: String? = nil) {
        self.keyPath = keyPath
        self.isAscending = isAscending
        self.selectorName = selectorName
    }
}
