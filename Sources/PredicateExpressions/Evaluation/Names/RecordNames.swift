/// Resolves the columns of a flat record: `firstName` and, if requested, `$source.firstName`.
public struct RecordNames: NameResolver {
    /// The names of the columns; a name's slot is its index.
    public let columns: [String]
    /// The variables that stand for the record itself.
    public let variables: Set<String>
    private let slots: [String: Int]
    /// The slots that were resolved, which are the columns that the expression needs.
    public private(set) var used: Set<Int> = []

    /// Makes names from the columns of a record; if two columns have the same name, the first one is used.
    public init(_ columns: [String], variables: Set<String> = []) {
        self.columns = columns
        self.variables = variables
        slots = Dictionary(zip(columns, columns.indices), uniquingKeysWith: { first, _ in first })
    }

    /// Returns the slot of the longest run of keys that is a column, whose name may contain dots; nil for an unknown
    /// column or variable.
    public mutating func slot(of path: ArraySlice<String>, from start: NameStart) -> ResolvedName? {
        switch start {
        case .evaluatedObject: break
        case .variable(let name): guard variables.contains(name) else { return nil }
        case .object: return nil
        }
        for count in stride(from: path.count, to: 0, by: -1) {
            if let slot = slots[path.prefix(count).joined(separator: ".")] {
                used.insert(slot)
                return ResolvedName(slot: slot, keyCount: count)
            }
        }
        return nil
    }
}
