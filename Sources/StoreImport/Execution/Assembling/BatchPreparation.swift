import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// The parts of the objects of a batch that are prepared while its records are converted, for a store that is
/// assembled.
struct PreparedInstances {
    /// The encoded rows, without the keys of destinations. If their number differs from that of the instances, they are
    /// not encoded.
    var rows: PackedRows?
    /// The digests of the keys of the instances that have a key, in order; nil if the keys have not been made.
    var digests: [KeyDigest]?
    /// The digests of the keys that the instances name, by position of a to-one relationship. A digest has no meaning
    /// if the key could not be converted.
    var references: [(position: Int, digests: [KeyDigest])] = []

    mutating func removeAll() {
        rows?.removeAll()
        digests = nil
        references = []
    }
}

/// The preparation of the batches of one source for a store that is assembled, on the thread that converts the records.
struct BatchPreparation {
    /// For each object mapping, the encoder of its rows, which is nil if they are encoded only when they are written;
    /// whether keys identify its objects; and the positions of to-one relationships whose destinations come later.
    let objects: [(object: CompiledObject, packer: RowPacker?, isIdentified: Bool, late: [Int])]
    let digester: KeyDigester
    /// The largest number of bytes of a batch whose rows are encoded in advance.
    let packedBytes: Int

    func prepare(_ work: inout ConvertedBatch) {
        for (object, packer, isIdentified, late) in objects {
            // The instances are moved out of the batch meanwhile, so that they are not copied.
            var instances = ObjectInstances(attributeCount: 0, toOneCount: 0)
            swap(&instances, &work.instances[object.index])
            defer { swap(&instances, &work.instances[object.index]) }
            if object.isFoundByAttributes, !object.hasFiles {
                if isIdentified { instances.makeKeys(object, where: work.isRejected, in: work.batch.arena) }
                instances.prepared.digests = instances.keyDigests(digester)
            }
            for position in late {
                let digests = instances.referenceDigests(at: position, in: work.batch.arena, digester)
                instances.prepared.references.append((position, digests))
            }
            if let packer, work.batch.arena.count <= packedBytes {
                packer.pack(&instances, work.batch.arena)
            }
        }
    }
}

extension ObjectInstances {
    /// Removes the keys of records that have been rejected.
    mutating func forgetKeys(where isRejected: [Bool]) {
        let stay = keyed.indices.filter { !isRejected[Int(records[Int(keyed[$0])])] }
        guard stay.count < keyed.count else { return }
        for instance in keyed.map({ Int($0) }) where isRejected[Int(records[instance])] {
            keyEnds[instance] = keyStarts[instance]
        }
        prepared.digests = prepared.digests.map { digests in stay.map { digests[$0] } }
        keyed = stay.map { keyed[$0] }
    }

    /// Returns the digests of the keys that a to-one relationship names, by instance.
    @_optimize(speed)
    fileprivate func referenceDigests(at position: Int, in arena: [UInt8], _ digester: KeyDigester) -> [KeyDigest] {
        var digests: [KeyDigest] = []
        digests.reserveCapacity(count)
        var key: [UInt8] = []
        for instance in 0..<count {
            key.removeAll(keepingCapacity: true)
            _ = KeyBytes.append(toOneCells[instance * toOneCount + position], in: arena, to: &key)
            digests.append(digester.digest(of: key.span))
        }
        return digests
    }

    /// Returns the indices in `keyed` of a range of instances.
    func keyed(in range: Range<Int>) -> Range<Int> {
        if range.count == count { return keyed.indices }
        func index(_ instance: Int) -> Int {
            var (low, high) = (0, keyed.count)
            while low < high {
                let middle = (low + high) / 2
                if keyed[middle] < Int32(instance) { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return index(range.lowerBound)..<index(range.upperBound)
    }

    /// Returns the digests of the keys of the instances that have a key, in order.
    @_optimize(speed)
    func keyDigests(_ digester: KeyDigester) -> [KeyDigest] {
        if let digests = prepared.digests { return digests }
        let arena = keyArena.span
        var digests: [KeyDigest] = []
        digests.reserveCapacity(keyed.count)
        for instance in keyed.lazy.map({ Int($0) }) {
            digests.append(digester.digest(of: arena.extracting(keyStarts[instance]..<keyEnds[instance])))
        }
        return digests
    }
}

/// An encoder of the rows of an object mapping before the keys of their destinations are known.
struct RowPacker {
    let definition: TableDefinition
    /// A row with the values that are the same in all rows, and NULL in the other columns.
    let constants: [ArenaValue]
    /// The columns of attributes, each with its position.
    let attributes: [(column: Int, position: Int)]
    /// The columns whose integers are not known yet, in order.
    let open: [Int]

    func pack(_ instances: inout ObjectInstances, _ arena: [UInt8]) {
        guard let rows = instances.prepared.rows ?? PackedRows(definition, open: open) else { return }
        instances.prepared.rows = rows
        // If a value cannot be encoded, there are no rows, and the error is reported when the row itself is appended.
        try? rows.replace(
            with: constants, attributes, of: instances.cells.span, width: instances.attributeCount,
            count: instances.count, in: arena.span)
    }
}
