import PersistentStores
import RecordSources
import SQLiteFileBuilder
import StoreAssembly

/// Objects of a batch whose links are counted after all objects have been added.
extension RecordAssembler {
    /// Records the rows of a batch in a table whose links are counted.
    func noteCounted(_ stream: AssembledStream, _ current: ObjectInstances, _ batch: RecordBatch) throws {
        var note = SpoolEncoder()
        for instance in 0..<current.count where current.states[instance] == .inserted {
            let record = Int(current.records[instance])
            let number = session.recordNumber(batch, record)
            SpooledNote.counted(session.entry(number, record, batch), object: stream.index).encode(into: &note)
            try stream.table.note(counted: note.bytes.span, of: number, row: current.primaryKeys[instance])
        }
    }
}
