import SQLiteAccess

/// The pairs of a mapping's source objects and destination objects, in the order of the sources, as a batch reads them.
struct PolicyPairs {
    /// A query for the recorded pairs; nil if each source has one object with the same key.
    private let select: Statement?
    private let made: KeyRuns
    private let entity: Int
    private var run = 0
    private var left: Int64?

    /// - Parameters:
    ///   - select: a query for the source, key and entity number of each pair, from a source on.
    ///   - first: the key of this source.
    init(noted select: Statement, from first: Int64) throws(SQLiteError) {
        try select.bindInteger(first, at: 1)
        (self.select, made, entity) = (select, KeyRuns(limit: 0), 0)
    }

    init(_ made: KeyRuns, entity: Int, from first: Int64) {
        (select, self.made, self.entity, left) = (nil, made, entity, first)
    }

    /// Returns the next pair; nil after the last one.
    mutating func next() throws(SQLiteError) -> (source: Int64, key: Int64, entity: Int)? {
        if let select {
            return try select.step() ? (select.integer(0), select.integer(1), Int(select.integer(2))) : nil
        }
        guard let first = left, let key = made.key(from: first, &run) else { return nil }
        left = key == .max ? nil : key + 1
        return (key, key, entity)
    }

    /// Ends reading.
    func end() { select?.reset() }
}
