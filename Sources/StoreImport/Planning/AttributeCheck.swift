import Foundation
import ManagedObjectModels
import SQLiteAccess

/// The rules of the model for one attribute's values, made ready for a loop.
struct AttributeCheck {
    enum Rule {
        case integer(minimum: Int64?, maximum: Int64?)
        case real(minimum: Double?, maximum: Double?)
        case date(minimum: Double?, maximum: Double?)
        /// Lengths in UTF-16 units, as Core Data counts.
        case text(minimum: Int?, maximum: Int?, pattern: NSRegularExpression?)
    }

    let isOptional: Bool
    let rule: Rule?

    init(_ attribute: ResolvedAttribute) throws(ImportPlanError) {
        isOptional = attribute.isOptional
        let validation = attribute.description.validation
        let (minimum, maximum) = (validation.minimum.flatMap(Self.number), validation.maximum.flatMap(Self.number))
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            rule = minimum == nil && maximum == nil
                ? nil : .integer(minimum: minimum.flatMap { Int64(exactly: $0) }, maximum: maximum.flatMap { Int64(exactly: $0) })
        case .double, .float, .decimal:
            rule = minimum == nil && maximum == nil ? nil : .real(minimum: minimum, maximum: maximum)
        case .date:
            rule = minimum == nil && maximum == nil ? nil : .date(minimum: minimum, maximum: maximum)
        case .string:
            var pattern: NSRegularExpression?
            if let text = validation.regularExpression {
                do {
                    pattern = try NSRegularExpression(pattern: text)
                } catch {
                    throw ImportPlanError(.badPattern(text), property: attribute.name)
                }
            }
            rule = minimum == nil && maximum == nil && pattern == nil
                ? nil : .text(minimum: minimum.map { Int($0) }, maximum: maximum.map { Int($0) }, pattern: pattern)
        default: rule = nil
        }
    }

    private static func number(_ value: AttributeValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number), .date(let number): number
        case .decimal(let digits): Double(digits)
        default: nil
        }
    }

    /// What a value breaks, nil where it is allowed.
    func fault(_ value: ConvertedValue, in arena: [UInt8]) -> ValidationFault? {
        switch (value, rule) {
        case (.null, _): return isOptional ? nil : .missing
        case (_, nil): return nil
        case (.integer(let number), .integer(let minimum, let maximum)?):
            if let minimum, number < minimum { return .numberTooSmall }
            if let maximum, number > maximum { return .numberTooLarge }
        case (.real(let number), .real(let minimum, let maximum)?):
            if let minimum, number < minimum { return .numberTooSmall }
            if let maximum, number > maximum { return .numberTooLarge }
        case (.integer(let number), .real(let minimum, let maximum)?):
            // A decimal without a fraction.
            if let minimum, Double(number) < minimum { return .numberTooSmall }
            if let maximum, Double(number) > maximum { return .numberTooLarge }
        case (.real(let seconds), .date(let minimum, let maximum)?):
            if let minimum, seconds < minimum { return .dateTooSoon }
            if let maximum, seconds > maximum { return .dateTooLate }
        case (.text(let range), .real(let minimum, let maximum)?):
            let number = Double(String(decoding: arena[range.range], as: UTF8.self)) ?? 0
            if let minimum, number < minimum { return .numberTooSmall }
            if let maximum, number > maximum { return .numberTooLarge }
        case (.text(let range), .text(let minimum, let maximum, let pattern)?):
            return textFault(arena[range.range], minimum, maximum, pattern)
        default: break
        }
        return nil
    }

    private func textFault(
        _ bytes: ArraySlice<UInt8>, _ minimum: Int?, _ maximum: Int?, _ pattern: NSRegularExpression?
    ) -> ValidationFault? {
        if minimum != nil || maximum != nil {
            // Continuation bytes begin no unit; four-byte sequences make two.
            let units = bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
            if let minimum, units < minimum { return .textTooShort }
            if let maximum, units > maximum { return .textTooLong }
        }
        if let pattern {
            let text = String(decoding: bytes, as: UTF8.self)
            let whole = NSRange(text.startIndex..., in: text)
            // The whole text must match, as with MATCHES.
            guard let match = pattern.firstMatch(in: text, options: .anchored, range: whole),
                match.range.length == whole.length
            else { return .patternMismatch }
        }
        return nil
    }
}

/// A rule of the model that a value breaks.
enum ValidationFault: Equatable, Sendable {
    case missing, numberTooLarge, numberTooSmall, dateTooLate, dateTooSoon, textTooLong, textTooShort, patternMismatch

    /// Cocoa's error number.
    var code: Int {
        switch self {
        case .missing: 1570
        case .numberTooLarge: 1610
        case .numberTooSmall: 1620
        case .dateTooLate: 1630
        case .dateTooSoon: 1640
        case .textTooLong: 1660
        case .textTooShort: 1670
        case .patternMismatch: 1680
        }
    }

    var sentence: String {
        switch self {
        case .missing: "the attribute is required and has no value"
        case .numberTooLarge: "the number is larger than the model allows"
        case .numberTooSmall: "the number is smaller than the model allows"
        case .dateTooLate: "the date is later than the model allows"
        case .dateTooSoon: "the date is sooner than the model allows"
        case .textTooLong: "the text is longer than the model allows"
        case .textTooShort: "the text is shorter than the model allows"
        case .patternMismatch: "the text does not match the model's pattern"
        }
    }
}
