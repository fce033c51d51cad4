import ManagedObjectModels
import PredicateExpressions
import SQLiteAccess

/// The rules of the model for one attribute's values, made ready for a loop.
struct AttributeCheck {
    enum Rule {
        case integer(minimum: Int64?, maximum: Int64?)
        case real(minimum: Double?, maximum: Double?)
        case date(minimum: Double?, maximum: Double?)
        /// Lengths in UTF-16 units, as Core Data counts.
        case text(minimum: Int64?, maximum: Int64?)
    }

    let isOptional: Bool
    private let rule: Rule?
    /// The regular expression, and the model's other predicates.
    private let predicates: PredicateCheck?

    /// - Parameter localization: the warnings of predicates in a language.
    init(_ attribute: ResolvedAttribute, localization: LocalizationDictionary? = nil) throws(ImportPlanError) {
        isOptional = attribute.isOptional
        let validation = attribute.description.validation
        predicates = try PredicateCheck(validation, type: attribute.type, localization: localization)
        let (minimum, maximum) = (validation.minimum, validation.maximum)
        guard minimum != nil || maximum != nil else {
            rule = nil
            return
        }
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            rule = .integer(minimum: minimum.flatMap(Self.integer), maximum: maximum.flatMap(Self.integer))
        case .double, .float, .decimal:
            rule = .real(minimum: minimum?.number, maximum: maximum?.number)
        case .date: rule = .date(minimum: minimum?.number, maximum: maximum?.number)
        case .string: rule = .text(minimum: minimum.flatMap(Self.integer), maximum: maximum.flatMap(Self.integer))
        default: rule = nil
        }
    }

    /// Whether any value that is there may break a rule.
    var hasRules: Bool { rule != nil || predicates != nil }

    /// Predicates that cannot be evaluated, as text: values may break them.
    var unknownPredicates: [String] { predicates?.unknown ?? [] }

    /// A bound for integers and lengths; what is beyond all of them is the last.
    private static func integer(_ value: AttributeValue) -> Int64? {
        if case .integer(let number) = value { return number }
        guard let number = value.number, !number.isNaN else { return nil }
        return Int64(exactly: number) ?? (number >= 0x1p63 ? .max : number < -0x1p63 ? .min : Int64(number))
    }

    /// What a value breaks, nil if it is allowed.
    func fault(_ value: ConvertedValue, in arena: [UInt8]) -> ValidationFault? {
        if value == .null { return isOptional ? nil : .missing }
        return boundsFault(value, in: arena) ?? predicates?.fault(value, in: arena)
    }

    private func boundsFault(_ value: ConvertedValue, in arena: [UInt8]) -> ValidationFault? {
        switch (value, rule) {
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
        case (.text(let range), .text(let minimum, let maximum)?):
            // Continuation bytes begin no unit; four-byte sequences make two.
            let units: Int64 = arena[range.range].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
            if let minimum, units < minimum { return .textTooShort }
            if let maximum, units > maximum { return .textTooLong }
        default: break
        }
        return nil
    }
}
