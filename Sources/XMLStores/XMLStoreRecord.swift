/// An object of an XML store as bytes: what `XMLStoreObject` holds in strings, for readers of millions of objects.
///
/// A record is filled again for each object and keeps its memory. Names and types are UTF-8. Texts may hold halves of
/// surrogate pairs, each as the three bytes that UTF-8 would have for it.
public struct XMLStoreRecord: Sendable {
    /// A value of an attribute, as ranges of the record's bytes.
    public struct Attribute: Sendable {
        /// The attribute's name, in lower case.
        public internal(set) var name = 0..<0
        /// The type that the file names, as in `int16`.
        public internal(set) var type = 0..<0
        /// The text with its escapes undone.
        public internal(set) var text = 0..<0
        /// The line where the element begins, from 1.
        public internal(set) var line = 0
    }

    /// The objects that a relationship leads to, as ranges of the record's bytes.
    public struct Relationship: Sendable {
        /// The relationship's name, in lower case.
        public internal(set) var name = 0..<0
        /// The name of the destination entity, in upper case.
        public internal(set) var destination = 0..<0
        /// Ids, with spaces between.
        public internal(set) var ids = 0..<0
        /// The line where the element begins, from 1.
        public internal(set) var line = 0
    }

    /// What all ranges lead to.
    public internal(set) var bytes: [UInt8] = []
    /// The entity's name, in upper case.
    public internal(set) var type = 0..<0
    /// The object's ID: `z` and a number.
    public internal(set) var id = 0..<0
    /// The values that are not nil, in the order of the file.
    public internal(set) var attributes: [Attribute] = []
    /// The relationships, in the order of the file.
    public internal(set) var relationships: [Relationship] = []
    /// The line where the object's element begins, from 1.
    public internal(set) var line = 0

    /// Makes a record without an object, to be filled.
    public init() {}

    /// A text of the record for a message, bad UTF-8 replaced.
    public func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func removeAll() {
        // What large values took is given back: some hundred records circulate.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
        attributes.removeAll(keepingCapacity: true)
        relationships.removeAll(keepingCapacity: true)
    }
}
