/// The records of a CSV, TSV or similar file, read in batches with only one window of the file in memory.
public struct DelimitedSource: RecordSource {
    /// The path of the source; `-` for standard input.
    public let name: String
    /// The columns, with the names in the header, or else `column1` and so on.
    public let columns: [SourceColumn]
    /// The encoding, if it was guessed; nil if the caller or a byte order mark specifies it, or if it is UTF-8.
    public let guessedEncoding: TextEncoding?
    /// The dialect of the file, including what was detected.
    public let dialect: DelimitedDialect
    /// The bytes that surround rejected records in a file of their own: the byte order mark and the header.
    public let wrapping: RecordWrapping
    /// The position of the first record, after byte order mark and header.
    public let firstPosition: RecordPosition

    /// Whether the file has neither a header nor a record; valid until the first record is read.
    var isEmpty: Bool {
        !dialect.hasHeader && position == firstPosition && window.isAtEnd && window.count == 0
    }

    var window: TextWindow
    private var scanner: DelimitedScanner
    var position: RecordPosition
    let largestRecord: Int

    /// Opens a source. Reads its first 256 KiB to detect what the options leave open, and its header.
    ///
    /// If a position from an earlier run is given, reading continues there, with the same columns.
    /// - Throws: `SourceError` if the file cannot be read, if an option has an impossible value, if the header is
    ///   malformed, or if the file ends before the position.
    public init(
        _ input: ByteInput, options: DelimitedOptions = DelimitedOptions(), from position: RecordPosition? = nil
    ) throws(SourceError) {
        try options.validate(for: input.name)
        name = input.name
        largestRecord = RecordLimits(bytes: options.largestRecord).bytes
        window = try TextWindow.opening(input, as: options.encoding)
        try window.fill(toHold: DialectSniffer.sampleBytes)
        let mark = window.sourceOffset > 0 ? window.encoding.mark : []
        let isGuessed = options.encoding == nil && mark.isEmpty && !window.encoding.isUTF8
        guessedEncoding = isGuessed ? window.encoding : nil
        var options = options
        if options.skippedLines == 0, let delimiter = DelimitedSource.separatorLine(of: window) {
            options.skippedLines = 1
            options.delimiter = options.delimiter ?? String(UnicodeScalar(delimiter))
        }
        let skipped = try DelimitedSource.skipLines(options.skippedLines, &window, limit: largestRecord)
        try window.fill(toHold: DialectSniffer.sampleBytes)
        let found = DialectSniffer(window, options: options).sniff()
        dialect = found.dialect

        var prefix = mark + skipped.bytes
        var start = RecordPosition(byteOffset: window.sourceOffset, line: 1 + skipped.count, record: 0)
        if found.dialect.hasHeader {
            let header = try DelimitedSource.readHeader(&window, dialect: found.dialect, limit: largestRecord)
            columns = header.names.map { SourceColumn(name: $0) }
            prefix += header.bytes
            start = RecordPosition(byteOffset: window.sourceOffset, line: header.nextLine + skipped.count, record: 0)
        } else {
            columns = (0..<found.columnCount).map { SourceColumn(name: "column\($0 + 1)") }
        }
        scanner = DelimitedScanner(found.dialect, columnCount: columns.count)
        firstPosition = start
        wrapping = RecordWrapping(
            prefix: prefix, terminator: window.encoding.encoded(ascii: found.terminator),
            fileExtension: found.dialect.delimiter == [0x09] ? "tsv" : "csv")
        if let position, position.byteOffset > start.byteOffset {
            guard try window.skip(toSourceOffset: position.byteOffset) else {
                throw SourceError(.positionBeyondEnd, in: input.name, line: position.line, at: position.byteOffset)
            }
            start = position
        }
        self.position = start
    }

    /// Fills a batch with the next records; returns false and an empty batch at the end of the source.
    /// - Throws: `SourceError` if the file cannot be read.
    public mutating func next(into batch: inout RecordBatch) throws -> Bool {
        try next(into: &batch, passingBefore: 0)
    }

    /// Fills a batch. If the batch begins before an offset in the source, only its place must be correct.
    /// - Throws: `SourceError` if the file cannot be read.
    public mutating func next(into batch: inout RecordBatch, passingBefore offset: Int) throws -> Bool {
        var isPassing = window.sourceOffset < offset && !window.isTranscoded && scanner.canPass
        batch.removeAll()
        batch.start = position
        batch.end = position
        batch.original = window.isTranscoded ? [] : nil
        let rowLimit = batch.limits.rows(ofColumns: columns.count)
        if batch.entries.count < rowLimit {
            batch.entries = [RecordEntry](repeating: .empty, count: rowLimit)
        }
        if batch.fields.isEmpty {
            batch.fields = [RecordField](repeating: .missing, count: rowLimit * max(1, columns.count) + 16)
        }
        // The limit applies to the bytes of the records, not to the bytes of their values. So all readers of a source
        // divide it into the same batches, wherever the windows end.
        var passed = 0
        reading: while batch.count < rowLimit, passed < batch.limits.bytes {
            let start = window.start
            let limit = batch.limits.bytes - passed
            let outcome: DelimitedScanner.Outcome
            if isPassing, let found = passWindow(into: &batch, byteLimit: limit, rowLimit: rowLimit) {
                outcome = found
            } else {
                // If there are lines to skip, the batch begins after them.
                if batch.count == 0 { isPassing = false }
                outcome = scanWindow(into: &batch, byteLimit: limit, rowLimit: rowLimit)
                try take(outcome, into: &batch)
            }
            passed += outcome.position - start
            // Empty lines and comments do not count as part of a batch. A batch without records would mean the end of
            // the source.
            if batch.count == 0, passed >= batch.limits.bytes {
                forgetPassedBytes(of: &batch)
                passed = 0
            }
            switch outcome.stop {
            case .full:
                continue
            case .needsFields:
                batch.fields.append(contentsOf: [RecordField](repeating: .missing, count: batch.fields.count))
            case .needsBytes:
                if window.isAtEnd { break reading }
                guard window.count < largestRecord else {
                    try passOverLargeRecord(into: &batch)
                    break reading
                }
                try window.fill()
            }
        }
        position.record += batch.count
        batch.end = position
        return batch.count > 0
    }

