/// The order in which Core Data numbers entities: by name, ignoring case. Names that differ only in case are ordered by
/// code point (docs/format/sqlite-store.md#entity-numbers).
public struct EntityNameOrder: Comparable, Sendable {
    private let folded: String
    private let name: String

    /// Makes the sort key of a name.
    public init(_ name: String) {
        self.name = name
        folded = name.lowercased()
    }

    public static func < (left: Self, right: Self) -> Bool {
        if left.folded == right.folded {
            return left.name.unicodeScalars.lexicographicallyPrecedes(right.name.unicodeScalars)
        }
        return left.folded.unicodeScalars.lexicographicallyPrecedes(right.folded.unicodeScalars)
    }
}
