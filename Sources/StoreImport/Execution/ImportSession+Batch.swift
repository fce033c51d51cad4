import RecordSources
import SQLiteAccess

/// The import of one batch: its records are converted, their objects are written, and the objects are linked.
extension ImportSession {
    func importBatch(
        _ work: inout ConvertedBatch, of source: SourceImport, name: String, report: inout ImportReport.SourceReport
    ) throws {
        // The instances are moved out of the batch, so that they are not copied, and are moved back to be filled again.
        for entity in source.entities { swap(&entity.instances, &work.instances[entity.index]) }
        swap(&batchState.isRejected, &work.isRejected)
        defer {
            for entity in source.entities { swap(&entity.instances, &work.instances[entity.index]) }
            swap(&batchState.isRejected, &work.isRejected)
        }
        batchState.begin()
        report.records += Int64(work.batch.count)
        report.filtered += work.filtered
        for refusal in work.refusals {
            batchState.isRejected[refusal.record] = false
            try reject(refusal.record, of: work.batch, name, &report, refusal.reason)
        }
        do {
            if let assembler {
                try assembler.assemble(source, &work.batch, name, &report)
            } else if source.compiled.needsReplay || source.rejectsMatchesLate {
                try batchWriter.writeUntilAccepted(source, &work.batch, name, &report)
            } else {
                try batchWriter.write(source, &work.batch, name, &report)
            }
        } catch {
            // The rejected records may be the reason for the error.
            try? writeRefused(of: &work.batch, source, isFailing: true)
            throw error
        }
        try noteMirrored(source, &work.batch)
        try noteRefused(source, &work.batch)
        try noteSkipped(source, &work.batch)
        try writeRefused(of: &work.batch, source)
        note(work.roundings, of: work.batch, name)
    }

    /// Counts the decimals of which the store does not keep all digits; the first ones are findings.
    private func note(_ roundings: [ConvertedBatch.Rounding], of batch: RecordBatch, _ name: String) {
        for rounding in roundings where !batchState.isRejected[rounding.record] {
            tally.report.roundedDecimals += 1
            guard tally.report.roundedDecimals <= ImportReport.shownRoundings else { continue }
            tally.report.findings.append(
                "\(StreamInput.title(of: name)):\(batch[rounding.record].line): \(rounding.entity).\(rounding.attribute): "
                    + "the decimal has more digits than a store keeps, and is rounded")
        }
    }

    /// Rejects a record as a whole: everything that it changed in this batch is undone.
    ///
    /// - Parameter rivals: records that have a unique value of its object, and may be rejected when all records are
    ///   read.
    func reject(
        _ record: Int, of batch: RecordBatch, _ name: String, _ report: inout ImportReport.SourceReport,
        _ reason: RejectionReason, rivals: [Int64] = []
    ) throws {
        guard !batchState.isRejected[record] else { return }
        batchState.isRejected[record] = true
        guard batchState.late == nil else {
            batchState.late?.append(record, reason, rivals: rivals)
            return
        }
        report.rejected += 1
        batchState.rejected.append(record)
        if !rivals.isEmpty { return try batchWriter.postpone(rivals, of: record, batch, reason) }
        let entry = batch[record]
        var rejection = RecordRejection(
            source: name, line: entry.line, byteOffset: entry.sourceOffset, reasons: [reason])
        if case .unreadable(let problem) = reason.fault { rejection.line = problem.line }
        batchState.refused.append((record, rejection))
    }
}
