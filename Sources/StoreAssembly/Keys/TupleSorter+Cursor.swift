import SQLiteFileBuilder

extension TupleSorter {
    /// Returns a cursor that begins with the first tuple. The tuples are sorted at the first call. No more tuples may
    /// be added then.
    ///
    /// - Parameter sorted: stores the sorted tuples between calls; nil before the first call.
    func cursor(_ sorted: inout TupleCursor?) throws(BuildError) -> TupleCursor {
        if let sorted { return sorted.restarted() }
        let made = try self.sorted()
        sorted = made
        return made.restarted()
    }
}
