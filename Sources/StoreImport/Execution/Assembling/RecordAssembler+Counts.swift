import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// Objects of a batch whose links are counted when all are there.
extension RecordAssembler {
    /// Notes the rows of a batch, and what they say of to-ones, of a table whose links are counted.
    ///
    /// - Parameter waiting: the to-ones whose destinations are found by key.
    func noteCounted(
        _ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch,
        waiting: [(instance: Int, position: Int)]
    ) throws {
        var note = SpoolEncoder()
        for instance in 0..<current.count where current.states[instance] == .inserted {
            let record = Int(current.records[instance])
            let number = session.recordNumber(batch, record)
            SpooledNote.counted(session.entry(number, record, batch), object: stream.index).encode(into: &note)
            try stream.table.note(counted: note.bytes.span, of: number, row: current.primaryKeys[instance])
        }
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
}
