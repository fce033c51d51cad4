public import KeyedArchives

extension KeyedArchiveBuilder {
    /// Returns the object that `NSAttributeDescription` and value transformers archive for a value; nil for a text that
    /// is not a value of the type.
    public mutating func value(_ value: AttributeValue, of type: AttributeType) -> Reference? {
        switch value {
        case .integer(let number): scalar(.integer(number))
        case .decimal(let text): DecimalNumber(text).map { decimal($0) }
        case .real(let number): scalar(.real(type == .float ? Double(Float(number)) : number))
        case .string(let text): string(text)
        case .boolean(let flag): scalar(.boolean(flag))
        case .date(let seconds): date(seconds)
        case .binary(let bytes): scalar(.data(bytes))
        case .uuid(let bytes): uuid(bytes)
        case .uri(let text): url(text)
        case .array(let elements): array(elements.map { self.value($0, of: .undefined) ?? .null })
        case .unparsed: nil
        }
    }
}
