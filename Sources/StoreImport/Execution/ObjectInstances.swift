import ManagedObjectModels
import RecordConversion
import RecordSources
import SQLiteAccess

/// The objects of one object mapping that a batch of records describes, in flat arrays that are reused. Each of them is
/// an instance.
struct ObjectInstances {
    enum State: UInt8 {
        /// The instance has not been looked up yet.
        case open
        case inserted, updated, unchanged, skipped, rejected
        /// The instance has the same key as an earlier one of the batch, which is in `leaders`.
        case follower
    }

    /// The value in place of a primary key for a to-one relationship whose destination does not exist yet. Primary keys
    /// are not negative.
    static let waitingKey: Int64 = -1

    /// The value in place of an entity for a to-one relationship that the record sets to NULL.
    static let endingEntity: Int64 = -1

    /// The record of each instance.
    var records: [Int32] = []
    /// The node of the part from which each instance is made; -1 for the whole record.
    var nodes: [Int32] = []
    var states: [State] = []
    /// For an object inside a part of another object mapping, the instance of that part; -1 for a part of the record.
    var parents: [Int32] = []
    /// The primary key of each object; 0 as long as it has none.
    var primaryKeys: [Int64] = []
    /// The entity number of each object. An object that existed before may belong to a subentity.
    var entities: [Int64] = []
    /// The values of the attributes, `attributeCount` for each instance.
    var cells: [ConvertedValue] = []
    /// The files whose bytes are values, by index in `cells`. The cell itself is NULL until its object is written.
    var files: [Int: BinaryFile] = [:]
    /// Whether the record contains each value. Values that it does not contain stay as they are in an existing object.
    var cellPresent: [Bool] = []
    /// The first required attribute that each record does not contain; -1 if there is none. Only new objects require
    /// it.
    var unfilled: [Int32] = []
    /// The primary keys of the destinations of to-one relationships, `toOneCount` for each instance; 0 if there is
    /// none, negative if the destination does not exist yet.
    var toOneKeys: [Int64] = []
    /// The entity numbers of the destinations of to-one relationships.
    var toOneEntities: [Int64] = []
    /// Whether the record contains a value for each to-one relationship.
    var toOnePresent: [Bool] = []
    /// The bounds of each key in `keyArena`, equal if the key contains NULL.
    var keyStarts: [Int] = []
    var keyEnds: [Int] = []
    var keyArena: [UInt8] = []
    /// The objects that another thread has found; nil if there is no such thread, or if the result is not valid any
    /// more.
    var earlier: EarlierMatches?
    /// The hashes of keys that consist of one attribute, if they are computed while records are converted; 0 for NULL.
    var keyHashes: [UInt64] = []
    /// The instances that have a key, in order.
    var keyed: [Int32] = []
    /// What is prepared for a new store while records are converted.
    var prepared = PreparedInstances()
    /// The keys of the destinations of to-one relationships as the records contain them, if they are converted with the
    /// other columns.
    var toOneCells: [ConvertedValue] = []
    /// Whether `toOneCells` contains the key of each to-one relationship.
    var toOneConverted: [Bool] = []
    /// For each follower, the instance that has the object; -1 for other instances.
    var leaders: [Int32] = []
    /// For each follower, what it did to the object.
    var outcomes: [State] = []

    /// The instances whose records create their objects, although these already exist because other records name them.
    var makers: Set<Int> = []

    /// The values of objects with followers, by the instance that has the object.
    var merged: [Int: MergedInstance] = [:]

    /// By to-many relationship, the keys of the destinations; empty if the destinations are objects of the same record.
    var lists: [ReferenceLists] = []

    /// The keys that exist only in the source, by instance; empty if the mapping has no such keys.
    var sourceKeys: [ReferenceKey?] = []

    let attributeCount: Int
    let toOneCount: Int

    init(attributeCount: Int, toOneCount: Int) {
        self.attributeCount = attributeCount
        self.toOneCount = toOneCount
    }

    var count: Int { records.count }

    mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
        states.removeAll(keepingCapacity: true)
        parents.removeAll(keepingCapacity: true)
        primaryKeys.removeAll(keepingCapacity: true)
        entities.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        files.removeAll(keepingCapacity: true)
        cellPresent.removeAll(keepingCapacity: true)
        unfilled.removeAll(keepingCapacity: true)
        toOneKeys.removeAll(keepingCapacity: true)
        toOneEntities.removeAll(keepingCapacity: true)
        toOnePresent.removeAll(keepingCapacity: true)
        keyStarts.removeAll(keepingCapacity: true)
        keyEnds.removeAll(keepingCapacity: true)
        keyArena.removeAll(keepingCapacity: true)
        keyed.removeAll(keepingCapacity: true)
        prepared.removeAll()
        earlier = nil
        keyHashes.removeAll(keepingCapacity: true)
        toOneCells.removeAll(keepingCapacity: true)
        toOneConverted.removeAll(keepingCapacity: true)
        leaders.removeAll(keepingCapacity: true)
        outcomes.removeAll(keepingCapacity: true)
        makers.removeAll(keepingCapacity: true)
        merged.removeAll(keepingCapacity: true)
        for position in lists.indices { lists[position].removeAll() }
    }

    mutating func append(record: Int, node: Int, parent: Int = -1) {
        records.append(Int32(truncatingIfNeeded: record))
        nodes.append(Int32(truncatingIfNeeded: node))
        states.append(.open)
        parents.append(Int32(truncatingIfNeeded: parent))
        primaryKeys.append(0)
        entities.append(0)
        for _ in 0..<attributeCount {
            cells.append(.null)
            cellPresent.append(true)
        }
        unfilled.append(-1)
        for _ in 0..<toOneCount {
            toOneKeys.append(0)
            toOneEntities.append(0)
            toOnePresent.append(false)
            toOneCells.append(.null)
            toOneConverted.append(false)
        }
        keyStarts.append(0)
        keyEnds.append(0)
        leaders.append(-1)
        outcomes.append(.open)
    }

    /// Adds one instance for each of some records, made from the whole record.
    mutating func append(records added: [Int32]) {
        let count = added.count
        records.append(contentsOf: added)
        nodes.append(-1, times: count)
        states.append(.open, times: count)
        parents.append(-1, times: count)
        primaryKeys.append(0, times: count)
        entities.append(0, times: count)
        cells.append(.null, times: count * attributeCount)
        cellPresent.append(true, times: count * attributeCount)
        unfilled.append(-1, times: count)
        toOneKeys.append(0, times: count * toOneCount)
        toOneEntities.append(0, times: count * toOneCount)
        toOnePresent.append(false, times: count * toOneCount)
        toOneCells.append(.null, times: count * toOneCount)
        toOneConverted.append(false, times: count * toOneCount)
        keyStarts.append(0, times: count)
        keyEnds.append(0, times: count)
        leaders.append(-1, times: count)
        outcomes.append(.open, times: count)
    }

    func hasKey(_ instance: Int) -> Bool { keyStarts[instance] < keyEnds[instance] }

    func key(_ instance: Int) -> ArraySlice<UInt8> { keyArena[keyStarts[instance]..<keyEnds[instance]] }

    func isPresent(_ instance: Int, _ attribute: Int) -> Bool { cellPresent[instance * attributeCount + attribute] }

    /// Returns the file whose bytes are an attribute's value; nil if the cell contains the value.
    func file(_ instance: Int, _ attribute: Int) -> BinaryFile? {
        files.isEmpty ? nil : files[instance * attributeCount + attribute]
    }

    func cell(_ instance: Int, _ attribute: Int) -> ConvertedValue { cells[instance * attributeCount + attribute] }

    /// Returns how many of the new objects have a destination in a to-one relationship.
    func newLinkCount(_ position: Int) -> Int64 {
        var count: Int64 = 0
        for instance in 0..<self.count where states[instance] == .inserted {
            if toOneKeys[instance * toOneCount + position] > 0 { count += 1 }
        }
        return count
    }
}

