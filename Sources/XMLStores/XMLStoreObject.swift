public import DocumentReading

/// An object of an XML store as the file holds it: values as text, with the types that the file names.
public struct XMLStoreObject: Sendable, Hashable {
    /// A value under an attribute's name. Attributes that are nil have no element.
    public struct Attribute: Sendable, Hashable {
        /// The attribute's name in lower case, as all names of properties are in these files.
        public var name: String

        /// `string`, `int16`, `bool`, `date`, `binary` and so on.
        public var type: String

        /// The value, with the escapes of the format undone; base 64 of data is not decoded.
        public var text: String

        /// Makes an attribute of a name in lower case, a type of the format, and the text of the value.
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

        /// The fewest objects that the model asks for.
        public var minimumCount: Int
        /// The most objects that the model allows; 0 stands for any number.
        public var maximumCount: Int

        /// The destination entity's name, in upper case.
        public var destination: String

        /// The ids of the related objects, in the file's order, which is the order of an ordered relationship.
        public var ids: [String]

        /// Makes a relationship; names and numbers are as the file has them.
        public init(name: String, minimumCount: Int, maximumCount: Int, destination: String, ids: [String]) {
            self.name = name
            self.minimumCount = minimumCount
            self.maximumCount = maximumCount
            self.destination = destination
            self.ids = ids
        }
    }

    /// The entity's name in upper case: two names that differ only in case cannot be told apart.
    public var type: String

    /// `z` and a number.
    public var id: String

    /// The values that are not nil, in the order of the file.
    public var attributes: [Attribute]
    /// The relationships, in the order of the file; also those without objects.
    public var relationships: [Relationship]

    /// Where the object's element begins; nil for an object that was not read from a file.
    public var location: SourceLocation?

    /// Makes an object of an entity's name in upper case, and an ID.
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

    /// The attribute of a name in lower case; nil if there is none. A linear search.
    public func attribute(_ name: String) -> Attribute? {
        attributes.first { $0.name == name }
    }

    /// The relationship of a name in lower case; nil if there is none. A linear search.
    public func relationship(_ name: String) -> Relationship? {
        relationships.first { $0.name == name }
    }
}
