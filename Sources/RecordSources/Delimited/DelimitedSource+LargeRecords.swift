/// Records that are larger than one may be: they are rejected, and never held as a whole.
extension DelimitedSource {
    /// Skips the record that begins at the window's start.
    ///
    /// - Throws: where a quote in it is never closed, so that it would hold all the rest of the source.
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

    /// Rejects the records of a scan that are too large although the window held them.
    ///
    /// - Throws: as for those that are skipped.
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
