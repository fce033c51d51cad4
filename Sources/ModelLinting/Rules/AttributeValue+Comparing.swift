internal import ManagedObjectModels

extension AttributeValue {
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
}

enum ShortNumber {
    /// A number without the `.0` of a whole one.
    static func of(_ number: Double) -> String {
        let text = String(number)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
