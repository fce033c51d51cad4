import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// Values of the records of a batch that must be unique.
extension RecordAssembler {
    /// Records the records of the rows of some instances of a batch, if the table needs them.
    func noteRecords(
        _ stream: AssembledStream, _ current: ObjectInstances, in range: Range<Int>, _ batch: RecordBatch
    ) throws(BuildError) {
        guard stream.table.numbersRecords else { return }
        for instance in range where current.states[instance] == .inserted {
            try stream.table.note(
                record: session.recordNumber(batch, Int(current.records[instance])), of: current.primaryKeys[instance])
        }
    }

    /// Records the destinations of a batch's objects, for links whose destinations are compared or counted.
    ///
    /// - Parameter waiting: the to-one links whose destinations are found by key later.
    func noteDestinations(
        _ stream: AssembledStream, _ current: ObjectInstances, waiting: [(instance: Int, position: Int)]
    ) throws(BuildError) {
        for (position, link) in stream.links.enumerated()
        where stream.object.toOnes[position].column != nil && stream.table.keepsNamings(of: link) {
            let late = Set(waiting.filter { $0.position == position }.map(\.instance))
            for instance in 0..<current.count where current.states[instance] == .inserted {
                let place = instance * current.toOneCount + position
                guard current.toOnePresent[place], !late.contains(instance) else { continue }
                try stream.table.say(
                    link, of: current.primaryKeys[instance], destination: max(0, current.toOneKeys[place]))
            }
        }
    }

    /// Spools the values of a batch's objects that must be unique.
    ///
    /// - Parameter range: the instances of the objects.
    func noteUniqueValues(
        _ stream: AssembledStream, _ current: ObjectInstances, in range: Range<Int>, _ batch: RecordBatch
    ) throws {
        guard let values = stream.table.uniqueValues, values.hasLists || !stream.unique.isEmpty else { return }
        var note = SpoolEncoder()
        var bytes: [UInt8] = []
        var isLate = false
        // The digests of a whole batch may be known already.
        let digests = range.count == current.count ? current.prepared.digests : nil
        var place = 0
        for instance in range {
            var digest: KeyDigest?
            if current.hasKey(instance) {
                let key = current.keyArena.span.extracting(current.keyStarts[instance]..<current.keyEnds[instance])
                digest = (digests?[place] ?? assembled.digester.digest(of: key))
                    .of(entity: Int64(stream.object.entityNumber))
                place += 1
            }
            guard current.states[instance] == .inserted else { continue }
            let arrival = current.primaryKeys[instance]
            var kept: Int64?
            func keepNote() throws(BuildError) -> Int64 {
                if let kept { return kept }
                let record = Int(current.records[instance])
                SpooledNote.notUnique(
                    session.entry(session.recordNumber(batch, record), record, batch), object: stream.index
                ).encode(into: &note)
                let made = try stream.table.keep(note.bytes.span)
                kept = made
                return made
            }
            for value in stream.unique {
                bytes.removeAll(keepingCapacity: true)
                var (isSaid, isWhole) = (false, true)
                for column in value.columns {
                    let found = column.append(of: instance, current, in: batch.arena, to: &bytes)
                    isSaid = isSaid || found.isSaid
                    isWhole = isWhole && found.hasValue
                }
                guard isWhole else {
                    if isSaid || value.hasLinks, digest != nil { try values.addNull(slot: value.slot, row: arrival) }
                    continue
                }
                try values.add(
                    assembled.digester.digest(of: bytes.span), slot: value.slot, row: arrival, key: digest,
                    isDefault: !isSaid && !value.hasLinks, note: keepNote())
                isLate = true
            }
            if values.hasLists {
                try values.keep(keepNote(), of: arrival)
                isLate = true
            }
        }
        if isLate { forgetTable(of: stream) }
    }

    /// Spools the unique values of an object that is created if no object has its key. The record that refers to it is
    /// rejected if another object has the values, and the object is not created if the record is rejected.
    ///
    /// - Parameters:
    ///   - reservation: the arrival of the object.
    ///   - key: its key.
    ///   - target: the target with the key.
    ///   - position: the position of the relationship, to-ones first.
    ///   - instance: the instance that refers to the object.
    func noteMade(
        _ reservation: Int64, _ key: ReferenceKey, _ target: CompiledKeyTarget, at position: Int, by instance: Int,
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch
    ) throws {
        let table = assembled.destinations[target.resolver].table
        let isCompared =
            table.keepsRecords && table.uniqueValues != nil || table.severalKeys?.hasConstraints ?? false
        try table.note(
            made: reservation, by: (stream.table, current.primaryKeys[instance]),
            of: session.recordNumber(batch, Int(current.records[instance])), isLate: false,
            unique: isCompared ? uniqueValues(key, target, at: position, by: instance, stream, current, batch) : nil)
    }

    /// Returns the values, of an object that is created because a record refers to it, that must be unique and are not
    /// its key; the digest of the key of its entity; and the offset of the note about the record.
    ///
    /// - Parameters:
    ///   - key: its key.
    ///   - target: the target with the key.
    ///   - position: the position of the relationship, to-ones first.
    ///   - instance: the instance that refers to the object.
    func uniqueValues(
        _ key: ReferenceKey, _ target: CompiledKeyTarget, at position: Int, by instance: Int,
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch
    ) throws -> (values: [ListedObject.UniqueValue], key: KeyDigest, note: Int64)? {
        let destination = assembled.destinations[target.resolver]
        let isUnique =
            destination.table.severalKeys?.hasConstraints ?? false
            ? conditions.makesUnique(target)
            : !destination.creation.unique.isEmpty || destination.table.uniqueValues?.hasLists ?? false
        guard isUnique else { return nil }
        let record = Int(current.records[instance])
        var note = SpoolEncoder()
        SpooledNote.unmakable(
            session.entry(session.recordNumber(batch, record), record, batch), object: stream.index,
            position: position, key: key.bytes
        ).encode(into: &note)
        let kept = try destination.table.keep(note.bytes.span)
        var values: [ListedObject.UniqueValue] = []
        var bytes: [UInt8] = []
        for value in destination.creation.unique {
            bytes.removeAll(keepingCapacity: true)
            for column in value.columns { column.append(of: key, to: &bytes) }
            values.append((value.slot, assembled.digester.digest(of: bytes.span)))
        }
        let digest = assembled.digest(of: key, for: destination)
            .of(entity: resolvers[target.resolver].entityNumber)
        return (values, digest, kept)
    }
}

extension CompiledKeyTarget {
    /// Returns why a record is rejected if an object that is created for it has a unique value of another object.
    ///
    /// - Parameters:
    ///   - key: the object's key.
    ///   - violation: SQLite's message.
    func refusal(_ key: [SQLiteValue], _ violation: String) -> RejectionReason {
        RejectionReason(.notUnique(violation), column: sourceName, value: key.first?.blobOrText ?? [])
    }
}
