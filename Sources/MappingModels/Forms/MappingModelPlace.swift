/// A part of a mapping model to which an error can refer.
public struct MappingModelPlace: Sendable, Hashable {
    /// The name of the entity mapping; nil for the model as a whole.
    public var entityMapping: String?

    /// The name of the property mapping; nil for the entity mapping as a whole.
    public var property: String?

    /// A key of the part, such as `filter` or `source`; nil for the part as a whole.
    public var key: String?

    /// Makes a place; without arguments it is the mapping model as a whole.
    public init(entityMapping: String? = nil, property: String? = nil, key: String? = nil) {
        self.entityMapping = entityMapping
        self.property = property
        self.key = key
    }

    /// This part and those that contain it, from the innermost outwards.
    var enclosing: [MappingModelPlace] {
        var places = [self]
        if key != nil { places.append(MappingModelPlace(entityMapping: entityMapping, property: property)) }
        if property != nil { places.append(MappingModelPlace(entityMapping: entityMapping)) }
        if entityMapping != nil { places.append(MappingModelPlace()) }
        return places
    }

    /// `EntityMapping.property: `, for files without meaningful line numbers.
    var words: String {
        guard let entityMapping else { return "" }
        return ([entityMapping, property].compactMap(\.self) as [String]).joined(separator: ".") + ": "
    }
}
