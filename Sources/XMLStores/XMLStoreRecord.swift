/// An object of an XML store as bytes: the contents of an `XMLStoreObject` without strings, for reading millions of
/// objects.
///
/// A record is reused for each object, with its memory. Names and types are UTF-8. Texts may contain lone surrogates,
/// each as the three bytes that UTF-8 would have for it.
public struct XMLStoreRecord: Sendable {
    /// A value of an attribute, as ranges of the record's bytes.
    public struct Attribute: Sendable {
        /// The attribute's name, in lower case.
        public internal(set) var name = 0..<0
        /// The type in the file, such as `int16`.
        public internal(set) var type = 0..<0
        /// The text, unescaped.
        public internal(set) var text = 0..<0
        /// The line on which the element begins, from 1.
        public internal(set) var line = 0
    }

    /// The objects that a relationship leads to, as ranges of the record's bytes.
    public struct Relationship: Sendable {
        /// The relationship's name, in lower case.
        public internal(set) var name = 0..<0
        /// The name of the destination entity, in upper case.
        public internal(set) var destination = 0..<0
        /// The IDs, separated by spaces.
        public internal(set) var ids = 0..<0
        /// The line on which the element begins, from 1.
        public internal(set) var line = 0
    }

    /// The bytes to which all ranges refer.
    public internal(set) var bytes: [UInt8] = []
    /// The entity's name, in upper case.
    public internal(set) var type = 0..<0
    /// The object's ID: `z` and a number.
    public internal(set) var id = 0..<0
    /// The attributes that are not nil, in the order of the file.
    public internal(set) var attributes: [Attribute] = []
    /// The relationships, in the order of the file.
    public internal(set) var relationships: [Relationship] = []
    /// The line on which the object's element begins, from 1.
    public internal(set) var line = 0

    /// Makes an empty record, to be filled.
    public init() {}

    /// Returns a text of the record for a message, with invalid UTF-8 replaced.
    public func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func removeAll() {
        // The memory of large values is released, since some hundred records are in use at once.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
        attributes.removeAll(keepingCapacity: true)
        relationships.removeAll(keepingCapacity: true)
    }
}
