internal import ManagedObjectModels

extension AttributeValue {
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// Whether the value is smaller than another: whole numbers exactly, all others as a Double has them.
    func isBelow(_ other: AttributeValue) -> Bool {
        if case (.integer(let number), .integer(let limit)) = (self, other) { return number < limit }
        guard let number, let limit = other.number else { return false }
        return number < limit
    }
}

enum ShortNumber {
    /// A bound or a default as a number; nil for a value that has no order.
    static func of(_ value: AttributeValue) -> String? {
        if case .integer(let number) = value { return String(number) }
        return value.number.map { of($0) }
    }

    /// A number without the `.0` of a whole one.
    static func of(_ number: Double) -> String {
        let text = String(number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
