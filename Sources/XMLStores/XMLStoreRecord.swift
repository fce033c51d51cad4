/// An object of an XML store as bytes: what `XMLStoreObject` holds in strings, for readers of millions of objects.
///
/// A record is filled again for each object and keeps its memory. Names and types are UTF-8. Texts may hold halves of
/// surrogate pairs, each as the three bytes that UTF-8 would have for it.
public struct XMLStoreRecord: Sendable {
    public struct Attribute: Sendable {
        public internal(set) var name = 0..<0
        public internal(set) var type = 0..<0
        /// The text with its escapes undone.
        public internal(set) var text = 0..<0
        public internal(set) var line = 0
    }

    public struct Relationship: Sendable {
        public internal(set) var name = 0..<0
        public internal(set) var destination = 0..<0
        /// Ids, with spaces between.
        public internal(set) var ids = 0..<0
        public internal(set) var line = 0
    }

    /// What all ranges lead to.
    public internal(set) var bytes: [UInt8] = []
    public internal(set) var type = 0..<0
    public internal(set) var id = 0..<0
    public internal(set) var attributes: [Attribute] = []
    public internal(set) var relationships: [Relationship] = []
    /// The line where the object's element begins, from 1.
    public internal(set) var line = 0

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
