internal import ManagedObjectModels

extension AttributeValue {
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// Returns whether the value is smaller than another: integers are compared exactly, others as Double.
    func isBelow(_ other: AttributeValue) -> Bool {
        if case (.integer(let number), .integer(let limit)) = (self, other) { return number < limit }
        guard let number, let limit = other.number else { return false }
        return number < limit
    }
}

enum ShortNumber {
    /// Returns a bound or a default as text; nil for a value without an order.
    static func of(_ value: AttributeValue) -> String? {
        if case .integer(let number) = value { return String(number) }
        return value.number.map { of($0) }
    }

    /// Returns a number as text, without the `.0` of whole numbers.
    static func of(_ number: Double) -> String {
        let text = String(number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
