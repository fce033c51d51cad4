/// Moves from the beginning of a JSON source to its first record.
struct JSONOpening {
    var window: TextWindow
    let name: String
    var line = 1

    /// The number of keys that are kept for the message that a key does not exist.
    private static let shownKeyCount = 200

    init(window: TextWindow, name: String) {
        self.window = window
        self.name = name
    }

    /// Detects the layout of the source: an array, lines, or values that may extend over several lines.
    mutating func layout() throws -> JSONOptions.Layout {
        guard let first = try peek() else { return .lines }
        if first == UInt8(ascii: "[") { return .array }
        try window.fill(toHold: 256 << 10)
        let sample = window.bytes[window.start..<window.end]
        guard let lineFeed = sample.firstIndex(of: 0x0A) else { return window.isAtEnd ? .concatenated : .lines }
        var parser = JSONParser(limits: RecordLimits(), duplicateKeys: .keepFirst, names: FieldNames())
        var nodes: [RecordNode] = []
        let outcome = parser.parse(
            window.bytes.span, from: window.start, to: lineFeed, isLast: true,
            placement: JSONParser.Placement(toArena: 0), into: &nodes)
        guard case .value(let end) = outcome else { return .concatenated }
        return sample[end..<lineFeed].allSatisfy { JSONParser.isSpace($0) != nil } ? .lines : .concatenated
    }

    /// Skips the opening bracket of the array of records.
    mutating func enterArray() throws {
        guard try peek() == UInt8(ascii: "[") else { throw failure("expected '[' before the records") }
        window.advance(by: 1)
    }

    /// Follows keys from the root object, and skips everything before them.
    ///
    /// - Returns: the keys, and whether the records are the members of the object that they lead to.
    mutating func descend(_ path: String) throws -> (keys: [String], hasMembers: Bool) {
        let (steps, hasMembers) = try RecordPathParser.recordSteps(path, in: name)
        var keys: [String] = []
        for step in steps {
            guard case .name(let key) = step else {
                // `items[*]` means the same as `items`.
                if step == .every { continue }
                throw SourceError(.malformedPath(path, reason: "only keys lead to the records"), in: name)
            }
            keys.append(key)
            try enter(key)
        }
        return (keys, hasMembers)
    }

    /// Skips the opening brace of the object whose members are the records.
    mutating func enterObject() throws {
        guard try peek() == UInt8(ascii: "{") else { throw failure("expected '{' before the records") }
        window.advance(by: 1)
    }

    private mutating func enter(_ wanted: String) throws {
        guard try peek() == UInt8(ascii: "{") else { throw failure("expected an object with the key '\(wanted)'") }
        window.advance(by: 1)
        var known: [String] = []
        while let next = try peek(), next != UInt8(ascii: "}") {
            let key = try key()
            guard try peek() == UInt8(ascii: ":") else { throw failure("expected ':' after a key") }
            window.advance(by: 1)
            _ = try peek()
            // Canonically equivalent names are equal, such as names with composed and decomposed accents.
            if String(decoding: key, as: UTF8.self) == wanted { return }
            if known.count < Self.shownKeyCount { known.append(String(decoding: key.prefix(100), as: UTF8.self)) }
            try skipValue()
            if try peek() == UInt8(ascii: ",") { window.advance(by: 1) }
        }
        throw failure("there is no key '\(wanted)'" + NameList(known).hint(for: wanted))
    }

    private mutating func key() throws -> [UInt8] {
        while true {
            guard window.count > 0, window.bytes[window.start] == UInt8(ascii: "\"") else {
                throw failure("expected a key in quotes")
            }
            var parser = JSONParser(limits: RecordLimits(), duplicateKeys: .keepFirst, names: FieldNames())
            let scalar = parser.string(
                window.bytes.span, at: window.start, to: window.end, isLast: window.isAtEnd,
                placement: JSONParser.Placement(toArena: 0))
            if case .string(let field, let next) = scalar {
                let isPlain = field.start < JSONParser.Placement.unescapedBase
                let key = isPlain ? Array(window.bytes[field.range]) : parser.unescaped
                window.advance(by: next - window.start)
                return key
            }
            guard scalar.outcome == .needsBytes, !window.isAtEnd, window.count < RecordLimits().bytes else {
                throw failure("expected a key in quotes")
            }
            try window.fill()
        }
    }

    /// Skips a value of any size without keeping it in memory.
    private mutating func skipValue() throws {
        var skipping = JSONSkipping()
        while true {
            let end = skipping.advance(window.bytes.span, from: window.start, to: window.end)
            window.advance(by: (end ?? window.end) - window.start)
            if end != nil {
                line += skipping.lines
                return
            }
            guard !window.isAtEnd else { throw failure("a value is not closed") }
            try window.fill()
        }
    }

    /// Returns the next byte that is not white space; nil at the end.
    private mutating func peek() throws -> UInt8? {
        while true {
            while window.count > 0 {
                let byte = window.bytes[window.start]
                guard let isLineFeed = JSONParser.isSpace(byte) else { return byte }
                if isLineFeed { line += 1 }
                window.advance(by: 1)
            }
            if window.isAtEnd { return nil }
            try window.fill()
        }
    }

    private func failure(_ reason: String) -> SourceError {
        SourceError(.malformedDocument(reason), in: name, line: line, at: window.sourceOffset)
    }
}
