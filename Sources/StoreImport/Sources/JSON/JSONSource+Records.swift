extension JSONSource {
    /// Goes to the next record over what stands between two; false at the end of the records.
    mutating func skipToRecord(_ batch: inout RecordBatch) throws -> Bool {
        var needsComma = isBehindRecord
        while true {
            var index = window.start
            var lines = 0
            var stop: UInt8?
            while index < window.end {
                let byte = window.bytes[index]
                if let isLineFeed = JSONParser.isSpace(byte) {
                    if isLineFeed { lines += 1 }
                } else if byte == 0x1E && layout != .array {
                    // A record separator of RFC 7464.
                } else if byte == UInt8(ascii: ",") && needsComma {
                    needsComma = false
                } else {
                    stop = byte
                    break
                }
                index += 1
            }
            _ = advance(&window, by: index - window.start, into: &batch)
            position.line += lines
            position.byteOffset = window.sourceOffset
            if let stop {
                guard layout == .array else { return true }
                if stop == UInt8(ascii: "]") && (needsComma || !isBehindRecord) {
                    try finishArray(&batch)
                    return false
                }
                guard !needsComma else { throw failure("expected ',' or ']' after the record before") }
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

    /// Behind the array nothing follows, unless it lies inside an object: what that has is no record.
    private mutating func finishArray(_ batch: inout RecordBatch) throws {
        isFinished = true
        guard options.recordPath == nil else { return }
        _ = advance(&window, by: 1, into: &batch)
        while true {
            while window.count > 0, let isLineFeed = JSONParser.isSpace(window.bytes[window.start]) {
                _ = advance(&window, by: 1, into: &batch)
                if isLineFeed { position.line += 1 }
            }
            position.byteOffset = window.sourceOffset
            if window.count > 0 { throw failure("expected nothing after the array of records") }
            if window.isAtEnd { return }
            try window.fill()
        }
    }

    /// Reads the line that begins at the window's start: a whole value, or a record with a problem.
    mutating func readLine(into batch: inout RecordBatch) throws {
        var searched = window.start
        while true {
            if let lineFeed = window.bytes[searched..<window.end].firstIndex(of: 0x0A) {
                parseLine(window.start..<lineFeed, into: &batch)
                return
            }
            if window.isAtEnd {
                parseLine(window.start..<window.end, into: &batch)
                return
            }
            let unsearched = window.count
            try fillForRecord()
            searched = window.start + unsearched
        }
    }

    private mutating func parseLine(_ line: Range<Int>, into batch: inout RecordBatch) {
        let firstNode = batch.nodes.count
        let placement = JSONParser.Placement(toArena: batch.arena.count - line.lowerBound)
        let outcome = parse(line, isLast: true, placement: placement, into: &batch)
        var problem: RecordProblem?
        switch outcome {
        case .value(let end):
            // A record separator may close a line, too.
            let rest = window.bytes[end..<line.upperBound].firstIndex { JSONParser.isSpace($0) == nil && $0 != 0x1E }
            if let rest {
                problem = RecordProblem(.malformed, offset: rest - line.lowerBound, line: position.line)
            }
        case .failure(let code, let offset):
            problem = RecordProblem(code, offset: offset - line.lowerBound, line: position.line)
        case .needsBytes:
            problem = RecordProblem(.malformed, offset: line.count, line: position.line)
        }
        append(line, firstNode: firstNode, problem: problem, lines: 0, into: &batch)
    }

    /// Reads the value that begins at the window's start; after a problem the next one is found by brackets alone.
    mutating func readValue(into batch: inout RecordBatch) throws {
        while true {
            let firstNode = batch.nodes.count
            let placement = JSONParser.Placement(toArena: batch.arena.count - window.start)
            let outcome = parse(
                window.start..<window.end, isLast: window.isAtEnd, placement: placement, into: &batch)
            switch outcome {
            case .value(let end):
                append(
                    window.start..<end, firstNode: firstNode, problem: nil, lines: parser.lines, into: &batch)
                return
            case .needsBytes:
                batch.nodes.removeLast(batch.nodes.count - firstNode)
                try fillForRecord()
            case .failure(let code, let offset):
                let problem = RecordProblem(code, offset: offset - window.start, line: position.line + parser.lines)
                try passOver(problem, firstNode: firstNode, into: &batch)
                return
            }
        }
    }

    /// Takes over a record that is not well-formed, up to where its brackets close.
    private mutating func passOver(_ problem: RecordProblem, firstNode: Int, into batch: inout RecordBatch) throws {
        var skipping = JSONSkipping()
        var searched = 0
        while true {
            let end = skipping.advance(window.bytes.span, from: window.start + searched, to: window.end)
            if let end {
                let isEmpty = end == window.start
                if isEmpty { throw failure("expected a record") }
                append(
                    window.start..<end, firstNode: firstNode, problem: problem, lines: skipping.lines, into: &batch)
                return
            }
            if window.isAtEnd {
                append(
                    window.start..<window.end, firstNode: firstNode, problem: problem, lines: skipping.lines,
                    into: &batch)
                if layout == .array { isFinished = true }
                return
            }
            searched = window.count
            try fillForRecord()
        }
    }

    private mutating func parse(
        _ range: Range<Int>, isLast: Bool, placement: JSONParser.Placement, into batch: inout RecordBatch
    ) -> JSONParser.Outcome {
        // Held by itself, so that the parser can change while it reads.
        let bytes = window.bytes
        return parser.parse(
            bytes.span, from: range.lowerBound, to: range.upperBound, isLast: isLast, placement: placement,
            into: &batch.nodes)
    }

    private mutating func fillForRecord() throws {
        guard window.count < options.limits.bytes else {
            throw SourceError(
                .recordTooLarge(limit: options.limits.bytes), in: name, line: position.line, at: position.byteOffset)
        }
        try window.fill()
    }
}
