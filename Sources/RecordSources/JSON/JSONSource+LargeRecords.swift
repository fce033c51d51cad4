/// Records that exceed the size limit: they are rejected, and never completely in memory.
extension JSONSource {
    /// Skips the line at the start of the window.
    mutating func passOverLargeLine(into batch: inout RecordBatch) throws {
        let start = position
        var byteCount = 0
        while true {
            let end = window.bytes[window.start..<window.end].firstIndex(of: 0x0A)
            let count = (end ?? window.end) - window.start
            byteCount += count
            window.advance(by: count)
            if end != nil || window.isAtEnd { break }
            try window.fill()
        }
        appendLargeRecord(from: start, byteCount: byteCount, into: &batch)
    }

    /// Skips a value that begins at an offset from the start of the window, where its record begins, and after a number
    /// of line feeds.
    ///
    /// - Throws: `SourceError` if the value is never closed, because the rest of the source would then belong to it.
    mutating func passOverLargeValue(from valueStart: Int, lines: Int, into batch: inout RecordBatch) throws {
        let start = position
        var skipping = JSONSkipping()
        var byteCount = valueStart
        window.advance(by: valueStart)
        while true {
            let end = skipping.advance(window.bytes.span, from: window.start, to: window.end)
            let count = (end ?? window.end) - window.start
            byteCount += count
            window.advance(by: count)
            if end != nil { break }
            guard !window.isAtEnd else {
                guard skipping.isOpen else { break }
                throw SourceError(.unclosedValue, in: name, line: start.line + lines, at: start.byteOffset)
            }
            try window.fill()
        }
        position.line += lines + skipping.lines
        appendLargeRecord(from: start, byteCount: byteCount, into: &batch)
    }

    private mutating func appendLargeRecord(from start: RecordPosition, byteCount: Int, into batch: inout RecordBatch) {
        position.byteOffset = window.sourceOffset
        position.record += 1
        batch.appendLargeRecord(
            RecordProblem(tooLarge: byteCount, limit: options.limits.bytes, line: start.line),
            sourceRange: start.byteOffset..<window.sourceOffset)
        isBehindRecord = layout == .array
        endsBatch = true
    }
}
