/// The texts of an attribute's default and bounds, kept until its type is known.
struct ContentsAttributeValues {
    var defaultText: String?
    var defaultInterval: String?
    var minimumText: String?
    var minimumInterval: String?
    var maximumText: String?
    var maximumInterval: String?

    /// Sets the attribute's typed values; returns warnings for the texts that are not values of the type.
    func assign(to attribute: inout AttributeDescription) -> [ModelWarning.Code] {
        var warnings: [ModelWarning.Code] = []
        let type = attribute.type
        // The bounds of a string are lengths.
        let boundType = type == .string ? .integer64 : type
        attribute.defaultValue = Self.value(
            (.defaultValueString, defaultText), (.defaultDateTimeInterval, defaultInterval), of: type, &warnings)
        attribute.validation.minimum = Self.value(
            (.minValueString, minimumText), (.minDateTimeInterval, minimumInterval), of: boundType, &warnings)
        attribute.validation.maximum = Self.value(
            (.maxValueString, maximumText), (.maxDateTimeInterval, maximumInterval), of: boundType, &warnings)
        return warnings
    }

    /// Returns a value. A date is given as an interval; the text is only how Xcode displays it.
    private static func value(
        _ text: (field: ContentsField, value: String?), _ interval: (field: ContentsField, value: String?),
        of type: AttributeType, _ warnings: inout [ModelWarning.Code]
    ) -> AttributeValue? {
        if let seconds = interval.value {
            if type == .date, let number = AttributeValue.real(in: seconds) { return .date(number) }
            let expected = type == .date ? "a number of seconds" : "meant for the type \(type.name)"
            warnings.append(.unparsedValue(attribute: interval.field.rawValue, text: seconds, expected: expected))
            if text.value == nil { return .unparsed(seconds) }
        }
        guard let content = text.value else { return nil }
        let value = AttributeValue(content, of: type)
        guard value == .unparsed(content) else { return value }
        if let compiled = AttributeValue(compiling: content, of: type) {
            warnings.append(
                .compiledOtherwise(
                    attribute: text.field.rawValue, text: content, value: compiled.contentsText ?? content))
            return compiled
        }
        let expected = "a value of the type \(type.name)"
        warnings.append(.unparsedValue(attribute: text.field.rawValue, text: content, expected: expected))
        return value
    }
}
