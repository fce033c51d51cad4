extension JSONParser {
    /// A string, number or literal, or the reason why there is none.
    enum Scalar {
        case string(RecordField, next: Int)
        case none(Outcome)

        var outcome: Outcome {
            if case .none(let outcome) = self { return outcome }
            return .needsBytes
        }
    }

    /// Parses the string whose opening quote is at an offset.
    mutating func string(
        _ text: Span<UInt8>, at start: Int, to end: Int, isLast: Bool, placement: Placement
    ) -> Scalar {
        let index = JSONByteSearch.endOfPlainText(text, from: start + 1, to: end)
        guard index < end else { return cut(at: end, isLast) }
        switch text[index] {
        case UInt8(ascii: "\""):
            let field = RecordField(.quoted, start: start + 1 + placement.toArena, length: index - start - 1)
            return .string(field, next: index + 1)
        case UInt8(ascii: "\\"):
            return escapedString(text, from: start + 1, at: index, to: end, isLast: isLast)
        default:
            return .none(.failure(.malformed, offset: index))
        }
    }

    /// Continues to parse a string at its first escape.
    mutating func escapedString(
        _ text: Span<UInt8>, from start: Int, at firstEscape: Int, to end: Int, isLast: Bool
    ) -> Scalar {
        let valueStart = unescaped.count
        var index = start
        var plainEnd = firstEscape
        while true {
            text.extracting(index..<plainEnd).withUnsafeBufferPointer { unescaped.append(contentsOf: $0) }
            index = plainEnd
            guard index < end else { break }
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                let field = RecordField(
                    .quoted, start: Placement.unescapedBase + valueStart, length: unescaped.count - valueStart)
                return .string(field, next: index + 1)
            }
            if byte < 0x20 { return .none(.failure(.malformed, offset: index)) }
            guard index + 1 < end else { break }
            switch text[index + 1] {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(text[index + 1])
            case UInt8(ascii: "b"): unescaped.append(0x08)
            case UInt8(ascii: "f"): unescaped.append(0x0C)
            case UInt8(ascii: "n"): unescaped.append(0x0A)
            case UInt8(ascii: "r"): unescaped.append(0x0D)
            case UInt8(ascii: "t"): unescaped.append(0x09)
            case UInt8(ascii: "u"):
                let outcome = unicodeEscape(text, at: &index, to: end)
                if let outcome {
                    if outcome == .needsBytes { return cut(at: end, isLast) }
                    return .none(outcome)
                }
                plainEnd = JSONByteSearch.endOfPlainText(text, from: index, to: end)
                continue
            default:
                return .none(.failure(.malformed, offset: index))
            }
            index += 2
            plainEnd = JSONByteSearch.endOfPlainText(text, from: index, to: end)
        }
        return cut(at: end, isLast)
    }

    /// Decodes `\uXXXX`, or two of them that form a surrogate pair, and moves past it; returns nil on success.
    private mutating func unicodeEscape(_ text: Span<UInt8>, at index: inout Int, to end: Int) -> Outcome? {
        guard index + 6 <= end else { return .needsBytes }
        guard let unit = JSONParser.hexadecimal(text, at: index + 2) else { return .failure(.malformed, offset: index) }
        var scalar = unit
        var length = 6
        if unit & 0xFC00 == 0xD800 {
            guard index + 8 <= end else { return .needsBytes }
            guard text[index + 6] == UInt8(ascii: "\\"), text[index + 7] == UInt8(ascii: "u") else {
                return .failure(.loneSurrogate, offset: index)
            }
            guard index + 12 <= end else { return .needsBytes }
            guard let low = JSONParser.hexadecimal(text, at: index + 8) else {
                return .failure(.malformed, offset: index + 6)
            }
            guard low & 0xFC00 == 0xDC00 else { return .failure(.loneSurrogate, offset: index) }
            scalar = 0x1_0000 + (unit & 0x3FF) << 10 + low & 0x3FF
            length = 12
        }
        guard let character = Unicode.Scalar(scalar) else { return .failure(.loneSurrogate, offset: index) }
        unescaped.append(contentsOf: UTF8.encode(character) ?? UTF8.encodedReplacementCharacter)
        index += length
        return nil
    }

    private static func hexadecimal(_ text: Span<UInt8>, at start: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in start..<start + 4 {
            let byte = text[index]
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x41 + 10)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x61 + 10)
            default: return nil
            }
        }
        return value
    }

    /// Parses a number or literal.
    func scalar(
        _ text: Span<UInt8>, at start: Int, to end: Int, isLast: Bool, placement: Placement
    ) -> Scalar {
        switch text[start] {
        case UInt8(ascii: "t"): return literal("true", .boolean, text, at: start, to: end, isLast, placement)
        case UInt8(ascii: "f"): return literal("false", .boolean, text, at: start, to: end, isLast, placement)
        case UInt8(ascii: "n"): return literal("null", .null, text, at: start, to: end, isLast, placement)
        default:
            return number(text, at: start, to: end, isLast, placement)
        }
    }

    @inline(__always)
    private func literal(
        _ word: StaticString, _ kind: RecordField.Kind, _ text: Span<UInt8>, at start: Int, to end: Int,
        _ isLast: Bool, _ placement: Placement
    ) -> Scalar {
        let count = word.utf8CodeUnitCount
        for offset in 0..<count {
            guard start + offset < end else { return cut(at: end, isLast) }
            if text[start + offset] != word.utf8Start[offset] {
                return .none(.failure(.malformed, offset: start + offset))
            }
        }
        return .string(RecordField(kind, start: start + placement.toArena, length: count), next: start + count)
    }

    /// Parses a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    private func number(
        _ text: Span<UInt8>, at start: Int, to end: Int, _ isLast: Bool, _ placement: Placement
    ) -> Scalar {
        var index = start
        func digits() -> Int {
            let first = index
            while index < end, text[index] &- 0x30 < 10 { index += 1 }
            return index - first
        }
        if text[index] == UInt8(ascii: "-") { index += 1 }
        let integerStart = index
        let integerDigits = digits()
        if index == end && !isLast { return .none(.needsBytes) }
        guard integerDigits == 1 || (integerDigits > 1 && text[integerStart] != 0x30) else {
            return .none(.failure(.malformed, offset: index))
        }
        if index < end, text[index] == UInt8(ascii: ".") {
            index += 1
            if digits() == 0 { return index == end ? cut(at: end, isLast) : .none(.failure(.malformed, offset: index)) }
        }
        if index < end, text[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < end, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            if digits() == 0 { return index == end ? cut(at: end, isLast) : .none(.failure(.malformed, offset: index)) }
        }
        if index == end && !isLast { return .none(.needsBytes) }
        return .string(
            RecordField(.number, start: start + placement.toArena, length: index - start), next: index)
    }

    private func cut(at end: Int, _ isLast: Bool) -> Scalar {
        .none(isLast ? .failure(.malformed, offset: end) : .needsBytes)
    }
}
