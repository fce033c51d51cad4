extension DelimitedScanner {
    /// Whether the ends of records can be found without finding their fields, as `pass` does.
    var canPass: Bool {
        dialect.delimiter.count == 1 && dialect.escape == nil && dialect.comment == nil
            && (dialect.quote == nil || !dialect.skipsSpaceBeforeQuote)
    }

    /// Skips the records that a scan of the same text would find, without finding their fields. This is several times
    /// as fast.
    ///
    /// - Parameters:
    ///   - byteLimit: the number of bytes to skip, as for a scan.
    ///   - rowLimit: the largest number of records to skip.
    /// - Returns: where the scan would end, and how many records it would find; nil if a scan is required because of
    ///   empty lines or misplaced quotes.
    func pass(_ text: Text, byteLimit: Int, rowLimit: Int) -> (outcome: Outcome, records: Int)? {
        let base = text.base
        let end = text.end
        let isLast = text.isLast
        let delimiter = dialect.delimiter[0]
        let newline = dialect.newline
        let hasQuote = dialect.quote != nil
        let quote = dialect.quote ?? 0
        let doublesQuotes = dialect.doublesQuotes
        var cursor = StructuralCursor(base, from: text.start, to: end, patterns: endPatterns)
        var outcome = Outcome(position: text.start, line: text.line)
        var line = text.line
        var recordStart = text.start
        var records = 0

        records: while records < rowLimit && recordStart &- text.start < byteLimit {
            outcome.stop = .needsBytes
            guard recordStart < end else { break }
            if base[recordStart] == 0x0A || base[recordStart] == 0x0D { return nil }
            var recordEnd = end
            ends: while true {
                let place = cursor.next()
                guard place < end else {
                    guard isLast else { break records }
                    break
                }
                let byte = base[place]
                if hasQuote && byte == quote {
                    // A quote elsewhere is an ordinary byte.
                    guard place == recordStart || base[place &- 1] == delimiter else { continue }
                    quoted: while true {
                        let close = cursor.next()
                        guard close < end else {
                            if isLast { return nil }
                            break records
                        }
                        let inner = base[close]
                        let next = close &+ 1
                        if inner == quote {
                            guard next < end else {
                                if isLast { break quoted }
                                break records
                            }
                            let following = base[next]
                            if doublesQuotes && following == quote {
                                cursor.pass(next)
                                continue
                            }
                            let endsField =
                                following == delimiter || (following == 0x0A && newline != .carriageReturn)
                                || (following == 0x0D && newline != .lineFeed)
                            guard endsField else { return nil }
                            break quoted
                        }
                        if inner == 0x0A || next >= end || base[next] != 0x0A { line &+= 1 }
                    }
                    continue
                }
                recordEnd = place &+ 1
                if byte == 0x0D && newline == .any {
                    if recordEnd >= end && !isLast { break records }
                    if recordEnd < end && base[recordEnd] == 0x0A {
                        cursor.pass(recordEnd)
                        recordEnd &+= 1
                    }
                }
                break ends
            }
            records &+= 1
            line &+= 1
            recordStart = recordEnd
            outcome.position = recordEnd
            outcome.line = line
            outcome.stop = .full
        }
        return (outcome, records)
    }
}
