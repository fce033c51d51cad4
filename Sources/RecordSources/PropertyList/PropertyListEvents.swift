import KeyedArchives

/// The events of a property list in either format.
enum PropertyListEvents {
    case xml(XMLPropertyListEvents)
    case binary(BinaryPropertyListEvents)

    /// Opens a property list. An XML property list is read incrementally, a binary one completely.
    init(_ input: ByteInput, _ options: PropertyListOptions) throws {
        guard try SourceStart(path: input.name).bytes.starts(with: Array("bplist0".utf8)) else {
            self = .xml(XMLPropertyListEvents(input, limits: options.limits))
            return
        }
        let bytes = try Self.bytes(of: input, atMost: options.largestBinary)
        self = .binary(try BinaryPropertyListEvents(bytes, name: input.name, options))
    }

    private static func bytes(of input: ByteInput, atMost limit: Int) throws(SourceError) -> [UInt8] {
        var bytes: [UInt8] = []
        var count = 0
        while true {
            if bytes.count < count + input.chunkBytes {
                bytes.append(contentsOf: repeatElement(0, count: max(input.chunkBytes, count)))
            }
            let read = try input.read(into: &bytes, at: count, atMost: input.chunkBytes)
            if read == 0 { break }
            count += read
            guard count <= limit else {
                throw SourceError(
                    .malformedDocument(
                        "it is a binary property list of more than \(limit) bytes, which are read whole; convert it to XML, "
                            + "which is read front to back"), in: input.name)
            }
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Returns the next event; nil after the root.
    mutating func next() throws -> PropertyListEvent? {
        switch self {
        case .xml(var events):
            defer { self = .xml(events) }
            return try events.next()
        case .binary(var events):
            defer { self = .binary(events) }
            return try events.next()
        }
    }

    /// The line of an XML document; nil for a binary one.
    var line: Int? {
        if case .xml(let events) = self { events.line } else { nil }
    }
}
