import RecordConversion
import SQLiteAccess

/// A walk over the rows of a table in the order of their primary keys, in parallel with the instances of batches. A
/// file that is imported again is mostly still in the order in which the store got it.
///
/// One pass over the rows after the last match takes a fraction of the time of searching an index for each key. It is
/// only tried as long as it succeeds, and only if no two objects have the same key.
struct OrderedWalk {
    private let keyParts: Int
    /// The position of the attribute that is the whole key; -1 for other keys.
    private let keyAttribute: Int
    /// The primary key at which the next record's object is expected; nil if the records are not in the order of the
    /// store.
    var expectedKey: Int64?

    init(_ object: CompiledObject) {
        keyParts = object.keyColumns.count
        keyAttribute = object.hasPlainKey ? object.keyAttributes[0] : -1
    }

    /// Compares the keys of rows and instances in parallel.
    ///
    /// - Parameters:
    ///   - leaders: instances with different keys.
    ///   - instances: the instances of the batch.
    ///   - arena: the bytes of the batch.
    ///   - row: the current row: its primary key and entity number, then its key, then the compared columns.
    ///   - body: called with an instance, the row of its object, and the first compared column.
    ///   - nextRow: moves to the next row; returns false if there are no more.
    /// - Returns: the instances that were not found.
    mutating func walk<Row: FoundRow>(
        _ leaders: [Int], _ instances: ObjectInstances, _ arena: [UInt8], _ row: Row,
        body: (_ instance: Int, _ row: Row, _ firstCompared: Int32) throws -> Void, next nextRow: () throws -> Bool
    ) throws -> [Int] {
        let keyed = instances.keyed
        var isFound = [Bool](repeating: false, count: instances.count)
        var found = 0
        var places: KeyIndex?
        var next = 0
        var key: [UInt8] = []
        while try nextRow() {
            while next < keyed.count, instances.states[Int(keyed[next])] == .follower { next += 1 }
            if next >= keyed.count || !isKey(keyed[next], instances, arena, row) {
                key.removeAll(keepingCapacity: true)
                var isWhole = true
                for part in 0..<keyParts where !KeyBytes.append(Int32(2 + part), of: row, to: &key) {
                    isWhole = false
                }
                guard isWhole else { continue }
                if next >= keyed.count || !instances.key(Int(keyed[next])).elementsEqual(key) {
                    // Rows or records are missing on one side: find the instance with which the walk continues.
                    if places == nil { places = Self.index(instances) }
                    guard let place = places?.target(of: key) else { continue }
                    next = Int(place.entity)
                }
            }
            let instance = Int(keyed[next])
            next += 1
            guard !isFound[instance] else { continue }
            isFound[instance] = true
            found += 1
            expectedKey = Self.key(behind: row.integer(0))
            try body(instance, row, Int32(2 + keyParts))
        }
        if found * 2 < leaders.count { expectedKey = nil }
        return found == leaders.count ? [] : leaders.filter { !isFound[$0] }
    }

    /// Returns whether the key of an instance is a single integer or text, and equals that of the row.
    @inline(__always)
    private func isKey(_ instance: Int32, _ instances: ObjectInstances, _ arena: [UInt8], _ row: some FoundRow) -> Bool
    {
        guard keyAttribute >= 0 else { return false }
        switch instances.cell(Int(instance), keyAttribute) {
        case .integer(let number): return row.storageClass(2) == .integer && row.integer(2) == number
        case .text(let range):
            guard row.storageClass(2) == .text else { return false }
            return row.withSpan(2) { KeyHash.isEqual($0, arena.span.extracting(range.range)) }
        case .null, .real, .blob: return false
        }
    }

    /// Returns the keys of the leading instances, with the position of each among the instances that have keys.
    private static func index(_ instances: ObjectInstances) -> KeyIndex {
        var index = KeyIndex()
        for (place, instance) in instances.keyed.enumerated() where instances.states[Int(instance)] != .follower {
            index.insert(
                instances.key(Int(instance)), KeyIndex.Target(primaryKey: Int64(instance), entity: Int64(place)))
        }
        return index
    }

    /// Finds out whether the objects of a batch follow each other in the table.
    mutating func learn(_ instances: ObjectInstances) {
        guard expectedKey == nil else { return }
        var last: Int64 = 0
        var successive = 0
        for instance in instances.keyed {
            let key = instances.primaryKeys[Int(instance)]
            if key == Self.key(behind: last), last != 0 { successive += 1 }
            if key != 0 { last = key }
        }
        // At least three of four must do so; otherwise, the walk would read more rows than it finds.
        if successive > 0, successive * 4 >= instances.keyed.count * 3 {
            expectedKey = Self.key(behind: last)
        }
    }

    /// Returns the next primary key; nil after the highest possible one.
    static func key(behind key: Int64) -> Int64? { key == .max ? nil : key + 1 }
}
