import SQLiteAccess

/// The pairs of a mapping's sources and objects in the order of the sources, as a batch reads them.
struct PolicyPairs {
    /// Has the pairs that were noted; nil if each source has one object, of the same key.
    private let select: Statement?
    private let made: KeyRuns
    private let entity: Int
    private var run = 0
    private var left: Int64?

    /// - Parameter select: the sources, keys and entity numbers from a source on.
    init(noted select: Statement, from first: Int64) throws(SQLiteError) {
        try select.bindInteger(first, at: 1)
        (self.select, made, entity) = (select, KeyRuns(limit: 0), 0)
    }

    init(_ made: KeyRuns, entity: Int, from first: Int64) {
        (select, self.made, self.entity, left) = (nil, made, entity, first)
    }

    /// The next pair; nil behind the last one.
    mutating func next() throws(SQLiteError) -> (source: Int64, key: Int64, entity: Int)? {
        if let select {
            return try select.step() ? (select.integer(0), select.integer(1), Int(select.integer(2))) : nil
        }
        guard let first = left, let key = made.key(from: first, &run) else { return nil }
        left = key == .max ? nil : key + 1
        return (key, key, entity)
    }

    /// Reads no further.
    func end() { select?.reset() }
}
