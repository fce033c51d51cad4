import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// A key by which references find objects of a table and which records may change, and what one mapping says of its parts.
struct ChangingKey {
    let keys: KeySpace
    let parts: [UniqueColumns.Origin]
}

/// Keys by which references find objects and which records may change.
extension RecordAssembler {
    /// Returns when the objects of a record are written.
    ///
    /// - Parameter position: the position of a to-one; its destination is looked for before the objects are written. nil for
    ///   the objects.
    func moment(
        _ stream: AssembledStream, _ batch: RecordBatch, _ record: Int, at position: Int? = nil
    ) -> RecordMoment {
        RecordMoment(record: session.recordNumber(batch, record), phase: stream.phase, link: position)
    }

    /// Spools what the objects of a batch have of such keys.
    func noteChanging(
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch
    ) throws(BuildError) {
        var bytes: [UInt8] = []
        for key in stream.changing {
            for instance in 0..<current.count where current.states[instance] == .inserted {
                let moment = moment(stream, batch, Int(current.records[instance]))
                let arrival = current.primaryKeys[instance]
                for (part, origin) in key.parts.enumerated() {
                    bytes.removeAll(keepingCapacity: true)
                    let (isSaid, hasValue) = origin.append(of: instance, current, in: batch.arena, to: &bytes)
                    let digest = hasValue ? assembled.digester.digest(of: bytes.span) : nil
                    if isSaid {
                        try key.keys.say(value: digest, part: part, of: arrival, at: moment)
                    } else {
                        try key.keys.say(byDefault: digest, part: part, of: arrival, at: moment)
                    }
                }
            }
        }
    }

    /// Spools what the objects of a batch have of the keys of their table, if these are several.
    func noteSeveral(
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch
    ) throws(BuildError) {
        guard let keys = stream.table.severalKeys else { return }
        var bytes: [UInt8] = []
        for instance in 0..<current.count where current.states[instance] == .inserted {
            for (part, origin) in stream.keyParts.enumerated() {
                bytes.removeAll(keepingCapacity: true)
                let (isSaid, hasValue) = origin.append(of: instance, current, in: batch.arena, to: &bytes)
                try keys.say(
                    hasValue ? assembled.digester.digest(of: bytes.span) : nil, isDefault: !isSaid, part: part,
                    of: current.primaryKeys[instance], entity: stream.keyEntity,
                    at: moment(stream, batch, Int(current.records[instance])))
            }
        }
    }

    /// Spools what an object has of such keys that is created because a record refers to it.
    func noteChanging(
        made arrival: Int64, of key: ReferenceKey, at reference: RecordMoment, _ destination: ObjectAssembly.Destination
    ) throws(BuildError) {
        // Those that come next find it.
        let moment = reference.next
        for (part, origin) in destination.keyParts.enumerated() {
            var bytes: [UInt8] = []
            origin.append(of: key, to: &bytes)
            let isValue = if case .attribute = origin { true } else { false }
            try destination.table.severalKeys?.say(
                bytes.isEmpty ? nil : assembled.digester.digest(of: bytes.span), isDefault: !isValue, part: part,
                of: arrival, entity: destination.creation.entity, at: moment)
        }
        for changing in destination.changing {
            for (part, origin) in changing.parts.enumerated() {
                var bytes: [UInt8] = []
                origin.append(of: key, to: &bytes)
                let digest = bytes.isEmpty ? nil : assembled.digester.digest(of: bytes.span)
                try changing.keys.say(byDefault: digest, part: part, of: arrival, at: moment)
            }
        }
    }
}
