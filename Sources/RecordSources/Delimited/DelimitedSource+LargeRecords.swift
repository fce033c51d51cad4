/// Records that exceed the size limit: they are rejected, and never completely in memory.
extension DelimitedSource {
    /// Skips the record at the start of the window.
    ///
    /// - Throws: `SourceError` if a quote in it is never closed, because the rest of the source would then belong to
    ///   the record.
    mutating func passOverLargeRecord(into batch: inout RecordBatch) throws(SourceError) {
        let start = position
        var skipping = DelimitedSkipping(dialect)
        var byteCount = 0
        while true {
            let end = skipping.advance(window.bytes, from: window.start, to: window.end)
            let count = (end ?? window.end) - window.start
            byteCount += count
            window.advance(by: count)
            if end != nil { break }
            guard !window.isAtEnd else {
                guard skipping.isInQuotes, let line = skipping.openQuoteLine else { break }
                throw SourceError(.unclosedQuote, in: name, line: start.line + line)
            }
            try window.fill()
        }
        position.byteOffset = window.sourceOffset
        position.line = start.line + skipping.lines
        batch.appendLargeRecord(
            RecordProblem(tooLarge: byteCount, limit: largestRecord, line: start.line),
            sourceRange: start.byteOffset..<window.sourceOffset)
    }

    /// Rejects the scanned records that exceed the size limit although the window contained them.
    ///
    /// - Throws: `SourceError`, as for records that are skipped.
    func rejectLargeRecords(from firstRecord: Int, of batch: inout RecordBatch) throws(SourceError) {
        for record in firstRecord..<batch.count where Int(batch.entries[record].arenaLength) > largestRecord {
            let entry = batch.entries[record]
            if let problem = batch.problem(of: record), problem.code == .unclosedQuote {
                throw SourceError(.unclosedQuote, in: name, line: problem.line)
            }
            batch.reject(
                record,
                for: RecordProblem(tooLarge: Int(entry.arenaLength), limit: largestRecord, line: entry.line),
                insteadOfOthers: true)
        }
    }
}
