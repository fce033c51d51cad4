/// The records of a JSON source, parsed one at a time: the items of an array, lines, or consecutive values.
public struct JSONSource: RecordSource {
    /// The path of the source; `-` for standard input.
    public let name: String
    /// The paths whose values are the fields of every record.
    public let columns: [SourceColumn]
    /// The layout that was given or detected.
    public let layout: JSONOptions.Layout
    /// The text that surrounds rejected records in a file of their own: brackets and keys.
    public let wrapping: RecordWrapping

    let options: JSONOptions
    var window: TextWindow
    var parser: JSONParser
    var position: RecordPosition
    /// Whether a record of the array was read, so that a comma or the end must follow.
    var isBehindRecord = false
    var isFinished = false
    /// Whether the batch must end because a record was skipped, so that the batch's bytes are those of its records.
    var endsBatch = false
    /// Whether the records are the members of an object, each after its key.
    let hasMembers: Bool
    let builder: JSONRecordBuilder

    /// Opens a source whose records have a field for every path; the names in the paths come from `names`. Reads up to
    /// the first record.
    ///
    /// If a position from an earlier run is given, reading continues there.
    /// - Throws: `SourceError` if the file cannot be read, has no records at the path, is not valid JSON up to the
    ///   first record, or ends before the position.
    public init(
        _ input: ByteInput, options: JSONOptions = JSONOptions(), paths: [RecordPath] = [],
        names: FieldNames = FieldNames(), from position: RecordPosition? = nil
    ) throws {
        name = input.name
        self.options = options
        builder = JSONRecordBuilder(paths, largestRecord: options.limits.bytes)
        columns = paths.map { SourceColumn(name: $0.text) }
        window = try TextWindow.opening(input, as: nil, otherwise: .utf8)
        let mark = window.sourceOffset > 0 ? window.encoding.mark : []
        parser = JSONParser(
            limits: options.limits, duplicateKeys: options.duplicateKeys, names: names, order: options.keyOrder)
        self.position = RecordPosition(byteOffset: window.sourceOffset, line: 1, record: 0)

        var opening = JSONOpening(window: window, name: input.name)
        var keys: [String] = []
        if let recordPath = options.recordPath {
            (keys, hasMembers) = try opening.descend(recordPath)
            layout = .array
        } else {
            hasMembers = false
            layout = try options.layout ?? opening.layout()
        }
        if hasMembers {
            try opening.enterObject()
        } else if layout == .array {
            try opening.enterArray()
        }
        window = opening.window
        self.position.line = opening.line
        self.position.byteOffset = window.sourceOffset
        wrapping = JSONSource.wrapping(
            layout, keys: keys, hasMembers: hasMembers, mark: mark, encoding: window.encoding)
        if let position, position.record > 0 {
            guard try window.skip(toSourceOffset: position.byteOffset) else {
                throw SourceError(.positionBeyondEnd, in: input.name, line: position.line, at: position.byteOffset)
            }
            self.position = position
            isBehindRecord = layout == .array
        }
    }

    /// Returns the text around rejected records, which are written unchanged, in an array or in lines, below the keys
    /// that led to them.
    private static func wrapping(
        _ layout: JSONOptions.Layout, keys: [String], hasMembers: Bool, mark: [UInt8], encoding: TextEncoding
    ) -> RecordWrapping {
        func encoded(_ text: String) -> [UInt8] { encoding.encoded(ascii: Array(text.utf8)) }
        if layout == .array {
            let outer = keys.map { "{\(asciiLiteral($0)): " }.joined()
            let closing = String(repeating: "}", count: keys.count)
            return RecordWrapping(
                prefix: mark + encoded(outer + (hasMembers ? "{\n" : "[\n")), separator: encoded(",\n"),
                suffix: encoded((hasMembers ? "\n}" : "\n]") + closing + "\n"), fileExtension: "json")
        }
        return RecordWrapping(
            prefix: mark, terminator: encoded("\n"), fileExtension: layout == .lines ? "ndjson" : "json")
    }

    /// Returns a text as a JSON string in ASCII, which is part of every encoding of a source.
    private static func asciiLiteral(_ text: String) -> String {
        var literal = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: literal += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20...0x7E: literal += String(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return literal + "\""
    }

    /// Fills a batch with the next records; returns false and an empty batch at the end of the source.
    /// - Throws: `SourceError` if the file cannot be read, or is not valid JSON between its records.
    public mutating func next(into batch: inout RecordBatch) throws -> Bool {
        batch.removeAll()
        batch.start = position
        batch.original = window.isTranscoded ? [] : nil
        endsBatch = false
        while !batch.isFull && !isFinished && !endsBatch {
            if layout == .lines, !window.isTranscoded {
                readLines(into: &batch)
                if batch.isFull { break }
            }
            guard try skipToRecord(&batch) else { break }
            switch layout {
            case .lines: try readLine(into: &batch)
            case .array, .concatenated: try readValue(into: &batch)
            }
        }
        batch.end = position
        batch.rejectUndecodable(0..<batch.arena.count, from: 0)
        return batch.count > 0
    }

    /// Skips decoded bytes that belong to no record, or to the record that was read.
    static func advance(_ window: inout TextWindow, by count: Int, into batch: inout RecordBatch) -> Int {
        let passed = window.advance(by: count)
        if window.isTranscoded { batch.original?.append(contentsOf: window.passedBytes(passed)) }
        return passed
    }

    /// Adds the record at the start of the window: its bytes, its values and its fields.
    mutating func append(
        _ range: Range<Int>, firstNode: Int, problem: RecordProblem?, lines: Int, key: [UInt8]? = nil,
        into batch: inout RecordBatch
    ) {
        builder.add(
            window.bytes.span.extracting(range), firstNode: firstNode, unescaped: parser.unescaped, key: key,
            problem: problem, at: position, to: &batch)
        let passed = Self.advance(&window, by: range.count, into: &batch)
        batch.entries[batch.count - 1].sourceLength = UInt32(truncatingIfNeeded: passed)
        position.line += lines
        position.byteOffset = window.sourceOffset
        position.record += 1
        isBehindRecord = layout == .array
    }

    func failure(_ reason: String) -> SourceError {
        SourceError(.malformedDocument(reason), in: name, line: position.line, at: position.byteOffset)
    }
}
