import ManagedObjectModels
import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// Values of the records of a batch that no two objects may share.
extension RecordAssembler {
    /// Notes which records the rows of a batch are of, where that matters.
    func noteRecords(_ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch) throws(BuildError) {
        guard stream.table.numbersRecords else { return }
        for instance in 0..<current.count where current.states[instance] == .inserted {
            try stream.table.note(
                record: session.recordNumber(batch, Int(current.records[instance])), of: current.primaryKeys[instance])
        }
    }

    /// Spools the values of a batch's objects that no two may share.
    func noteUniqueValues(
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch
    ) throws {
        guard !stream.constraints.isEmpty else { return }
        let digests = current.keyDigests(assembled.digester)
        var note = SpoolEncoder()
        var value: [UInt8] = []
        var place = 0
        var isLate = false
        for instance in 0..<current.count {
            let hasKey = place < current.keyed.count && current.keyed[place] == Int32(instance)
            if hasKey { place += 1 }
            guard current.states[instance] == .inserted else { continue }
            var key: KeyDigest?
            if hasKey {
                key = digests[place - 1].of(entity: Int64(stream.object.entityNumber))
            }
            let arrival = current.primaryKeys[instance]
            var kept: Int64?
            for (values, attributes) in stream.constraints {
                guard attributes.allSatisfy({ current.isPresent(instance, $0) }) else { continue }
                value.removeAll(keepingCapacity: true)
                let isWhole = attributes.allSatisfy {
                    KeyBytes.append(current.cell(instance, $0), in: batch.arena, to: &value)
                }
                guard isWhole else {
                    if key != nil { try values.addNull(row: arrival) }
                    continue
                }
                if kept == nil {
                    let record = Int(current.records[instance])
                    SpooledNote.notUnique(
                        session.entry(session.recordNumber(batch, record), record, batch), object: stream.index
                    ).encode(into: &note)
                    kept = try stream.table.keep(note.bytes.span)
                }
                try values.add(assembled.digester.digest(of: value.span), row: arrival, key: key, note: kept ?? 0)
                isLate = true
            }
        }
        if isLate { forgetTable(of: stream) }
    }
}
