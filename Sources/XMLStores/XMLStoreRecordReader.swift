internal import DocumentReading
import TextEncodings

/// The names of attributes that an XML store's elements have.
enum XMLStoreName: UInt8 {
    case unknown, name, type, id, destination, idrefs
    case object, attribute, relationship

    init(_ name: String) {
        self =
            switch name {
            case "name": .name
            case "type": .type
            case "id": .id
            case "destination": .destination
            case "idrefs": .idrefs
            case "object": .object
            case "attribute": .attribute
            case "relationship": .relationship
            default: .unknown
            }
    }
}

/// Fills records with the objects of a store; a value type, so that nothing is copied or counted for an event.
struct XMLStoreRecordReader {
    var events: XMLEventStream

    /// The meanings of names in the document, by their index.
    private var meanings: [XMLStoreName] = []

    init(_ events: XMLEventStream) {
        self.events = events
    }

    /// Fills a record with the next object; returns false after the last one.
    ///
    /// Throws `DocumentError` as the store's reader does.
    mutating func next(into record: inout XMLStoreRecord) throws(DocumentError) -> Bool {
        guard try events.nextElement() else { return false }
        guard meaning(events.nameIndex) == .object else {
            throw events.error("an XML store has objects here, not \"\(events.name.qualifiedName)\"")
        }
        record.removeAll()
        record.line = events.line
        guard let type = take(.type, into: &record.bytes), let id = take(.id, into: &record.bytes) else {
            throw events.error("an object needs a type and an id")
        }
        record.type = type
        record.id = id
        while try events.nextElement() {
            switch meaning(events.nameIndex) {
            case .attribute: try takeAttribute(into: &record)
            case .relationship: try takeRelationship(into: &record)
            default:
                throw events.error(
                    "an object has attributes and relationships, not \"\(events.name.qualifiedName)\"")
            }
        }
        return true
    }

    private mutating func takeAttribute(into record: inout XMLStoreRecord) throws(DocumentError) {
        var attribute = XMLStoreRecord.Attribute()
        attribute.line = events.line
        guard let name = take(.name, into: &record.bytes), let type = take(.type, into: &record.bytes) else {
            throw events.error("an attribute needs a name and a type")
        }
        attribute.name = name
        attribute.type = type
        let start = record.bytes.count
        reading: while let event = try events.next() {
            switch event {
            case .text: events.withText { XMLStoreText.appendUnescaped($0, to: &record.bytes) }
            case .endElement: break reading
            case .startElement: throw events.error("no element is expected inside this one")
            }
        }
        attribute.text = start..<record.bytes.count
        record.attributes.append(attribute)
    }

    private mutating func takeRelationship(into record: inout XMLStoreRecord) throws(DocumentError) {
        var relationship = XMLStoreRecord.Relationship()
        relationship.line = events.line
        guard let name = take(.name, into: &record.bytes), let destination = take(.destination, into: &record.bytes)
        else { throw events.error("a relationship needs a name and a destination") }
        relationship.name = name
        relationship.destination = destination
        relationship.ids = take(.idrefs, into: &record.bytes) ?? record.bytes.count..<record.bytes.count
        try events.skipElement()
        record.relationships.append(relationship)
    }

    /// Appends the value of an attribute of the current tag; returns nil if it has no such attribute.
    private mutating func take(_ wanted: XMLStoreName, into bytes: inout [UInt8]) -> Range<Int>? {
        for place in 0..<events.attributeCount {
            guard meaning(events.attributeNameIndex(at: place)) == wanted else { continue }
            let start = bytes.count
            events.withAttributeValue(at: place) { bytes.append(copying: $0) }
            return start..<bytes.count
        }
        return nil
    }

    /// Returns the meaning of a name in the document, which is looked up only once per name.
    private mutating func meaning(_ index: Int) -> XMLStoreName {
        while meanings.count <= index { meanings.append(XMLStoreName(events.name(at: meanings.count).qualifiedName)) }
        return meanings[index]
    }
}
