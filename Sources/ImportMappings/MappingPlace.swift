/// A part of an import mapping, the subject of a message or a comment.
///
/// Each component narrows the preceding one; a place without components is the whole mapping.
public struct MappingPlace: Equatable, Hashable, Sendable {
    /// The index of the source.
    public var source: Int?
    /// The index of the object mapping in its source.
    public var object: Int?
    /// The name of an attribute or relationship.
    public var property: String?
    /// A key of the mapping file, such as `date` or `by`; for an element of a key's list, with its number: `key.0`.
    public var key: String?

    /// Makes a place; without arguments it is the whole mapping.
    public init(source: Int? = nil, object: Int? = nil, property: String? = nil, key: String? = nil) {
        self.source = source
        self.object = object
        self.property = property
        self.key = key
    }

    /// The places that contain this one, beginning with itself and ending with the whole mapping.
    var enclosing: [MappingPlace] {
        var places = [self]
        var place = self
        while place != MappingPlace() {
            if let key = place.key, let point = key.lastIndex(of: ".") {
                place.key = String(key[..<point])
            } else if place.key != nil {
                place.key = nil
            } else if place.property != nil {
                place.property = nil
            } else if place.object != nil {
                place.object = nil
            } else {
                place.source = nil
            }
            places.append(place)
        }
        return places
    }
}

extension MappingPlace {
    /// Returns the place of a key in this one; if this is a key, of a part of it.
    package func key(_ name: String) -> MappingPlace {
        var place = self
        place.key = key.map { "\($0).\(name)" } ?? name
        return place
    }

    /// Returns the place of an attribute or relationship in this one.
    func property(_ name: String) -> MappingPlace {
        var place = self
        place.property = name
        return place
    }
}
