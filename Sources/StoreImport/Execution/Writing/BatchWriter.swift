import PersistentStores
import RecordSources
import SQLiteAccess

/// The writer of batches that uses SQLite: it finds existing objects, creates the others, and links them
/// (docs/format/importing.md#batches).
///
/// It writes to existing stores, and to new ones that cannot be assembled.
final class BatchWriter: SessionStage {
    /// Writes a batch without the records that are refused while it is written, as if they had not existed.
    func writeUntilAccepted(
        _ source: SourceImport, _ batch: inout RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        let converted = source.entities.map(\.instances)
        var rejectedBefore = batchState.isRejected
        while true {
            let checkpoint = BatchCheckpoint(session)
            try connection.execute("SAVEPOINT ferry_batch")
            batchState.late = LateRejections()
            defer { batchState.late = nil }
            try write(source, &batch, name, &report)
            guard let rejections = batchState.late?.confirmed(), !rejections.isEmpty else {
                return try connection.execute("RELEASE ferry_batch")
            }
            try connection.execute("ROLLBACK TO ferry_batch; RELEASE ferry_batch")
            checkpoint.restore(session)
            for entity in source.entities { entity.instances = converted[entity.index] }
            batchState.isRejected = rejectedBefore
            batchState.late = nil
            for entry in rejections {
                try session.reject(entry.record, of: batch, name, &report, entry.rejection, rivals: entry.rivals)
            }
            rejectedBefore = batchState.isRejected
        }
    }

    func write(
        _ source: SourceImport, _ batch: inout RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport
    ) throws {
        batchState.beginWriting()
        for entity in source.entities {
            noteOpenLists(entity, batch)
            try session.convertSourceKeys(entity, &batch, name, &report)
        }
        for entity in source.entitiesAsWritten {
            batchState.late?.beginPhase()
            try write(entity, &batch, name, &report)
            try session.noteSourceKeys(entity, batch)
        }
        batchState.late?.beginPhase()
        for entity in source.entities { try noteOpenMakers(entity, batch) }
        for entity in source.entities { try link(entity, &batch, name, &report) }
        try settle(source, batch)
        try rejectMatches(of: source, &batch, name, &report)
        try noteNamedToOnes(source, &batch)
        try session.keepWaitingRecords(batch)
    }
}
