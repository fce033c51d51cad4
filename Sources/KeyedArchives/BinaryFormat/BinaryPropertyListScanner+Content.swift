extension BinaryPropertyListScanner {
    /// Returns the value of an object that is not a container; nil for a container.
    /// - Throws: `PropertyListError` with code `textInvalid` if ASCII text has other bytes.
    public func scalar(_ object: BinaryObject) throws(PropertyListError) -> PropertyListValue? {
        switch object {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .wideInteger(let value): .wideInteger(value)
        case .real(let value): .real(value)
        case .single(let value): .single(value)
        case .date(let value): .date(value)
        case .uid(let value): .uid(value)
        case .data(let range): .data(Array(bytes[range]))
        case .asciiText(let range): .string(try asciiText(range))
        case .utf16Text(let range): utf16Text(range)
        case .array, .set, .dictionary: nil
        }
    }

    /// Returns an object's text; nil if it is not a string, or not well-formed.
    /// - Throws: `PropertyListError` with code `textInvalid` if ASCII text has other bytes.
    public func text(_ object: BinaryObject) throws(PropertyListError) -> String? {
        switch object {
        case .asciiText(let range): try asciiText(range)
        case .utf16Text(let range): utf16Text(range).string
        default: nil
        }
    }

    /// Returns the number of bytes of text or data in an object.
    public func payloadSize(_ object: BinaryObject) -> Int {
        switch object {
        case .data(let range), .asciiText(let range), .utf16Text(let range): range.count
        default: 0
        }
    }

    private func asciiText(_ range: Range<Int>) throws(PropertyListError) -> String {
        guard bytes[range].allSatisfy({ $0 < 0x80 }) else {
            throw PropertyListError(.textInvalid, at: .byte(range.lowerBound))
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    private func utf16Text(_ range: Range<Int>) -> PropertyListValue {
        var units: [UInt16] = []
        units.reserveCapacity(range.count / 2)
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            units.append(UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1]))
        }
        return String(validating: units, as: UTF16.self).map { .string($0) } ?? .malformedText(units)
    }
}
