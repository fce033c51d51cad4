internal import ManagedObjectModels

extension AttributeValue {
    /// A number to compare with; nil for a value that has no order.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let digits): Double(digits)
        case .real(let number), .date(let number): number
        case .string, .boolean, .binary, .uuid, .uri, .unparsed: nil
        }
    }

    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
}

enum NumberText {
    /// A number without the `.0` of a whole one.
    static func of(_ number: Double) -> String {
        let text = String(number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
