/// Finds the end of a delimited record of any size piece by piece, without keeping it in memory. It only looks at
/// fields and quotes.
struct DelimitedSkipping {
    private enum State {
        case fieldStart, unquoted, quoted
        /// After a quote inside a quoted field, which may be the first of two.
        case quoteSeen
        /// After a closing quote and spaces.
        case quotedEnd
    }

    private let dialect: DelimitedDialect
    private var state = State.fieldStart
    private var isEscaped = false
    /// The number of bytes of a delimiter that have matched so far.
    private var matched = 0
    /// Whether the last byte is a CR that ends the record, to which a following LF belongs.
    private var isBehindReturn = false

    /// The number of line ends that were skipped.
    private(set) var lines = 0
    /// The number of line ends before the last opening quote; nil if no quote is open.
    private(set) var openQuoteLine: Int?

    init(_ dialect: DelimitedDialect) {
        self.dialect = dialect
    }

    /// Continues in a piece of the text; returns the offset after the record, or nil if the record continues after the
    /// piece.
    mutating func advance(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        for index in start..<end {
            let byte = bytes[index]
            if isBehindReturn { return byte == 0x0A ? index + 1 : index }
            if pass(byte) {
                lines += 1
                if byte == 0x0A || dialect.newline == .carriageReturn { return index + 1 }
                isBehindReturn = true
            } else if byte == 0x0A {
                lines += 1
            }
        }
        return nil
    }

    /// Processes a byte; returns whether it ends the record.
    private mutating func pass(_ byte: UInt8) -> Bool {
        if isEscaped {
            isEscaped = false
            return false
        }
        if byte == dialect.escape, byte != dialect.quote {
            isEscaped = true
            if state == .fieldStart { state = .unquoted }
            return false
        }
        switch state {
        case .quoted:
            if byte == dialect.quote { state = .quoteSeen }
            return false
        case .fieldStart:
            if byte == dialect.quote, matched == 0 {
                state = .quoted
                openQuoteLine = lines
                return false
            }
            if byte == 0x20, dialect.skipsSpaceBeforeQuote { return false }
            state = .unquoted
        case .quoteSeen, .quotedEnd:
            if state == .quoteSeen, byte == dialect.quote, dialect.doublesQuotes {
                state = .quoted
                return false
            }
            if byte == 0x20 || byte == 0x09, dialect.strayQuotes != .reject {
                state = .quotedEnd
                return false
            }
            let isEnd = byte == dialect.delimiter.first || byte == 0x0A || byte == 0x0D
            if !isEnd, dialect.strayQuotes == .literal {
                state = .quoted
                return false
            }
            openQuoteLine = nil
            state = .unquoted
        case .unquoted: break
        }
        return endsRecord(byte)
    }

    /// Processes a byte outside of quotes; returns whether it ends the record.
    private mutating func endsRecord(_ byte: UInt8) -> Bool {
        if byte == dialect.delimiter[matched] {
            matched += 1
            if matched == dialect.delimiter.count {
                matched = 0
                state = .fieldStart
            }
            return false
        }
        matched = byte == dialect.delimiter[0] ? 1 : 0
        switch dialect.newline {
        case .lineFeed: return byte == 0x0A
        case .carriageReturn: return byte == 0x0D
        case .any: return byte == 0x0A || byte == 0x0D
        }
    }

    /// Whether a quote is open; if the source ends here, it is never closed.
    var isInQuotes: Bool { state == .quoted }
}
