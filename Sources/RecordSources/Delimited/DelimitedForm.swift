/// The form of a delimited source's records, from which their fields can be found again if they are stored without
/// them.
package final class DelimitedForm: Codable, Sendable {
    private let delimiter: [UInt8]
    private let quote: UInt8?
    private let escape: UInt8?
    private let doublesQuotes: Bool
    private let newline: DelimitedDialect.Newline
    private let strayQuotes: DelimitedDialect.StrayQuotes
    private let emptyLines: DelimitedDialect.EmptyLines
    private let comment: UInt8?
    private let skipsSpaceBeforeQuote: Bool
    private let allowsShortRecords: Bool
    private let allowsLongRecords: Bool
    private let columnCount: Int

    /// Returns nil if the number of columns of the source is not known.
    package init?(of source: DelimitedSource) {
        guard !source.columns.isEmpty else { return nil }
        let dialect = source.dialect
        delimiter = dialect.delimiter
        quote = dialect.quote
        escape = dialect.escape
        doublesQuotes = dialect.doublesQuotes
        newline = dialect.newline
        strayQuotes = dialect.strayQuotes
        emptyLines = dialect.emptyLines
        comment = dialect.comment
        skipsSpaceBeforeQuote = dialect.skipsSpaceBeforeQuote
        allowsShortRecords = dialect.allowsShortRecords
        allowsLongRecords = dialect.allowsLongRecords
        columnCount = source.columns.count
    }

    fileprivate var scanner: DelimitedScanner {
        var dialect = DelimitedDialect(quote: quote, escape: escape)
        dialect.delimiter = delimiter
        dialect.doublesQuotes = doublesQuotes
        dialect.newline = newline
        dialect.strayQuotes = strayQuotes
        dialect.emptyLines = emptyLines
        dialect.comment = comment
        dialect.skipsSpaceBeforeQuote = skipsSpaceBeforeQuote
        dialect.allowsShortRecords = allowsShortRecords
        dialect.allowsLongRecords = allowsLongRecords
        return DelimitedScanner(dialect, columnCount: columnCount)
    }
}

extension RecordBatch {
    /// Finds the fields of records of which only the bytes are stored.
    ///
    /// - Returns: false if the bytes are not records of this form with the expected number of fields; the records have
    ///   no fields then.
    package mutating func scanFields(_ form: DelimitedForm) -> Bool {
        var scanner = form.scanner
        var found = [RecordField](repeating: .missing, count: 1 << 10)
        // Unescaped values are appended after these bytes.
        let storedBytes = arena.count
        let bytes = arena + [UInt8](repeating: 0, count: TextWindow.padding)
        var end = 0
        for record in 0..<count {
            let entry = entries[record]
            guard entry.arenaRange.upperBound <= storedBytes, entry.isReadable,
                let next = scanner.scanRecord(entry, bytes, into: &found, from: end),
                next - end == Int(entry.fieldCount)
            else {
                for record in 0..<count { entries[record].fieldCount = 0 }
                return false
            }
            let base = arena.count
            arena += scanner.unescaped
            for index in scanner.unescapedFields {
                let field = found[index]
                found[index] = RecordField(field.kind, start: field.start + base, length: field.length)
            }
            entries[record].firstField = UInt32(truncatingIfNeeded: end)
            end = next
        }
        fields = found
        fieldCount = end
        return true
    }
}

extension DelimitedScanner {
    /// Finds the fields of a single record, behind which there are `TextWindow.padding` bytes at least.
    ///
    /// - Returns: the index after the last field; nil if the bytes are not exactly one valid record.
    fileprivate mutating func scanRecord(
        _ entry: RecordEntry, _ bytes: [UInt8], into fields: inout [RecordField], from first: Int
    ) -> Int? {
        precondition(
            entry.arenaRange.upperBound + TextWindow.padding <= bytes.count, "the scanner reads behind a record's end")
        while true {
            reset()
            var (end, count) = (first, 0)
            var entries = [RecordEntry.empty]
            let range = entry.arenaRange
            let outcome = bytes.withUnsafeBufferPointer { bytes in
                fields.withUnsafeMutableBufferPointer { fields in
                    entries.withUnsafeMutableBufferPointer { entries -> Outcome? in
                        guard let base = bytes.baseAddress else { return nil }
                        let text = Text(
                            base: base, start: range.lowerBound, end: range.upperBound, isLast: true, line: entry.line,
                            sourceOffset: 0, arenaStart: range.lowerBound)
                        return scan(
                            text, byteLimit: max(1, range.count), fields: fields, fieldCount: &end, entries: entries,
                            entryCount: &count)
                    }
                }
            }
            guard let outcome else { return nil }
            if outcome.stop == .needsFields {
                fields += repeatElement(.missing, count: fields.count)
                continue
            }
            guard count == 1, outcome.position == range.upperBound, problems.isEmpty else { return nil }
            return end
        }
    }
}
