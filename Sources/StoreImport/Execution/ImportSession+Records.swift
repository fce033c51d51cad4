import PersistentStores
import RecordSources
import SQLiteAccess

/// The records of a batch: their numbers, and what is stored of them.
extension ImportSession {
    /// Returns the number of a record of a batch, which increases through all files.
    func recordNumber(_ batch: RecordBatch, _ record: Int) -> Int64 {
        recordNumber(behind: batch.start.record, record)
    }

    /// Returns the number of a record of a batch that begins after a number of records of the file.
    func recordNumber(behind start: Int, _ record: Int) -> Int64 {
        RecordNumber.number(ofRecord: start + record + 1, inFile: reading.file)
    }

    /// Returns the name of a file in messages.
    func name(ofFile file: Int) -> String {
        file < tally.report.sources.count ? tally.report.sources[file].name : sources[scope.files[file]].compiled.name
    }

    /// Returns a record by itself, so that it can be written to a file after its batch is discarded. It has no bytes if
    /// they are needed neither for a file nor by the caller.
    func entry(_ number: Int64, _ record: Int, _ batch: RecordBatch) -> PendingRecords.Entry {
        let entry = batch[record]
        var captured = CapturedRecord.bytes([])
        // A resumed import may write files of rejected records although its earlier run did not.
        if rejects != nil || options.onReject != nil || progress != nil {
            captured = reading.rejectSource?.capture(record, of: batch) ?? .bytes(Array(batch.sourceBytes(of: record)))
        }
        return PendingRecords.Entry(
            record: number, file: reading.file, number: batch.start.record + record + 1, line: entry.line,
            byteOffset: entry.sourceLength > 0 ? entry.sourceOffset : -1 - entry.sourceOffset, captured: captured)
    }

    /// Stores the records of a batch whose links may turn out to have no destination, if such records are written to
    /// files.
    func keepWaitingRecords(_ batch: RecordBatch) throws {
        guard rejects != nil else { return }
        for record in batchState.waitingRecords.sorted() where !batchState.isRejected[record] {
            let number = recordNumber(batch, record)
            guard try !(unproven?.records.contains(record: number) ?? false) else { continue }
            try linkStage.absent.append(entry(number, record, batch))
        }
    }
}
