import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// A key by which references find objects of a table, and which records may change, with the origins of its parts in
/// one mapping.
struct ChangingKey {
    let keys: KeySpace
    let parts: [UniqueColumns.Origin]
}

/// Keys by which references find objects and which records may change.
extension RecordAssembler {
    /// Returns the moment at which the objects of a record are written, or at which the destination of a relationship
    /// is looked up.
    ///
    /// - Parameters:
    ///   - stream: the stream of the objects.
    ///   - batch: the batch of the record.
    ///   - record: the index of the record in the batch.
    ///   - position: the position of a to-one relationship, whose destination is looked up before the objects are
    ///     written; nil for the objects.
    func moment(
        _ stream: AssembledStream, _ batch: RecordBatch, _ record: Int, at position: Int? = nil
    ) -> RecordMoment {
        RecordMoment(record: session.recordNumber(batch, record), phase: stream.phase, link: position)
    }

    /// Spools the values of a batch's objects for such keys, and for the keys of their table if there are several.
    func noteKeys(
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch
    ) throws {
        for key in stream.changing {
            try forEachPart(key.parts, current, batch) { (instance, part, digest, isDefault) throws(BuildError) in
                try key.keys.say(
                    digest, isDefault: isDefault, part: part, of: current.primaryKeys[instance],
                    at: moment(stream, batch, Int(current.records[instance])))
            }
        }
        guard let keys = stream.table.severalKeys else { return }
        try forEachPart(stream.keyParts, current, batch) { (instance, part, digest, isDefault) throws(BuildError) in
            try keys.say(
                digest, isDefault: isDefault, part: part, of: current.primaryKeys[instance], entity: stream.keyEntity,
                at: moment(stream, batch, Int(current.records[instance])))
        }
        guard keys.hasConstraints, conditions.mayBeRefused(stream.object) else { return }
        var note = SpoolEncoder()
        for instance in 0..<current.count where current.states[instance] == .inserted {
            let record = Int(current.records[instance])
            SpooledNote.notUnique(
                session.entry(session.recordNumber(batch, record), record, batch), object: stream.index
            ).encode(into: &note)
            try keys.note(stream.table.keep(note.bytes.span), of: current.primaryKeys[instance])
        }
        forgetTable(of: stream)
    }

    /// Calls a closure with each part of the keys of a batch's objects.
    ///
    /// - Parameter body: called with the instance, the number of the part, the digest of its value or of the default,
    ///   which is nil for NULL, and whether the record has no value.
    private func forEachPart(
        _ parts: [UniqueColumns.Origin], _ current: ObjectInstances, _ batch: RecordBatch,
        _ body: (_ instance: Int, _ part: Int, _ digest: KeyDigest?, _ isDefault: Bool) throws(BuildError) -> Void
    ) throws(BuildError) {
        var bytes: [UInt8] = []
        for instance in 0..<current.count where current.states[instance] == .inserted {
            for (part, origin) in parts.enumerated() {
                bytes.removeAll(keepingCapacity: true)
                let (isSaid, hasValue) = origin.append(of: instance, current, in: batch.arena, to: &bytes)
                try body(instance, part, hasValue ? assembled.digester.digest(of: bytes.span) : nil, !isSaid)
            }
        }
    }

    /// Spools the values for such keys of an object that is created because a record refers to it.
    func noteKeys(
        made arrival: Int64, of key: ReferenceKey, at reference: RecordMoment, _ destination: ObjectAssembly.Destination
    ) throws(BuildError) {
        // Later look-ups find the object.
        let moment = reference.next
        for (part, said) in keyParts(of: key, destination).enumerated() {
            try destination.table.severalKeys?.say(
                said.digest, isDefault: said.isDefault, part: part, of: arrival, entity: destination.creation.entity,
                at: moment)
        }
        for changing in destination.changing {
            for (part, origin) in changing.parts.enumerated() {
                try changing.keys.say(digest(of: key, origin), isDefault: true, part: part, of: arrival, at: moment)
            }
        }
    }

    /// What an object that is created by a key says of the parts of the keys of its table; nothing if these are not
    /// several.
    func keyParts(of key: ReferenceKey, _ destination: ObjectAssembly.Destination) -> [ListedObject.Part] {
        guard destination.table.severalKeys != nil else { return [] }
        return destination.keyParts.map { origin in
            let isValue = if case .attribute = origin { true } else { false }
            return (digest(of: key, origin), !isValue)
        }
    }

    private func digest(of key: ReferenceKey, _ origin: UniqueColumns.Origin) -> KeyDigest? {
        var bytes: [UInt8] = []
        origin.append(of: key, to: &bytes)
        return bytes.isEmpty ? nil : assembled.digester.digest(of: bytes.span)
    }
}
