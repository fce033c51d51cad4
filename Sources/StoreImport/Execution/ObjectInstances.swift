import ManagedObjectModels
import RecordConversion
import RecordSources
import SQLiteAccess

/// The objects that one batch of records makes by one object mapping, in flat arrays that are used again.
struct ObjectInstances {
    enum State: UInt8 {
        /// Not yet looked up.
        case open
        case inserted, updated, unchanged, skipped, rejected
        /// The same key as an earlier instance of the batch: `leader` has the object.
        case follower
    }

    /// Marks a to-one whose destination is not there yet; no primary key is negative.
    static let waitingKey: Int64 = -1

    /// In the place of a destination's entity: the record says that the to-one leads nowhere.
    static let endingEntity: Int64 = -1

    /// The record of each instance.
    var records: [Int32] = []
    /// The node that the instance is made of; -1 for the record itself.
    var nodes: [Int32] = []
    var states: [State] = []
    /// For a part of another object mapping's part: the instance that that is; -1 for a part of the record.
    var parents: [Int32] = []
    /// The object's primary key; 0 while it has none.
    var primaryKeys: [Int64] = []
    /// The object's entity number: where it was there before it may be of a subentity.
    var entities: [Int64] = []
    /// The attributes' values: `attributeCount` for each instance.
    var cells: [ConvertedValue] = []
    /// By place in `cells`, the files whose bytes are the value: the cell itself is NULL until its object is written.
    var files: [Int: BinaryFile] = [:]
    /// Whether the record has the value at all; what it does not mention stays as it is in an object that is there.
    var cellPresent: [Bool] = []
    /// The first required attribute that the record does not mention; -1 for none. Only new objects need it.
    var unfilled: [Int32] = []
    /// The keys of the to-one destinations: `toOneCount` for each instance; 0 for none, negative for one that is not there
    /// yet.
    var toOneKeys: [Int64] = []
    /// The entity numbers of the to-one destinations.
    var toOneEntities: [Int64] = []
    /// Whether a to-one has a value in the record at all.
    var toOnePresent: [Bool] = []
    /// The key as bytes: where it begins in `keyArena`, and where it ends; equal where the key is NULL.
    var keyStarts: [Int] = []
    var keyEnds: [Int] = []
    var keyArena: [UInt8] = []
    /// What was found beside the thread that writes; nil for nothing.
    var earlier: EarlierMatches?
    /// The hashes of keys that are one attribute's value, where they are made with that; 0 for NULL.
    var keyHashes: [UInt64] = []
    /// The instances that have a key, in order.
    var keyed: [Int32] = []
    /// What is made ready for a new store while records are converted.
    var prepared = PreparedInstances()
    /// The keys of the to-one destinations as the record has them, where they are converted with the other columns.
    var toOneCells: [ConvertedValue] = []
    /// Whether `toOneCells` has the value of a to-one.
    var toOneConverted: [Bool] = []
    /// For a follower the instance that has the object.
    var leaders: [Int32] = []
    /// For a follower what it did to the object.
    var outcomes: [State] = []

    /// Instances whose records make their objects, though these were there as others name them.
    var makers: Set<Int> = []

    /// By the instance that has the object, what it has where others follow.
    var merged: [Int: MergedInstance] = [:]

    /// By to-many relationship, the keys of the destinations; empty for those of the same record.
    var lists: [ReferenceLists] = []

    /// The keys that only the source has, by instance; empty if the mapping names none.
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

