extension JSONSource {
    /// Moves to the next record, skipping the text between two records; returns false after the last record.
    mutating func skipToRecord(_ batch: inout RecordBatch) throws -> Bool {
        var needsComma = isBehindRecord
        while true {
            var index = window.start
            var lines = 0
            var stop: UInt8?
            while index < window.end {
                let byte = window.bytes[index]
                let isLineFeed = layout == .array ? JSONParser.isSpace(byte) : Self.isBetweenLines(byte)
                if let isLineFeed {
                    if isLineFeed { lines += 1 }
                } else if byte == UInt8(ascii: ",") && needsComma {
                    needsComma = false
                } else {
                    stop = byte
                    break
                }
                index += 1
            }
            _ = Self.advance(&window, by: index - window.start, into: &batch)
            position.line += lines
            position.byteOffset = window.sourceOffset
            if let stop {
                guard layout == .array else { return true }
                if stop == UInt8(ascii: hasMembers ? "}" : "]") && (needsComma || !isBehindRecord) {
                    try finishArray(&batch)
                    return false
                }
                guard !needsComma else {
                    throw failure("expected ',' or '\(hasMembers ? "}" : "]")' after the record before")
                }
                return true
            }
            if window.isAtEnd && window.count == 0 {
                guard layout != .array else { throw failure("the array of records is not closed") }
                isFinished = true
                return false
            }
            try window.fill()
        }
    }

    /// Checks that nothing follows the array, unless it is inside an object, whose other members are not records.
    private mutating func finishArray(_ batch: inout RecordBatch) throws {
        isFinished = true
        guard options.recordPath == nil else { return }
        _ = Self.advance(&window, by: 1, into: &batch)
        while true {
            while window.count > 0, let isLineFeed = JSONParser.isSpace(window.bytes[window.start]) {
                _ = Self.advance(&window, by: 1, into: &batch)
                if isLineFeed { position.line += 1 }
            }
            position.byteOffset = window.sourceOffset
            if window.count > 0 { throw failure("expected nothing after the array of records") }
            if window.isAtEnd { return }
            try window.fill()
        }
    }

    /// Reads the line at the start of the window: a complete value, or a record with a problem.
    mutating func readLine(into batch: inout RecordBatch) throws {
        var searched = window.start
        while true {
            if let lineFeed = JSONByteSearch.lineFeed(window.bytes.span, from: searched, to: window.end) {
                parseLine(window.start..<lineFeed, into: &batch)
                return
            }
            if window.isAtEnd {
                parseLine(window.start..<window.end, into: &batch)
                return
            }
            if window.count >= options.limits.bytes { return try passOverLargeLine(into: &batch) }
            let unsearched = window.count
            try window.fill()
            searched = window.start + unsearched
        }
    }

    private mutating func parseLine(_ line: Range<Int>, into batch: inout RecordBatch) {
        let firstNode = batch.nodes.count
        let problem = Self.parse(line: line, of: window.bytes, with: &parser, at: position.line, into: &batch)
        append(line, firstNode: firstNode, problem: problem, lines: 0, into: &batch)
    }

    /// Reads the complete lines in the window, until the batch is full or a line needs more of the source. The window
    /// must contain original bytes.
    ///
    /// The window is moved once for all of the lines; moving it for each record would take longer than copying the
    /// values.
    mutating func readLines(into batch: inout RecordBatch) {
        let bytes = window.bytes
        let builder = builder
        var place = position
        var index = window.start
        let end = window.end
        let sourceStart = window.sourceOffset - index
        while !batch.isFull {
            while index < end, let isLineFeed = Self.isBetweenLines(bytes[index]) {
                if isLineFeed { place.line += 1 }
                index += 1
            }
            guard let lineFeed = JSONByteSearch.lineFeed(bytes.span, from: index, to: end) else { break }
            let line = index..<lineFeed
            place.byteOffset = sourceStart + index
            let firstNode = batch.nodes.count
            let problem = Self.parse(line: line, of: bytes, with: &parser, at: place.line, into: &batch)
            builder.add(
                bytes.span.extracting(line), firstNode: firstNode, unescaped: parser.unescaped, problem: problem,
                at: place, to: &batch)
            index = lineFeed
            place.record += 1
        }
        window.advance(by: index - window.start)
        place.byteOffset = window.sourceOffset
        position = place
    }

    /// Returns whether a byte between two lines is a line feed; nil if it belongs to a record.
    @inline(__always)
    private static func isBetweenLines(_ byte: UInt8) -> Bool? {
        // A record separator of RFC 7464 is also allowed.
        byte == 0x1E ? false : JSONParser.isSpace(byte)
    }

    /// Parses a line; returns its problem, or nil.
    @inline(__always)
    private static func parse(
        line: Range<Int>, of bytes: [UInt8], with parser: inout JSONParser, at lineNumber: Int,
        into batch: inout RecordBatch
    ) -> RecordProblem? {
        let text = bytes.span
        let placement = JSONParser.Placement(toArena: batch.arena.count - line.lowerBound)
        let outcome = parser.parse(
            text, from: line.lowerBound, to: line.upperBound, isLast: true, placement: placement, into: &batch.nodes)
        switch outcome {
        case .value(let end):
            // A record separator may also end a line.
            for index in end..<line.upperBound where isBetweenLines(text[index]) == nil {
                return RecordProblem(.malformed, offset: index - line.lowerBound, line: lineNumber)
            }
            return nil
        case .failure(let code, let offset):
            return RecordProblem(code, offset: offset - line.lowerBound, line: lineNumber)
        case .needsBytes:
            return RecordProblem(.malformed, offset: line.count, line: lineNumber)
        }
    }

    /// Reads the value at the start of the window. After a problem, the next value is found by counting brackets.
    mutating func readValue(into batch: inout RecordBatch) throws {
        while true {
            let firstNode = batch.nodes.count
            let placement = JSONParser.Placement(toArena: batch.arena.count - window.start)
            var member = (key: [UInt8]?.none, valueStart: window.start, lines: 0)
            if hasMembers {
                guard let found = try memberKey() else {
                    try fillForRecord()
                    continue
                }
                member = found
            }
            let outcome = parse(
                member.valueStart..<window.end, isLast: window.isAtEnd, placement: placement, into: &batch)
            switch outcome {
            case .value(let end):
                append(
                    window.start..<end, firstNode: firstNode, problem: nil, lines: member.lines + parser.lines,
                    key: member.key, into: &batch)
                return
            case .needsBytes:
                batch.nodes.removeLast(batch.nodes.count - firstNode)
                if window.count >= options.limits.bytes {
                    return try passOverLargeValue(
                        from: member.valueStart - window.start, lines: member.lines, into: &batch)
                }
                try window.fill()
            case .failure(let code, let offset):
                let problem = RecordProblem(
                    code, offset: offset - window.start, line: position.line + member.lines + parser.lines)
                try passOver(
                    problem, firstNode: firstNode, from: member.valueStart - window.start, lines: member.lines,
                    into: &batch)
                return
            }
        }
    }

    /// Returns the key of the member at the start of the window, the offset of its value, and the number of line feeds
    /// between them.
    ///
    /// - Returns: nil if more bytes are needed.
    /// - Throws: `SourceError` if there is no key, because the meaning of what follows is then uncertain.
    private mutating func memberKey() throws -> (key: [UInt8]?, valueStart: Int, lines: Int)? {
        guard window.bytes[window.start] == UInt8(ascii: "\"") else { throw failure("expected a key in quotes") }
        let bytes = window.bytes
        parser.unescaped.removeAll(keepingCapacity: true)
        let scalar = parser.string(
            bytes.span, at: window.start, to: window.end, isLast: window.isAtEnd,
            placement: JSONParser.Placement(toArena: 0))
        guard case .string(let field, var index) = scalar else {
            if scalar.outcome == .needsBytes, !window.isAtEnd { return nil }
            throw failure("expected a key in quotes")
        }
        let isPlain = field.start < JSONParser.Placement.unescapedBase
        let key = isPlain ? Array(bytes[field.range]) : parser.unescaped
        var lines = 0
        var hasColon = false
        while index < window.end {
            let byte = bytes[index]
            if let isLineFeed = JSONParser.isSpace(byte) {
                if isLineFeed { lines += 1 }
            } else if byte == UInt8(ascii: ":"), !hasColon {
                hasColon = true
            } else if hasColon {
                return (key, index, lines)
            } else {
                break
            }
            index += 1
        }
        guard index == window.end, !window.isAtEnd else { throw failure("expected ':' and a value after a key") }
        return nil
    }

    /// Adds a record that is not well-formed, and skips it up to its last closing bracket.
    ///
    /// - Parameters:
    ///   - start: the offset of its value from the start of the window.
    ///   - lines: the number of line feeds before the value.
    private mutating func passOver(
        _ problem: RecordProblem, firstNode: Int, from start: Int, lines: Int, into batch: inout RecordBatch
    ) throws {
        var skipping = JSONSkipping()
        var searched = start
        while true {
            let end = skipping.advance(window.bytes.span, from: window.start + searched, to: window.end)
            if let end {
                let isEmpty = end == window.start + start
                if isEmpty { throw failure("expected a record") }
                append(
                    window.start..<end, firstNode: firstNode, problem: problem, lines: lines + skipping.lines,
                    into: &batch)
                return
            }
            if window.isAtEnd {
                if skipping.isOpen, window.count > options.limits.bytes {
                    throw SourceError(
                        .unclosedValue, in: name, line: position.line + lines, at: position.byteOffset)
                }
                let unclosed = RecordProblem(.unclosedValue, line: position.line)
                append(
                    window.start..<window.end, firstNode: firstNode, problem: skipping.isOpen ? unclosed : problem,
                    lines: lines + skipping.lines, into: &batch)
                if layout == .array { isFinished = true }
                return
            }
            if window.count >= options.limits.bytes {
                batch.nodes.removeLast(batch.nodes.count - firstNode)
                return try passOverLargeValue(from: start, lines: lines, into: &batch)
            }
            searched = window.count
            try window.fill()
        }
    }

    private mutating func parse(
        _ range: Range<Int>, isLast: Bool, placement: JSONParser.Placement, into batch: inout RecordBatch
    ) -> JSONParser.Outcome {
        Self.parse(&parser, window, range, isLast: isLast, placement: placement, into: &batch.nodes)
    }

    /// Takes parser and window separately, so that the parser can be modified, and the window is not retained for each
    /// record.
    @inline(__always)
    private static func parse(
        _ parser: inout JSONParser, _ window: borrowing TextWindow, _ range: Range<Int>, isLast: Bool,
        placement: JSONParser.Placement, into nodes: inout [RecordNode]
    ) -> JSONParser.Outcome {
        parser.parse(
            window.bytes.span, from: range.lowerBound, to: range.upperBound, isLast: isLast, placement: placement,
            into: &nodes)
    }

    private mutating func fillForRecord() throws {
        guard window.count < options.limits.bytes else {
            throw SourceError(
                .recordTooLarge(limit: options.limits.bytes), in: name, line: position.line, at: position.byteOffset)
        }
        try window.fill()
    }
}
