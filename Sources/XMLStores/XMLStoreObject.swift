public import DocumentReading

/// An object of an XML store in the form of the file: values as text, with the types that the file names.
public struct XMLStoreObject: Sendable, Hashable {
    /// The value of an attribute. Attributes that are nil have no element.
    public struct Attribute: Sendable, Hashable {
        /// The attribute's name in lower case, as are all names of properties in these files.
        public var name: String

        /// The type: `string`, `int16`, `bool`, `date`, `binary` and so on.
        public var type: String

        /// The value, unescaped; base 64 of data is not decoded.
        public var text: String

        /// Makes an attribute from a name in lower case, a type of the format, and the text of the value.
        public init(name: String, type: String, text: String) {
            self.name = name
            self.type = type
            self.text = text
        }
    }

    /// The objects that a relationship leads to.
    public struct Relationship: Sendable, Hashable {
        /// The relationship's name, in lower case.
        public var name: String

        /// The minimum number of objects in the model.
        public var minimumCount: Int
        /// The maximum number of objects in the model; 0 for no limit.
        public var maximumCount: Int

        /// The destination entity's name, in upper case.
        public var destination: String

        /// The IDs of the related objects, in the file's order, which is that of an ordered relationship.
        public var ids: [String]

        /// Makes a relationship; names and numbers are in the form of the file.
        public init(name: String, minimumCount: Int, maximumCount: Int, destination: String, ids: [String]) {
            self.name = name
            self.minimumCount = minimumCount
            self.maximumCount = maximumCount
            self.destination = destination
            self.ids = ids
        }
    }

    /// The entity's name in upper case: two names that differ only in case are indistinguishable.
    public var type: String

    /// The ID: `z` and a number.
    public var id: String

    /// The attributes that are not nil, in the order of the file.
    public var attributes: [Attribute]
    /// The relationships, in the order of the file, including those without objects.
    public var relationships: [Relationship]

    /// The location of the object's element; nil for an object that was not read from a file.
    public var location: SourceLocation?

    /// Makes an object from its entity's name in upper case, and an ID.
    public init(
        type: String, id: String, attributes: [Attribute] = [], relationships: [Relationship] = [],
        location: SourceLocation? = nil
    ) {
        self.type = type
        self.id = id
        self.attributes = attributes
        self.relationships = relationships
        self.location = location
    }

    /// Returns the attribute with a name in lower case; nil if there is none. A linear search.
    public func attribute(_ name: String) -> Attribute? {
        attributes.first { $0.name == name }
    }

    /// Returns the relationship with a name in lower case; nil if there is none. A linear search.
    public func relationship(_ name: String) -> Relationship? {
        relationships.first { $0.name == name }
    }
}
