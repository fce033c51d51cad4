/// Finds the end of a delimited record of any size, in pieces, without holding it: fields and quotes alone.
struct DelimitedSkipping {
    private enum State {
        case fieldStart, unquoted, quoted
        /// Behind a quote inside a quoted field: it may be the first of two.
        case quoteSeen
        /// Behind a closing quote and space.
        case quotedEnd
    }

    private let dialect: DelimitedDialect
    private var state = State.fieldStart
    private var isEscaped = false
    /// How many bytes of a delimiter are matched.
    private var matched = 0
    /// Whether the last byte is a CR that ends the record: a LF behind it belongs to it.
    private var isBehindReturn = false

    /// How many line ends were passed.
    private(set) var lines = 0
    /// The number of line ends before the quote that opened last; nil if none is open.
    private(set) var openQuoteLine: Int?

    init(_ dialect: DelimitedDialect) {
        self.dialect = dialect
    }

    /// Goes on in a piece of the text; the offset behind the record, or nil if it goes on behind the piece.
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

    /// Takes one byte; whether it ends the record.
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

    /// Takes a byte outside of quotes.
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

    /// Whether a quote is open, which nothing closes where the source ends here.
    var isInQuotes: Bool { state == .quoted }
}