extension ObjectInstances {
    /// Makes the keys of all objects whose records are not rejected. A key that contains NULL does not count as a key.
    ///
    /// - Parameters:
    ///   - object: the object mapping.
    ///   - isRejected: for each record, whether it is rejected.
    ///   - arena: the bytes of the batch.
    ///   - named: what represents the destinations of to-one relationships in keys, by `toOneCount` times the instance
    ///     plus the position; nil if their primary keys do.
    @_optimize(speed)
    mutating func makeKeys(
        _ object: CompiledObject, where isRejected: [Bool], in arena: [UInt8], named: [Int: [UInt8]]? = nil
    ) {
        keyed.removeAll(keepingCapacity: true)
        // The arena is temporarily moved out of the instances, so that it is not copied.
        var keys: [UInt8] = []
        swap(&keys, &keyArena)
        defer { swap(&keys, &keyArena) }
        keys.removeAll(keepingCapacity: true)
        guard object.hasKey else { return }
        for instance in 0..<count where !isRejected[Int(records[instance])] {
            let start = keys.count
            guard appendKey(of: instance, object, named, in: arena, to: &keys) else {
                keys.removeLast(keys.count - start)
                continue
            }
            keyStarts[instance] = start
            keyEnds[instance] = keys.count
            keyed.append(Int32(truncatingIfNeeded: instance))
        }
    }

    /// Appends the key of an object; returns false if it contains NULL, possibly after a part of the key was appended.
    ///
    /// - Parameters:
    ///   - instance: the instance of the object.
    ///   - object: the object mapping.
    ///   - named: as for `makeKeys`.
    ///   - arena: the bytes of the batch.
    ///   - keys: the bytes to which the key is appended.
    @inline(__always)
    func appendKey(
        of instance: Int, _ object: CompiledObject, _ named: [Int: [UInt8]]?, in arena: [UInt8], to keys: inout [UInt8]
    ) -> Bool {
        for attribute in object.keyAttributes
        where !KeyBytes.append(cell(instance, attribute), in: arena, to: &keys) {
            return false
        }
        for toOne in object.keyRelationships {
            let place = instance * toOneCount + toOne
            if let named {
                guard let key = named[place] else { return false }
                keys += key
                continue
            }
            guard toOneKeys[place] > 0 else { return false }
            KeyBytes.append(toOneKeys[place], to: &keys)
        }
        return true
    }

    /// Computes the hashes of keys that consist of one attribute.
    @_optimize(speed)
    mutating func hashKeys(_ attribute: Int, in arena: [UInt8]) {
        let arena = arena.span
        keyHashes.reserveCapacity(count)
        for instance in 0..<count {
            var hash = KeyHash()
            keyHashes.append(hash.add(cell(instance, attribute), in: arena) ? max(1, hash.value) : 0)
        }
    }

    /// Returns the hashes of the keys of records that are not rejected.
    func keyHashes(where isRejected: [Bool]) -> [UInt64] {
        var found: [UInt64] = []
        found.reserveCapacity(count)
        for instance in 0..<count where keyHashes[instance] != 0 && !isRejected[Int(records[instance])] {
            found.append(keyHashes[instance])
        }
        return found
    }

    /// Returns the first required attribute that a new object would lack; nil if there is none.
    func unfilledName(_ instance: Int, _ object: CompiledObject) -> String? {
        unfilled[instance] < 0 ? nil : object.attributes[Int(unfilled[instance])].attribute.name
    }

    /// Returns the positions of all required attributes that a new object would lack.
    func unfilledPositions(_ instance: Int, _ object: CompiledObject) -> [Int] {
        object.attributes.indices.filter { !isPresent(instance, $0) && object.attributes[$0].isNeeded }
    }
}

extension RecordBatch {
    /// Returns a default of the model as a value of the batch.
    mutating func value(of value: ConvertedDefault) -> ConvertedValue {
        switch value {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(appendRange(bytes))
        case .blob(let bytes): .blob(appendRange(bytes))
        }
    }
}

extension Array {
    /// Appends the same element several times. Appending a `Repeated` would take several times as long, because its
    /// elements are copied one by one; small code would read the memory that it sets, which another thread has used.
    @inline(never)
    @_optimize(speed)
    fileprivate mutating func append(_ element: Element, times count: Int) {
        append(addingCapacity: count) { $0.append(repeating: element, count: count) }
    }
}
