/// The methods of values themselves, like those of their Foundation classes: `FUNCTION(name, "hasPrefix:", "Dr.")`.
enum ValueMethod: String {
    case stringByAppending = "stringByAppendingString:"
    case stringByReplacing = "stringByReplacingOccurrencesOfString:withString:"
    case substringFrom = "substringFromIndex:"
    case substringTo = "substringToIndex:"
    case components = "componentsSeparatedByString:"
    case hasPrefix = "hasPrefix:"
    case hasSuffix = "hasSuffix:"
    case containsString = "containsString:"
    case isEqualToString = "isEqualToString:"
    case isEqual = "isEqual:"
    case isEqualToNumber = "isEqualToNumber:"
    case isEqualToDate = "isEqualToDate:"
    case dateByAdding = "dateByAddingTimeInterval:"
    case timeIntervalSince = "timeIntervalSinceDate:"
    case joined = "componentsJoinedByString:"
    case count
    case firstObject
    case lastObject
    case allObjects
    case objectAtIndex = "objectAtIndex:"
    case containsObject = "containsObject:"

    /// Returns the method's result; NULL for NULL, as for nil.
    func call(
        on value: ExpressionValue, _ arguments: [ExpressionValue], _ limits: EvaluationLimits
    ) throws(EvaluationFault) -> ExpressionValue {
        if value.isNull { return .null }
        switch (value, arguments.first) {
        case (.array(let elements), let argument), (.set(let elements), let argument):
            if let result = try ofCollection(elements, argument, limits) { return result }
        case (.string(let text), .string(let other)?):
            if let result = try ofText(text, other, arguments, limits) { return result }
        case (.string(let text), .integer(let index)?): if let result = try part(of: text, at: index) { return result }
        case (.date, let other?):
            if self == .dateByAdding { return try ArithmeticOperator.add.apply(value, other) }
            if self == .timeIntervalSince { return try ArithmeticOperator.subtract.apply(value, other) }
        default: break
        }
        switch self {
        case .isEqual, .isEqualToString, .isEqualToNumber, .isEqualToDate:
            return .boolean(ValueComparison.isEqual(value, arguments.first ?? .null) ?? false)
        case .count: if let elements = value.elements { return .integer(Int64(elements.count)) }
        default: break
        }
        let others = arguments.map(\.kind).joined(separator: " and ")
        throw EvaluationFault(
            .typeMismatch,
            "\(value.kind) has no method \(rawValue)" + (others.isEmpty ? "" : " that takes \(others)"))
    }

    private func ofCollection(
        _ elements: [ExpressionValue], _ argument: ExpressionValue?, _ limits: EvaluationLimits
    ) throws(EvaluationFault) -> ExpressionValue? {
        switch (self, argument) {
        case (.count, nil): return .integer(Int64(elements.count))
        case (.firstObject, nil): return elements.first ?? .null
        case (.lastObject, nil): return elements.last ?? .null
        case (.allObjects, nil): return .array(elements)
        case (.objectAtIndex, let index?): return try ElementFunction.element(of: .array(elements), at: index)
        case (.containsObject, let object?):
            return .boolean(elements.contains { ValueComparison.isEqual($0, object) ?? false })
        case (.joined, .string(let separator)?):
            var texts: [String] = []
            var bytes = 0
            for element in elements where !element.isNull {
                guard case .string(let text) = try CastTarget.string.convert(element) else { continue }
                bytes += text.utf8.count + separator.utf8.count
                try limits.check(textBytes: bytes)
                texts.append(text)
            }
            return .string(texts.joined(separator: separator))
        default: return nil
        }
    }

    private func ofText(
        _ text: String, _ other: String, _ arguments: [ExpressionValue], _ limits: EvaluationLimits
    ) throws(EvaluationFault) -> ExpressionValue? {
        switch self {
        case .stringByAppending:
            try limits.check(textBytes: text.utf8.count + other.utf8.count)
            return .string(text + other)
        case .stringByReplacing:
            guard arguments.count == 2, case .string(let new) = arguments[1] else { return nil }
            return .string(other.isEmpty ? text : try Self.replaced(other, by: new, in: text, limits))
        case .components:
            guard !other.isEmpty else { return .array([.string(text)]) }
            var parts: [ExpressionValue] = []
            try Self.forEachPart(of: text, between: other) { part throws(EvaluationFault) in
                parts.append(.string(String(decoding: part, as: UTF8.self)))
                try limits.check(elements: parts.count)
            }
            return .array(parts)
        case .hasPrefix: return .boolean(text.utf8.starts(with: other.utf8))
        case .hasSuffix: return .boolean(text.utf8.reversed().starts(with: other.utf8.reversed()))
        case .containsString: return .boolean(TextComparison.holds(.contains, text, other, []))
        default: return nil
        }
    }

    private static func replaced(
        _ old: String, by new: String, in text: String, _ limits: EvaluationLimits
    ) throws(EvaluationFault) -> String {
        var result: [UInt8] = []
        var isFirst = true
        try forEachPart(of: text, between: old) { part throws(EvaluationFault) in
            if !isFirst { result += new.utf8 }
            isFirst = false
            result += part
            try limits.check(textBytes: result.count)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func forEachPart(
        of text: String, between separator: String, _ body: (ArraySlice<UInt8>) throws(EvaluationFault) -> Void
    ) throws(EvaluationFault) {
        let (bytes, separator) = (Array(text.utf8), Array(separator.utf8))
        var (start, index) = (0, 0)
        while index + separator.count <= bytes.count {
            if bytes[index] == separator[0], bytes[index..<(index + separator.count)].elementsEqual(separator) {
                try body(bytes[start..<index])
                index += separator.count
                start = index
            } else {
                index += 1
            }
        }
        try body(bytes[start...])
    }

    /// Returns a part of a text. Indexes count UTF-16 units, as in `NSString`.
    private func part(of text: String, at index: Int64) throws(EvaluationFault) -> ExpressionValue? {
        guard self == .substringFrom || self == .substringTo else { return nil }
        let units = Array(text.utf16)
        guard index >= 0, index <= Int64(units.count) else {
            throw EvaluationFault(.typeMismatch, "the index \(index) is beyond the string's end at \(units.count)")
        }
        let part = self == .substringFrom ? units[Int(index)...] : units[..<Int(index)]
        return .string(String(decoding: part, as: UTF16.self))
    }
}
