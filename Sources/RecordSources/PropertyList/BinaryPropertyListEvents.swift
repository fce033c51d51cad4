import KeyedArchives

/// The events of a binary property list. Shared containers are visited at each of their places.
struct BinaryPropertyListEvents {
    /// An open container.
    private struct Open {
        let keys: ObjectReferences?
        let values: ObjectReferences
        var next = 0
        var isBehindKey = false
    }

    private let scanner: BinaryPropertyListScanner
    private let name: String
    private let options: PropertyListOptions
    private var open: [Open] = []
    private var hasBegun = false
    /// Limits the number of values, because shared containers may produce exponentially more values than the file has
    /// bytes.
    private var remainingValues: Int

    init(_ bytes: [UInt8], name: String, _ options: PropertyListOptions) throws {
        self.name = name
        self.options = options
        remainingValues = PropertyListLimits.proportional(to: bytes.count).values
        do throws(PropertyListError) {
            scanner = try BinaryPropertyListScanner(bytes)
        } catch {
            throw Self.failure(error, name)
        }
    }

    mutating func next() throws -> PropertyListEvent? {
        do throws(PropertyListError) {
            guard hasBegun else {
                hasBegun = true
                return try event(scanner.topObject)
            }
            guard let last = open.indices.last else { return nil }
            guard open[last].next < open[last].values.count else {
                open.removeLast()
                return .end
            }
            if let keys = open[last].keys, !open[last].isBehindKey {
                let object = try scanner.object(scanner.reference(open[last].next, of: keys))
                guard let text = try scanner.text(object) else { throw PropertyListError(.keyNotText) }
                open[last].isBehindKey = true
                return .key(text)
            }
            let number = try scanner.reference(open[last].next, of: open[last].values)
            open[last].next += 1
            open[last].isBehindKey = false
            return try event(number)
        } catch {
            throw Self.failure(error, name)
        }
    }

    private mutating func event(_ number: Int) throws(PropertyListError) -> PropertyListEvent {
        remainingValues -= 1
        guard remainingValues >= 0 else { throw PropertyListError(.tooLarge) }
        let object = try scanner.object(number)
        switch object {
        case .dictionary(let keys, let values): return try begin(Open(keys: keys, values: values), .dictionary)
        case .array(let values), .set(let values): return try begin(Open(keys: nil, values: values), .array)
        default:
            if scanner.payloadSize(object) > options.limits.bytes { return .tooLarge }
            return .value(try scanner.scalar(object) ?? .null)
        }
    }

    private mutating func begin(
        _ container: Open, _ event: PropertyListEvent
    ) throws(PropertyListError) -> PropertyListEvent {
        guard open.count < options.largestDepth else { throw PropertyListError(.tooDeep) }
        open.append(container)
        return event
    }

    private static func failure(_ error: PropertyListError, _ name: String) -> SourceError {
        SourceError(.malformedDocument("\(error)"), in: name)
    }
}
