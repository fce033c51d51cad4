extension DelimitedSource {
    /// The contents of a file's header, and the original bytes of the header and of all lines before it.
    struct Header {
        var names: [String]
        var bytes: [UInt8]
        var nextLine: Int
    }

    /// Reads the first record as column names, and skips it.
    static func readHeader(
        _ window: inout TextWindow, dialect: DelimitedDialect, limit: Int
    ) throws(SourceError) -> Header {
        var dialect = dialect
        dialect.emptyLines = .skip
        var scanner = DelimitedScanner(dialect)
        var fields = [RecordField](repeating: .missing, count: 1024)
        while true {
            scanner.reset()
            var entries = [RecordEntry.empty]
            var fieldCount = 0
            var entryCount = 0
            let outcome = scanner.scanWhole(
                window, fields: &fields, fieldCount: &fieldCount, entries: &entries, entryCount: &entryCount)
            if entryCount == 1 {
                return try header(
                    entries[0], fields[..<fieldCount], scanner: scanner, window: &window, end: outcome)
            }
            switch outcome.stop {
            case .needsFields:
                fields.append(contentsOf: [RecordField](repeating: .missing, count: fields.count))
            case .needsBytes, .full:
                guard !window.isAtEnd else { throw SourceError(.missingHeader, in: window.input.name) }
                guard window.count < limit else {
                    throw SourceError(.recordTooLarge(limit: limit), in: window.input.name, line: outcome.line)
                }
                try window.fill()
            }
        }
    }

    private static func header(
        _ entry: RecordEntry, _ fields: ArraySlice<RecordField>, scanner: DelimitedScanner,
        window: inout TextWindow, end: DelimitedScanner.Outcome
    ) throws(SourceError) -> Header {
        let name = window.input.name
        if let problem = scanner.problems.first?.problem {
            throw SourceError(.malformedHeader(problem), in: name, line: problem.line)
        }
        let escaped = Set(scanner.unescapedFields)
        var names: [String] = []
        for (index, field) in fields.enumerated() {
            let bytes =
                escaped.contains(index)
                ? scanner.unescaped[field.range]
                : window.bytes[window.start + field.start..<window.start + field.start + field.length]
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw SourceError(
                    .undecodableHeader(encoding: window.encoding.name), in: name, line: entry.line,
                    at: window.sourceOffset)
            }
            names.append(text)
        }
        let length = window.advance(by: end.position - window.start)
        return Header(names: names, bytes: Array(window.passedBytes(length)), nextLine: end.line)
    }
}

extension DelimitedScanner {
    /// Scans the contents of a window into arrays, for small texts outside of batches, such as headers and samples.
    mutating func scanWhole(
        _ window: TextWindow, isLast: Bool? = nil, fields: inout [RecordField], fieldCount: inout Int,
        entries: inout [RecordEntry], entryCount: inout Int
    ) -> Outcome {
        window.bytes.withUnsafeBufferPointer { bytes in
            fields.withUnsafeMutableBufferPointer { fields in
                entries.withUnsafeMutableBufferPointer { entries in
                    guard let base = bytes.baseAddress else {
                        return Outcome(stop: .needsBytes, position: window.start, line: 1)
                    }
                    let text = Text(
                        base: base, start: window.start, end: window.end, isLast: isLast ?? window.isAtEnd, line: 1,
                        sourceOffset: window.sourceOffset, arenaStart: 0)
                    return scan(
                        text, byteLimit: .max, fields: fields, fieldCount: &fieldCount, entries: entries,
                        entryCount: &entryCount)
                }
            }
        }
    }
}
