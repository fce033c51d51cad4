import PersistentStores
import RecordSources
import SQLiteAccess

/// The records of a batch: their numbers, and what is kept of them.
extension ImportSession {
    /// A number for a record that grows through all files.
    func recordNumber(_ batch: RecordBatch, _ record: Int) -> Int64 {
        recordNumber(behind: batch.start.record, record)
    }

    /// The number of a record of a batch that begins behind some records of the file.
    func recordNumber(behind start: Int, _ record: Int) -> Int64 {
        RecordNumber.number(ofRecord: start + record + 1, inFile: reading.file)
    }

    /// What messages call a file.
    func name(ofFile file: Int) -> String {
        file < tally.report.sources.count ? tally.report.sources[file].name : sources[scope.files[file]].compiled.name
    }

    /// A record by itself, so that it can be written to a file when its batch is gone; without its bytes where neither
    /// a file nor a caller is to get them.
    func entry(_ number: Int64, _ record: Int, _ batch: RecordBatch) -> PendingRecords.Entry {
        let entry = batch[record]
        var captured = CapturedRecord.bytes([])
        // An import that goes on may write files of rejected records though its first part does not.
        if rejects != nil || options.onReject != nil || progress != nil {
            captured = reading.rejectSource?.capture(record, of: batch) ?? .bytes(Array(batch.sourceBytes(of: record)))
        }
        return PendingRecords.Entry(
            record: number, file: reading.file, number: batch.start.record + record + 1, line: entry.line,
            byteOffset: entry.sourceLength > 0 ? entry.sourceOffset : -1 - entry.sourceOffset, captured: captured)
    }

    /// Keeps the records of a batch whose links may turn out to lead nowhere, where they are to be written then.
    func keepWaitingRecords(_ batch: RecordBatch) throws {
        guard rejects != nil else { return }
        for record in batchState.waitingRecords.sorted() where !batchState.isRejected[record] {
            let number = recordNumber(batch, record)
            guard try !(unproven?.records.contains(record: number) ?? false) else { continue }
            try linkStage.absent.append(entry(number, record, batch))
        }
    }
}
