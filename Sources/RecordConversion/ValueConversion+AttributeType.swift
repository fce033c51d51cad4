public import ManagedObjectModels

extension ValueConversion {
    /// Creates the conversion to a type of attribute; nil for types that cannot be made from a single value.
    ///
    /// The data of a transformable attribute are stored unchanged, as for a binary attribute.
    public init?(attributeType type: AttributeType) {
        switch type {
        case .integer16, .integer32, .integer64:
            guard let range = type.integerRange else { return nil }
            self = .integer(range)
        case .decimal: self.init(.decimal)
        case .double: self.init(.double)
        case .float: self.init(.float)
        case .string: self.init(.string)
        case .boolean: self.init(.boolean)
        case .date: self.init(.date)
        case .binaryData, .transformable: self.init(.binary)
        case .uuid: self.init(.uuid)
        case .uri: self.init(.uri)
        case .undefined, .objectID, .composite: return nil
        }
    }
}
