import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// What is made ready of the objects of a batch while its records are converted, for a store that is assembled.
struct PreparedInstances {
    /// The rows, but for the keys of destinations; others than there are instances where they are not encoded.
    var rows: PackedRows?
    /// The digests of the instances that have a key, in order; nil if the keys are not made.
    var digests: [KeyDigest]?
    /// By position of a to-one, those of the keys that the instances name; of no meaning where they are not converted.
    var references: [(position: Int, digests: [KeyDigest])] = []

    mutating func removeAll() {
        rows?.removeAll()
        digests = nil
        references = []
    }
}

/// Does what it can for a store that is assembled with the batches of one source, on the thread that converts them.
struct BatchPreparation {
    /// By object mapping, what encodes the rows, nil if they are not encoded before they are written; whether it matters which
    /// objects have the same key; and the positions of to-ones whose destinations come later.
    let objects: [(object: CompiledObject, packer: RowPacker?, isIdentified: Bool, late: [Int])]
    let digester: KeyDigester
    /// Bytes of a batch whose rows are encoded beside it.
    let packedBytes: Int

    func prepare(_ work: inout ConvertedBatch) {
        for (object, packer, isIdentified, late) in objects {
            // Taken out of the batch meanwhile, so that it is not copied.
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
    /// Forgets the keys of records that turned out to be rejected.
    mutating func forgetKeys(where isRejected: [Bool]) {
        let stay = keyed.indices.filter { !isRejected[Int(records[Int(keyed[$0])])] }
        guard stay.count < keyed.count else { return }
        for instance in keyed.map({ Int($0) }) where isRejected[Int(records[instance])] {
            keyEnds[instance] = keyStarts[instance]
        }
        prepared.digests = prepared.digests.map { digests in stay.map { digests[$0] } }
        keyed = stay.map { keyed[$0] }
    }

    /// The digests of the keys that a to-one names, by instance.
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

    /// The indices in `keyed` of some instances.
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

    /// The digests of the keys of those that have one, in order.
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

/// Encodes the rows of an object mapping before the keys of their destinations are known.
struct RowPacker {
    let definition: TableDefinition
    /// A row with the cells that are the same in all, NULL for the others.
    let constants: [ArenaValue]
    /// The columns of attributes, each with its position.
    let attributes: [(column: Int, position: Int)]
    /// The columns whose integers are not known yet, in order.
    let open: [Int]

    func pack(_ instances: inout ObjectInstances, _ arena: [UInt8]) {
        guard let rows = instances.prepared.rows ?? PackedRows(definition, open: open) else { return }
        instances.prepared.rows = rows
        // Where a value cannot be encoded there are no rows: it is an error when its own is appended.
        try? rows.replace(
            with: constants, attributes, of: instances.cells.span, width: instances.attributeCount,
            count: instances.count, in: arena.span)
    }
}
