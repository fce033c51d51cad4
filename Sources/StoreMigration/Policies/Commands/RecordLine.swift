import ManagedObjectModels
import TextEncodings

/// JSON lines for a policy's program.
struct RecordLine {
    var bytes: [UInt8] = []

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    mutating func raw(_ text: StaticString) { bytes.append(text: text) }

    mutating func string(_ text: String) { bytes.append(json: text.utf8.span) }

    mutating func integer(_ number: Int64) { bytes.append(integer: number) }

    /// Writes a text as it is stored; invalid UTF-8 is repaired.
    mutating func text(_ stored: Span<UInt8>) {
        guard !ByteWord.isASCII(stored) else { return bytes.append(json: stored) }
        var copy: [UInt8] = []
        for index in stored.indices { copy.append(stored[index]) }
        string(String(decoding: copy, as: UTF8.self))
    }

    mutating func real(_ number: Double) {
        // JSON cannot represent other numbers.
        if number.isFinite { bytes.append(real: number) } else { string("\(number)") }
    }

    mutating func uuid(_ uuid: Span<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(uuid: uuid)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func value(_ value: AttributeValue?) {
        switch value {
        case nil: raw("null")
        case .integer(let number): integer(number)
        case .boolean(let flag): flag ? raw("true") : raw("false")
        case .real(let number), .date(let number): real(number)
        case .decimal(let text), .string(let text), .uri(let text), .unparsed(let text): string(text)
        case .uuid(let bytes): uuid(bytes.span)
        case .binary(let data): string(Base64.encode(data))
        case .array(let elements): list(elements) { $0.value($1) }
        }
    }

    /// Writes an array of elements that are separated by commas.
    mutating func list<T>(_ items: [T], _ body: (inout RecordLine, T) throws -> Void) rethrows {
        raw("[")
        try separated(items, body)
        raw("]")
    }

    /// Writes an object whose members are separated by commas.
    mutating func members<T>(_ items: [T], _ body: (inout RecordLine, T) throws -> Void) rethrows {
        raw("{")
        try separated(items, body)
        raw("}")
    }

    private mutating func separated<T>(_ items: [T], _ body: (inout RecordLine, T) throws -> Void) rethrows {
        for (index, item) in items.enumerated() {
            if index > 0 { raw(",") }
            try body(&self, item)
        }
    }

    mutating func key(_ name: String) {
        string(name)
        raw(":")
    }
}
