import SQLiteFileBuilder

extension TupleSorter {
    /// Returns a cursor that begins with the first tuple. The tuples are sorted once; no more may be added then.
    ///
    /// - Parameter sorted: keeps the sorted tuples; nil until they are sorted.
    func cursor(_ sorted: inout TupleCursor?) throws(BuildError) -> TupleCursor {
        if let sorted { return sorted.restarted() }
        let made = try self.sorted()
        sorted = made
        return made.restarted()
    }
}
