/// Moves from the root of a property list to its records.
struct PropertyListOpening {
    /// The container of the records.
    enum Container {
        case array, dictionary, other
    }

    let name: String
    /// The keys that were followed.
    private(set) var keys: [String] = []

    /// The number of keys that are kept for the message that a key does not exist.
    private static let shownKeyCount = 200

    init(name: String) {
        self.name = name
    }

    /// Skips everything before the records.
    mutating func open(_ events: inout PropertyListEvents, _ path: String?) throws -> Container {
        guard var event = try events.next() else { return .other }
        guard let path else { return Self.container(event) }
        let (steps, hasMembers) = try RecordPathParser.recordSteps(path, in: name)
        for step in steps {
            guard case .name(let key) = step else {
                // `items[*]` means the same as `items`.
                if step == .every { continue }
                throw SourceError(.malformedPath(path, reason: "only keys lead to the records"), in: name)
            }
            guard event == .dictionary else { throw failure("expected a dictionary with the key '\(key)'", events) }
            event = try enter(key, &events)
            keys.append(key)
        }
        guard event == (hasMembers ? .dictionary : .array) else {
            throw failure("expected \(hasMembers ? "a dictionary" : "an array") with the records at '\(path)'", events)
        }
        return Self.container(event)
    }

    private static func container(_ event: PropertyListEvent) -> Container {
        event == .array ? .array : event == .dictionary ? .dictionary : .other
    }

    /// Returns the first event of a key's value.
    private func enter(_ wanted: String, _ events: inout PropertyListEvents) throws -> PropertyListEvent {
        var known: [String] = []
        while case .key(let key)? = try events.next() {
            guard let value = try events.next() else { break }
            // Canonically equivalent names are equal.
            if key == wanted { return value }
            if known.count < Self.shownKeyCount { known.append(String(key.prefix(100))) }
            try events.skip(value)
        }
        throw failure("there is no key '\(wanted)'" + NameList(known).hint(for: wanted), events)
    }

    private func failure(_ reason: String, _ events: PropertyListEvents) -> SourceError {
        SourceError(.malformedDocument(reason), in: name, line: events.line)
    }
}

extension PropertyListEvents {
    /// Skips the rest of a value that begins with an event.
    mutating func skip(_ first: PropertyListEvent) throws {
        guard first == .array || first == .dictionary else { return }
        var depth = 1
        while depth > 0, let event = try next() {
            switch event {
            case .array, .dictionary: depth += 1
            case .end: depth -= 1
            default: break
            }
        }
    }
}