    /// Lets a batch begin after bytes that are not records.
    private func forgetPassedBytes(of batch: inout RecordBatch) {
        batch.end = position
        batch.removeAll()
        batch.original = window.isTranscoded ? [] : nil
    }

    /// Skips the records of a batch that was not requested; returns nil if they must be scanned.
    private mutating func passWindow(
        into batch: inout RecordBatch, byteLimit: Int, rowLimit: Int
    ) -> DelimitedScanner.Outcome? {
        let found = window.bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.flatMap { base in
                scanner.pass(
                    DelimitedScanner.Text(
                        base: base, start: window.start, end: window.end, isLast: window.isAtEnd, line: position.line,
                        sourceOffset: window.sourceOffset, arenaStart: 0),
                    byteLimit: byteLimit, rowLimit: rowLimit - batch.count)
            }
        }
        guard let (outcome, records) = found else { return nil }
        if batch.count == 0, records > 0 {
            batch.entries[0] = RecordEntry(
                firstField: 0, fieldCount: 0, arenaStart: 0, arenaLength: 0, line: position.line,
                sourceOffset: window.sourceOffset)
        }
        batch.count += records
        window.advance(by: outcome.position - window.start)
        position.byteOffset = window.sourceOffset
        position.line = outcome.line
        return outcome
    }

    private mutating func scanWindow(
        into batch: inout RecordBatch, byteLimit: Int, rowLimit: Int
    ) -> DelimitedScanner.Outcome {
        // The arrays are moved out of the batch during the scan, so that each can be borrowed separately.
        var fields: [RecordField] = []
        var entries: [RecordEntry] = []
        swap(&fields, &batch.fields)
        swap(&entries, &batch.entries)
        var fieldCount = batch.fieldCount
        var entryCount = batch.count
        let arenaStart = batch.arena.count
        scanner.reset()
        let outcome = window.bytes.withUnsafeBufferPointer { bytes in
            fields.withUnsafeMutableBufferPointer { fields in
                entries.withUnsafeMutableBufferPointer { entries in
                    guard let base = bytes.baseAddress else {
                        return DelimitedScanner.Outcome(stop: .needsBytes, position: window.start, line: position.line)
                    }
                    let text = DelimitedScanner.Text(
                        base: base, start: window.start, end: window.end, isLast: window.isAtEnd, line: position.line,
                        sourceOffset: window.sourceOffset, arenaStart: arenaStart)
                    return scanner.scan(
                        text, byteLimit: byteLimit, fields: fields, fieldCount: &fieldCount,
                        entries: UnsafeMutableBufferPointer(rebasing: entries[..<rowLimit]), entryCount: &entryCount)
                }
            }
        }
        swap(&fields, &batch.fields)
        swap(&entries, &batch.entries)
        batch.fieldCount = fieldCount
        batch.pendingCount = entryCount
        return outcome
    }

    /// Copies the bytes that a scan has covered into the batch, with the unescaped values and the problems.
    private mutating func take(
        _ outcome: DelimitedScanner.Outcome, into batch: inout RecordBatch
    ) throws(SourceError) {
        let length = outcome.position - window.start
        guard length > 0 else { return }
        let arenaStart = batch.arena.count
        let firstRecord = batch.count
        batch.count = batch.pendingCount
        batch.arena.append(contentsOf: window.bytes[window.start..<outcome.position])
        let unescapedStart = batch.arena.count
        batch.arena.append(contentsOf: scanner.unescaped)
        for index in scanner.unescapedFields {
            let field = batch.fields[index]
            batch.fields[index] = RecordField(field.kind, start: field.start + unescapedStart, length: field.length)
        }
        for (record, problem) in scanner.problems { batch.reject(record, for: problem) }
        batch.rejectUndecodable(arenaStart..<arenaStart + length, from: firstRecord)
        if length > largestRecord { try rejectLargeRecords(from: firstRecord, of: &batch) }
        if window.isTranscoded {
            measure(length, from: firstRecord, arenaStart: arenaStart, into: &batch)
        } else {
            window.advance(by: length)
        }
        position.byteOffset = window.sourceOffset
        position.line = outcome.line
    }

    /// Replaces the offsets in decoded bytes with offsets in the source.
    private mutating func measure(
        _ length: Int, from firstRecord: Int, arenaStart: Int, into batch: inout RecordBatch
    ) {
        var passed = arenaStart
        var sourceCount = 0
        for record in firstRecord..<batch.count {
            let range = batch.entries[record].arenaRange
            sourceCount += window.advance(by: range.lowerBound - passed)
            batch.entries[record].sourceOffset = window.sourceOffset
            let count = window.advance(by: range.count)
            batch.entries[record].sourceLength = UInt32(truncatingIfNeeded: count)
            sourceCount += count
            passed = range.upperBound
        }
        sourceCount += window.advance(by: arenaStart + length - passed)
        batch.original?.append(contentsOf: window.passedBytes(sourceCount))
    }
}