    /// Adds an instance for each of some records, of the records themselves.
    mutating func append(records added: [Int32]) {
        let count = added.count
        records.append(contentsOf: added)
        nodes.append(contentsOf: repeatElement(-1, count: count))
        states.append(contentsOf: repeatElement(.open, count: count))
        parents.append(contentsOf: repeatElement(-1, count: count))
        primaryKeys.append(contentsOf: repeatElement(0, count: count))
        entities.append(contentsOf: repeatElement(0, count: count))
        cells.append(contentsOf: repeatElement(.null, count: count * attributeCount))
        cellPresent.append(contentsOf: repeatElement(true, count: count * attributeCount))
        unfilled.append(contentsOf: repeatElement(-1, count: count))
        toOneKeys.append(contentsOf: repeatElement(0, count: count * toOneCount))
        toOneEntities.append(contentsOf: repeatElement(0, count: count * toOneCount))
        toOnePresent.append(contentsOf: repeatElement(false, count: count * toOneCount))
        toOneCells.append(contentsOf: repeatElement(.null, count: count * toOneCount))
        toOneConverted.append(contentsOf: repeatElement(false, count: count * toOneCount))
        keyStarts.append(contentsOf: repeatElement(0, count: count))
        keyEnds.append(contentsOf: repeatElement(0, count: count))
        leaders.append(contentsOf: repeatElement(-1, count: count))
        outcomes.append(contentsOf: repeatElement(.open, count: count))
    }

    func hasKey(_ instance: Int) -> Bool { keyStarts[instance] < keyEnds[instance] }

    func key(_ instance: Int) -> ArraySlice<UInt8> { keyArena[keyStarts[instance]..<keyEnds[instance]] }

    func isPresent(_ instance: Int, _ attribute: Int) -> Bool { cellPresent[instance * attributeCount + attribute] }

    /// The file whose bytes are an attribute's value; nil if the cell has the value.
    func file(_ instance: Int, _ attribute: Int) -> BinaryFile? {
        files.isEmpty ? nil : files[instance * attributeCount + attribute]
    }

    func cell(_ instance: Int, _ attribute: Int) -> ConvertedValue { cells[instance * attributeCount + attribute] }

    /// How many of the new objects have a destination in a to-one.
    func newLinkCount(_ position: Int) -> Int64 {
        var count: Int64 = 0
        for instance in 0..<self.count where states[instance] == .inserted {
            if toOneKeys[instance * toOneCount + position] > 0 { count += 1 }
        }
        return count
    }
}

extension ObjectInstances {
    /// Makes the keys of all objects whose records are not rejected. One with a NULL in it is not a key.
    ///
    /// - Parameter named: by instance and position of a to-one, what stands for destinations; nil if their primary keys do.
    mutating func makeKeys(
        _ object: CompiledObject, where isRejected: [Bool], in arena: [UInt8], named: [Int: [UInt8]]? = nil
    ) {
        keyed.removeAll(keepingCapacity: true)
        // Taken out meanwhile, so that it is not copied.
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

    /// Appends the key of an object; false if there is a NULL in it, after any part of the key.
    ///
    /// - Parameter named: as for `makeKeys`.
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

    /// Makes the hashes of keys that are the value of an attribute.
    mutating func hashKeys(_ attribute: Int, in arena: [UInt8]) {
        let arena = arena.span
        keyHashes.reserveCapacity(count)
        for instance in 0..<count {
            var hash = KeyHash()
            keyHashes.append(hash.add(cell(instance, attribute), in: arena) ? max(1, hash.value) : 0)
        }
    }

    /// The hashes of the keys of records that are not rejected.
    func keyHashes(where isRejected: [Bool]) -> [UInt64] {
        var found: [UInt64] = []
        found.reserveCapacity(count)
        for instance in 0..<count where keyHashes[instance] != 0 && !isRejected[Int(records[instance])] {
            found.append(keyHashes[instance])
        }
        return found
    }

    /// The required attribute that a new object would lack.
    func unfilledName(_ instance: Int, _ object: CompiledObject) -> String? {
        unfilled[instance] < 0 ? nil : object.attributes[Int(unfilled[instance])].attribute.name
    }

    /// The positions of all required attributes that a new object would lack.
    func unfilledPositions(_ instance: Int, _ object: CompiledObject) -> [Int] {
        object.attributes.indices.filter { !isPresent(instance, $0) && object.attributes[$0].isNeeded }
    }
}

extension RecordBatch {
    /// A model default as a value of the batch.
    mutating func value(of value: ConvertedDefault) -> ConvertedValue {
        switch value {
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(appendRange(bytes))
        case .blob(let bytes): .blob(appendRange(bytes))
        }
    }
}
