import RecordConversion
import SQLiteAccess

/// The keys by which the records of a batch name the objects of a to-many relationship, one list after the other, in
/// flat arrays that are reused.
struct ReferenceLists {
    /// The number of values in a key.
    let partCount: Int
    /// For each instance, whether its record contains the list, which may be empty.
    private var present: [Bool] = []
    /// For each instance, the number of keys up to the end of its list.
    private var ends: [Int] = []
    /// The values of all keys, whose bytes are in the batch.
    private var cells: [ConvertedValue] = []
    private var keyCount = 0

    init(partCount: Int) {
        self.partCount = max(1, partCount)
    }

    /// Creates the lists of a relationship. If it leads to objects of the same record, they stay empty.
    init(of relationship: CompiledRelationship) {
        guard case .key(let target) = relationship.target else {
            self.init(partCount: 1)
            return
        }
        self.init(partCount: target.parts.count)
    }

    mutating func removeAll() {
        present.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        keyCount = 0
    }

    // MARK: - Making

    /// Adds a value of a key. The key is complete with its last value, and names no object if one of its values is
    /// NULL.
    @inline(__always)
    mutating func append(_ value: ConvertedValue) {
        if partCount == 1 {
            if case .null = value { return }
            cells.append(value)
            keyCount += 1
            return
        }
        cells.append(value)
        let end = (keyCount + 1) * partCount
        guard cells.count == end else { return }
        if cells[(end - partCount)...].contains(.null) {
            cells.removeLast(partCount)
        } else {
            keyCount += 1
        }
    }

    /// Ends the list of the next instance.
    mutating func endList(isPresent: Bool) {
        present.append(isPresent)
        ends.append(keyCount)
    }

    /// Ends the list of the next instance as if its record did not contain it.
    mutating func abandonList() {
        keyCount = ends.last ?? 0
        if cells.count > keyCount * partCount { cells.removeLast(cells.count - keyCount * partCount) }
        endList(isPresent: false)
    }

    // MARK: - Reading

    func isPresent(_ instance: Int) -> Bool { present[instance] }

    /// Returns the range of an instance's keys.
    func keys(of instance: Int) -> Range<Int> { (instance == 0 ? 0 : ends[instance - 1])..<ends[instance] }

    /// Returns a key that consists of one value.
    func value(at place: Int) -> ConvertedValue { cells[place] }

    /// Returns a key, with its values copied from the batch.
    func key(at place: Int, in arena: [UInt8]) -> ReferenceKey? {
        ReferenceKey(cells[place * partCount..<(place + 1) * partCount].map { $0.sqliteValue(in: arena) })
    }
}

/// Encoding of a batch's lists in a spool.
extension ReferenceLists {
    func encode(behind place: inout Int, into encoder: inout SpoolEncoder) {
        var before = 0
        for (isPresent, end) in zip(present, ends) {
            encoder.append(count: (end - before) << 1 | (isPresent ? 1 : 0))
            before = end
        }
        encoder.append(atMost: keyCount * partCount * ArenaValue.numberCount) { output in
            for cell in cells[..<(keyCount * partCount)] { cell.encode(behind: &place, into: &output) }
        }
    }

    mutating func decode(
        from decoder: inout SpoolDecoder, instances: Int, behind place: inout Int, arenaCount: Int
    ) throws(SpoolDecoder.Fault) {
        removeAll()
        for _ in 0..<instances {
            // Each value of a key has at least one byte.
            let word = try decoder.count(atMost: decoder.remaining << 1 | 1)
            keyCount += word >> 1
            guard keyCount <= decoder.remaining else { throw decoder.fault }
            present.append(word & 1 == 1)
            ends.append(keyCount)
        }
        for _ in 0..<keyCount * partCount {
            guard let cell = try decoder.value(behind: &place, arenaCount: arenaCount), cell != .null
            else {
                throw decoder.fault
            }
            cells.append(cell)
        }
    }
}
