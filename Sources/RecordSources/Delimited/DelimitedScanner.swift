/// Finds the fields and records of a delimited text: it takes bytes and returns offsets.
///
/// Apart from the number of columns, it keeps no state between two calls. An incomplete record is scanned again when
/// more bytes have been read, so the result does not depend on how the source is divided into chunks.
package struct DelimitedScanner {
    let dialect: DelimitedDialect
    let patterns: StructuralCursor.Patterns
    /// The patterns without the delimiter, for finding only the ends of records.
    let endPatterns: StructuralCursor.Patterns
    /// The number of fields that a record must have; 0 until the first record has been read.
    var columnCount: Int

    /// The unescaped values, one after the other.
    var unescaped: [UInt8] = []
    /// The fields whose values are in `unescaped`, in order; their `start` is an offset in it.
    var unescapedFields: [Int] = []
    /// The problems of the records in this scan.
    var problems: [(record: Int, problem: RecordProblem)] = []

    /// The largest number of fields of a record that are kept: SQLite's limit for columns.
    package static let largestFieldCount = 32_767

    init(_ dialect: DelimitedDialect, columnCount: Int = 0) {
        self.dialect = dialect
        self.columnCount = columnCount
        var bytes = [dialect.delimiter.first ?? 0x2C]
        if let quote = dialect.quote { bytes.append(quote) }
        if let escape = dialect.escape { bytes.append(escape) }
        if dialect.newline != .carriageReturn { bytes.append(0x0A) }
        if dialect.newline != .lineFeed { bytes.append(0x0D) }
        patterns = StructuralCursor.Patterns(bytes)
        endPatterns = StructuralCursor.Patterns(Array(bytes.dropFirst()))
    }

    /// The reason why a scan ended.
    enum Stop: Equatable {
        /// The requested number of rows or bytes was reached.
        case full
        /// The text ends within a record, or before the next record.
        case needsBytes
        /// There is no room for the fields of the next record.
        case needsFields
    }

    /// The place where a scan ended.
    struct Outcome {
        var stop = Stop.full
        /// The offset of the first byte that belongs to no scanned record.
        var position: Int
        /// The line of this byte.
        var line: Int
        /// The place of an opening quote that is not closed in the text.
        var openQuote: (offset: Int, line: Int)?
    }

    /// Removes the results of the last scan except the fields.
    mutating func reset() {
        unescaped.removeAll(keepingCapacity: true)
        unescapedFields.removeAll(keepingCapacity: true)
        problems.removeAll(keepingCapacity: true)
    }

    /// Whether an empty line is skipped.
    var skipsEmptyLines: Bool {
        switch dialect.emptyLines {
        case .automatic: columnCount != 1
        case .skip: true
        case .keep: false
        }
    }

    /// Adds the value of a field with escapes, and returns a temporary field that refers to it.
    @inline(never)
    mutating func unescape(
        _ text: Text, _ range: Range<Int>, kind: RecordField.Kind, field: Int
    ) -> RecordField {
        let start = unescaped.count
        let bytes = UnsafeBufferPointer(start: text.base, count: text.end)
        // In files with escapes, a `\N` by itself is a token for NULL, not the letter N.
        let isToken = kind == .text && range.count == 2 && bytes[range.upperBound - 1] == UInt8(ascii: "N")
        var runStart = range.lowerBound
        var index = range.lowerBound
        while index < range.upperBound && !isToken {
            let byte = bytes[index]
            if byte == dialect.escape, index + 1 < range.upperBound {
                unescaped.append(contentsOf: bytes[runStart..<index])
                runStart = index + 1
                index += 2
            } else if kind == .quoted, byte == dialect.quote, dialect.doublesQuotes, index + 1 < range.upperBound,
                bytes[index + 1] == byte
            {
                unescaped.append(contentsOf: bytes[runStart...index])
                runStart = index + 2
                index += 2
            } else {
                index += 1
            }
        }
        unescaped.append(contentsOf: bytes[min(runStart, range.upperBound)..<range.upperBound])
        unescapedFields.append(field)
        return RecordField(kind, start: start, length: unescaped.count - start)
    }

    /// Removes the unescaped values of an incomplete record.
    mutating func forgetUnescaped(from firstField: Int, in fields: UnsafeMutableBufferPointer<RecordField>) {
        while let last = unescapedFields.last, last >= firstField {
            unescaped.removeLast(unescaped.count - fields[last].start)
            unescapedFields.removeLast()
        }
    }

    /// Compares the number of a record's fields with the number of columns.
    @inline(never)
    mutating func checkFieldCount(_ found: Int, record: Int, line: Int) {
        if columnCount == 0 {
            columnCount = found
        } else if found < columnCount && !dialect.allowsShortRecords {
            problems.append((record, RecordProblem(.tooFewFields, line: line, fieldCount: found)))
        } else if found > columnCount && !dialect.allowsLongRecords {
            problems.append((record, RecordProblem(.tooManyFields, line: line, fieldCount: found)))
        }
    }
}
