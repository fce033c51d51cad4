import RecordSources
import SQLiteAccess

/// One batch: convert all records, write their objects, link them.
extension ImportSession {
    func importBatch(
        _ work: inout ConvertedBatch, of source: SourceImport, name: String, report: inout ImportReport.SourceReport
    ) throws {
        // Taken out of the batch, so that neither is copied, and given back to be filled again.
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
            // What was rejected may be why.
            try? writeRefused(of: &work.batch, source, isFailing: true)
            throw error
        }
        try noteMirrored(source, &work.batch)
        try noteRefused(source, &work.batch)
        try noteSkipped(source, &work.batch)
        try writeRefused(of: &work.batch, source)
        note(work.roundings, of: work.batch, name)
    }

    /// Counts the decimals of which the store does not have all digits; the first ones are findings.
    private func note(_ roundings: [ConvertedBatch.Rounding], of batch: RecordBatch, _ name: String) {
        for rounding in roundings where !batchState.isRejected[rounding.record] {
            tally.report.roundedDecimals += 1
            guard tally.report.roundedDecimals <= ImportReport.shownRoundings else { continue }
            tally.report.findings.append(
                "\(StreamInput.title(of: name)):\(batch[rounding.record].line): \(rounding.entity).\(rounding.attribute): "
                    + "the decimal has more digits than a store keeps, and is rounded")
        }
    }

    /// Rejects a record whole: what it made in this batch is undone.
    ///
    /// - Parameter rivals: records that have a value of its object, and may be rejected when all are read.
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
