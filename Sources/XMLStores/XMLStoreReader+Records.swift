public import DocumentReading
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

extension XMLStoreReader {
    /// Fills a record with the next object; false behind the last one.
    ///
    /// Throws `DocumentError` as `next()` does.
    public func next(into record: inout XMLStoreRecord) throws(DocumentError) -> Bool {
        guard try nextElement() else { return false }
        guard meaning(reader.nameIndex) == .object else {
            throw reader.error("an XML store has objects here, not \"\(reader.name.qualifiedName)\"")
        }
        record.removeAll()
        record.line = reader.line
        guard let type = take(.type, into: &record.bytes), let id = take(.id, into: &record.bytes) else {
            throw reader.error("an object needs a type and an id")
        }
        record.type = type
        record.id = id
        while try nextElement() {
            switch meaning(reader.nameIndex) {
            case .attribute: try takeAttribute(into: &record)
            case .relationship: try takeRelationship(into: &record)
            default:
                throw reader.error(
                    "an object has attributes and relationships, not \"\(reader.name.qualifiedName)\"")
            }
        }
        return true
    }

    private func takeAttribute(into record: inout XMLStoreRecord) throws(DocumentError) {
        var attribute = XMLStoreRecord.Attribute()
        attribute.line = reader.line
        guard let name = take(.name, into: &record.bytes), let type = take(.type, into: &record.bytes) else {
            throw reader.error("an attribute needs a name and a type")
        }
        attribute.name = name
        attribute.type = type
        let start = record.bytes.count
        reading: while let event = try reader.next() {
            switch event {
            case .text: reader.withText { XMLStoreText.appendUnescaped($0, to: &record.bytes) }
            case .endElement: break reading
            case .startElement: throw reader.error("no element is expected inside this one")
            }
        }
        attribute.text = start..<record.bytes.count
        record.attributes.append(attribute)
    }

    private func takeRelationship(into record: inout XMLStoreRecord) throws(DocumentError) {
        var relationship = XMLStoreRecord.Relationship()
        relationship.line = reader.line
        guard let name = take(.name, into: &record.bytes), let destination = take(.destination, into: &record.bytes)
        else { throw reader.error("a relationship needs a name and a destination") }
        relationship.name = name
        relationship.destination = destination
        relationship.ids = take(.idrefs, into: &record.bytes) ?? record.bytes.count..<record.bytes.count
        try reader.skipElement()
        record.relationships.append(relationship)
    }

    /// Appends the value of an attribute of the current tag; nil where it has none of that name.
    private func take(_ wanted: XMLStoreName, into bytes: inout [UInt8]) -> Range<Int>? {
        for place in 0..<reader.attributeCount where meaning(reader.attributeNameIndex(at: place)) == wanted {
            let start = bytes.count
            reader.withAttributeValue(at: place) { bytes.append(copying: $0) }
            return start..<bytes.count
        }
        return nil
    }

    /// What a name of the document means here, looked up once for each name.
    private func meaning(_ index: Int) -> XMLStoreName {
        while meanings.count <= index { meanings.append(XMLStoreName(reader.name(at: meanings.count).qualifiedName)) }
        return meanings[index]
    }
}
