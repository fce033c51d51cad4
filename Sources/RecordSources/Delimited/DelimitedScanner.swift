/// Finds the fields and records of a delimited text: bytes in, offsets out.
///
/// It has no state between two calls but the number of columns: a record that is not whole is scanned again when more
/// bytes are there, so that it cannot matter where the chunks of a source are cut.
package struct DelimitedScanner {
    let dialect: DelimitedDialect
    let patterns: StructuralCursor.Patterns
    /// Those without the delimiter: where only the ends of records are looked for.
    let endPatterns: StructuralCursor.Patterns
    /// How many fields a record must have; 0 until the first record tells.
    var columnCount: Int

    /// The values that had to be unescaped, one after the other.
    var unescaped: [UInt8] = []
    /// The fields whose values lie in `unescaped`, in order; their `start` is an offset there.
    var unescapedFields: [Int] = []
    /// What is wrong with records of this scan.
    var problems: [(record: Int, problem: RecordProblem)] = []

    /// The most fields of one record that are kept: what SQLite allows columns.
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

    /// Why a scan ended.
    enum Stop: Equatable {
        /// The rows or bytes asked for are there.
        case full
        /// The text ends before the record does, or before another one begins.
        case needsBytes
        /// There is no room for the fields of the next record.
        case needsFields
    }

    /// Where a scan ended.
    struct Outcome {
        var stop = Stop.full
        /// The offset of the first byte that belongs to no record of the scan.
        var position: Int
        /// The line of that byte.
        var line: Int
        /// Where a quote opened that the text does not close.
        var openQuote: (offset: Int, line: Int)?
    }

    /// Forgets what the last scan found beside the fields.
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

    /// Adds the value of a field with escapes in it, and returns the field that stands for it for now.
    @inline(never)
    mutating func unescape(
        _ text: Text, _ range: Range<Int>, kind: RecordField.Kind, field: Int
    ) -> RecordField {
        let start = unescaped.count
        let bytes = UnsafeBufferPointer(start: text.base, count: text.end)
        // A `\N` by itself is a token for NULL in files with escapes, not a letter N.
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

    /// Takes back what was unescaped for a record that is not whole.
    mutating func forgetUnescaped(from firstField: Int, in fields: UnsafeMutableBufferPointer<RecordField>) {
        while let last = unescapedFields.last, last >= firstField {
            unescaped.removeLast(unescaped.count - fields[last].start)
            unescapedFields.removeLast()
        }
    }

    /// Compares a record's fields with the columns.
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
