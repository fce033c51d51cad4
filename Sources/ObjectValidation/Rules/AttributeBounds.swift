import ManagedObjectModels
import SQLiteAccess

/// The minimum and maximum value of one attribute.
enum AttributeBounds: Sendable {
    case integer(minimum: Int64?, maximum: Int64?)
    case real(minimum: Double?, maximum: Double?)
    /// Dates, in seconds since 2001.
    case date(minimum: Double?, maximum: Double?)
    /// Lengths in UTF-16 units, as Core Data counts.
    case text(minimum: Int64?, maximum: Int64?)

    /// Returns nil if the model has no bounds, or values of the type have no order.
    init?(_ validation: AttributeValidation, type: AttributeType) {
        let (minimum, maximum) = (validation.minimum, validation.maximum)
        guard minimum != nil || maximum != nil else { return nil }
        switch type {
        case .integer16, .integer32, .integer64:
            self = .integer(
                minimum: minimum.flatMap { Self.integer($0, .up) }, maximum: maximum.flatMap { Self.integer($0, .down) }
            )
        case .double, .float, .decimal: self = .real(minimum: minimum?.number, maximum: maximum?.number)
        case .date: self = .date(minimum: minimum?.number, maximum: maximum?.number)
        case .string:
            self = .text(
                minimum: minimum.flatMap { Self.integer($0, .up) }, maximum: maximum.flatMap { Self.integer($0, .down) }
            )
        default: return nil
        }
    }

    /// Returns a bound for integers and lengths; one beyond their range becomes its limit.
    private static func integer(_ value: AttributeValue, _ rule: FloatingPointRoundingRule) -> Int64? {
        if case .integer(let number) = value { return number }
        guard let number = value.number?.rounded(rule), !number.isNaN else { return nil }
        return Int64(exactly: number) ?? (number > 0 ? .max : .min)
    }

    /// Returns the bound that a value violates; nil if it is allowed.
    func fault(_ value: ArenaValue, in arena: [UInt8]) -> ValidationFault? {
        switch (value, self) {
        case (.integer(let number), .integer(let minimum, let maximum)):
            if let minimum, number < minimum { return .numberTooSmall }
            if let maximum, number > maximum { return .numberTooLarge }
        case (.real(let number), .real(let minimum, let maximum)):
            return Self.fault(number, minimum, maximum)
        case (.integer(let number), .real(let minimum, let maximum)):
            // A decimal without a fraction.
            return Self.fault(Double(number), minimum, maximum)
        case (.real(let seconds), .date(let minimum, let maximum)):
            if let minimum, seconds < minimum { return .dateTooSoon }
            if let maximum, seconds > maximum { return .dateTooLate }
        case (.text(let range), .real(let minimum, let maximum)):
            let number = Double(String(decoding: arena[range.range], as: UTF8.self)) ?? 0
            return Self.fault(number, minimum, maximum)
        case (.text(let range), .text(let minimum, let maximum)):
            let units = TextLength.units(arena[range.range])
            if let minimum, units < minimum { return .textTooShort }
            if let maximum, units > maximum { return .textTooLong }
        default: break
        }
        return nil
    }

    private static func fault(_ number: Double, _ minimum: Double?, _ maximum: Double?) -> ValidationFault? {
        if let minimum, number < minimum { return .numberTooSmall }
        if let maximum, number > maximum { return .numberTooLarge }
        return nil
    }
}
