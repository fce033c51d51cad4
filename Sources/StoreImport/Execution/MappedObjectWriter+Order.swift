import SQLiteAccess

/// Finding objects where they are expected: a file that is imported again mostly has the order that the store got it
/// in.
///
/// One pass over the rows behind the last match costs a fraction of a descent into an index for each key. It is only
/// tried while it succeeds, and only where no two objects have the same key.
extension MappedObjectWriter {
    /// Walks the rows behind the last match, as many as there are keys.
    ///
    /// - Parameters:
    ///   - leaders: instances with different keys.
    ///   - body: gets an instance and the row of its object, as in `find`.
    /// - Returns: the instances that were not found there.
    func findInOrder(
        _ leaders: [Int], _ instances: ObjectInstances,
        body: (_ instance: Int, _ row: Statement, _ firstCompared: Int32) throws -> Void
    ) throws -> [Int] {
        guard let first = expectedKey, !leaders.isEmpty else { return leaders }
        let statement = try preparedWalk()
        try statement.bindInteger(first, at: 1)
        try statement.bindInteger(Int64(leaders.count), at: 2)
        let parts = keyColumns.count
        let keyAttribute = object.hasPlainKey ? object.keyAttributes[0] : -1
        let keyed = instances.keyed
        var isFound = [Bool](repeating: false, count: instances.count)
        var found = 0
        var places: KeyIndex?
        var next = 0
        var key: [UInt8] = []
        while try statement.step() {
            while next < keyed.count, instances.states[Int(keyed[next])] == .follower { next += 1 }
            if next >= keyed.count || !isNumber(keyed[next], keyAttribute, instances, statement) {
                key.removeAll(keepingCapacity: true)
                var isWhole = true
                for part in 0..<parts where !KeyBytes.append(Int32(2 + part), of: statement, to: &key) {
                    isWhole = false
                }
                guard isWhole else { continue }
                if next >= keyed.count || !instances.key(Int(keyed[next])).elementsEqual(key) {
                    // Some rows or records are missing on one side: look where it goes on.
                    if places == nil { places = index(instances) }
                    guard let place = places?.target(of: key) else { continue }
                    next = Int(place.entity)
                }
            }
            let instance = Int(keyed[next])
            next += 1
            guard !isFound[instance] else { continue }
            isFound[instance] = true
            found += 1
            expectedKey = Self.key(behind: statement.integer(0))
            try body(instance, statement, Int32(2 + parts))
        }
        statement.reset()
        if found * 2 < leaders.count { expectedKey = nil }
        return found == leaders.count ? [] : leaders.filter { !isFound[$0] }
    }

    /// Whether the key of an instance is one integer, and that of the row.
    @inline(__always)
    private func isNumber(
        _ instance: Int32, _ keyAttribute: Int, _ instances: ObjectInstances, _ row: Statement
    ) -> Bool {
        guard keyAttribute >= 0, case .integer(let number) = instances.cell(Int(instance), keyAttribute) else {
            return false
        }
        return row.storageClass(2) == .integer && row.integer(2) == number
    }

    /// The place of each leading instance among those with keys.
    private func index(_ instances: ObjectInstances) -> KeyIndex {
        var index = KeyIndex()
        for (place, instance) in instances.keyed.enumerated() where instances.states[Int(instance)] != .follower {
            index.insert(
                instances.key(Int(instance)), KeyIndex.Target(primaryKey: Int64(instance), entity: Int64(place)))
        }
        return index
    }

    /// Looks whether the objects of a batch lie one behind the other.
    func learnOrder(_ instances: ObjectInstances) {
        guard isKeyUnique, expectedKey == nil else { return }
        var last: Int64 = 0
        var successive = 0
        for instance in instances.keyed {
            let key = instances.primaryKeys[Int(instance)]
            if key == Self.key(behind: last), last != 0 { successive += 1 }
            if key != 0 { last = key }
        }
        // Three of four: else more rows would be walked over in vain than are found.
        if successive > 0, successive * 4 >= instances.keyed.count * 3 {
            expectedKey = Self.key(behind: last)
        }
    }

    /// nil behind the highest key that there is.
    private static func key(behind key: Int64) -> Int64? { key == .max ? nil : key + 1 }

    private func preparedWalk() throws(SQLiteError) -> Statement {
        if let walkStatement { return walkStatement }
        let statement = try connection.prepare(
            "SELECT \(foundColumns) FROM \(table) WHERE Z_PK >= ?1 AND Z_ENT IN (\(numbers)) ORDER BY Z_PK LIMIT ?2",
            persistent: true)
        walkStatement = statement
        return statement
    }
}
