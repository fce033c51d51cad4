import SQLiteAccess

/// Finding of objects at the positions where they are expected.
extension MappedObjectWriter {
    /// Walks the rows after the last match, as many as there are keys.
    ///
    /// - Parameters:
    ///   - leaders: instances with different keys.
    ///   - instances: the instances of the batch.
    ///   - arena: the bytes of the batch.
    ///   - body: called with an instance and the row of its object, as in `find`.
    /// - Returns: the instances that were not found there.
    func findInOrder(
        _ leaders: [Int], _ instances: ObjectInstances, arena: [UInt8],
        body: (_ instance: Int, _ row: Statement, _ firstCompared: Int32) throws -> Void
    ) throws -> [Int] {
        guard let first = walk.expectedKey, !leaders.isEmpty else { return leaders }
        let statement = try preparedWalk()
        defer { statement.reset() }
        try statement.bindInteger(first, at: 1)
        try statement.bindInteger(Int64(leaders.count), at: 2)
        return try walk.walk(leaders, instances, arena, statement, body: body) { try statement.step() }
    }

    /// Finds out whether the objects of a batch follow each other in the table.
    func learnOrder(_ instances: ObjectInstances) {
        if isKeyUnique { walk.learn(instances) }
    }

    private func preparedWalk() throws(SQLiteError) -> Statement {
        if let walkStatement { return walkStatement }
        let statement = try connection.prepare(
            "SELECT \(foundColumns) FROM \(table) WHERE Z_PK >= ?1 AND Z_ENT IN (\(numbers)) ORDER BY Z_PK LIMIT ?2",
            persistent: true)
        walkStatement = statement
        return statement
    }
}
