import DocumentReading
import KeyedArchives
import ManagedObjectModels
import SQLiteAccess
import XMLStores

/// Reads the objects of an XML store in the order of the file.
final class XMLObjectReader: ObjectReader {
    /// The properties of an entity that are needed for each of its objects.
    private final class Entity {
        let form: EntityForm
        let type: [UInt8]
        let attributes: XMLPropertyNames
        let types: [AttributeType]
        let relationships: XMLPropertyNames
        let isToMany: [Bool]

        init(_ form: EntityForm) {
            self.form = form
            type = Array(form.name.uppercased().utf8)
            attributes = XMLPropertyNames(form.attributes.map { $0.name.lowercased() })
            types = form.attributes.map(\.type)
            relationships = XMLPropertyNames(form.relationships.map { $0.name.lowercased() })
            isToMany = form.relationships.map(\.isToMany)
        }
    }

    private let records: XMLStoreReader
    private let path: String
    private let entities: [Entity]
    private let slots: [String: Int]
    @exclusivity(unchecked) private var record = XMLStoreRecord()
    @exclusivity(unchecked) private var lastSlot = 0
    /// The index of each relationship in the record; -1 if the record does not have it.
    @exclusivity(unchecked) private var linkIndexes: [Int] = []

    init(_ records: XMLStoreReader, path: String, forms: ObjectForms) {
        self.records = records
        self.path = path
        entities = forms.entities.map { Entity($0) }
        slots = Dictionary(
            forms.entities.map { ($0.name.uppercased(), $0.slot) }, uniquingKeysWith: { first, _ in first })
    }

    func next(_ object: inout StoredObject) throws -> Bool {
        // The record is moved out of this object meanwhile, because parts of a class instance would be retained at each
        // use.
        var record = XMLStoreRecord()
        swap(&record, &self.record)
        defer { swap(&record, &self.record) }
        guard try records.next(into: &record) else { return false }
        if entities.isEmpty || !XMLPropertyNames.isEqual(record.bytes, record.type, entities[lastSlot].type) {
            guard let slot = slots[record.string(record.type)] else {
                throw error("the model has no entity \(record.string(record.type))", line: record.line)
            }
            lastSlot = slot
        }
        let entity = entities[lastSlot]
        object.begin(entity.form, key: try key(record.id, of: record, line: record.line))
        try takeAttributes(record, entity, into: &object)
        try takeLinks(record, entity, into: &object)
        return true
    }

    private func takeAttributes(
        _ record: borrowing XMLStoreRecord, _ entity: Entity, into object: inout StoredObject
    ) throws {
        // Objects of an entity usually have their attributes in the same order.
        var expected = 0
        for attribute in record.attributes {
            guard let place = entity.attributes.place(of: attribute.name, in: record.bytes, expected) else {
                throw error(
                    "\(entity.form.name) has no attribute \(record.string(attribute.name)) in the model",
                    line: attribute.line)
            }
            guard object.values[place] == .null else {
                throw error("the attribute \(record.string(attribute.name)) occurs twice", line: attribute.line)
            }
            expected = place + 1
            let type = entity.types[place]
            guard object.take(record.bytes.span.extracting(attribute.text), as: type, at: place) else {
                let text = record.string(attribute.text.prefix(40))
                throw error(
                    "\"\(text)\" is not a value of type \(type.name) for \(entity.form.name)."
                        + entity.form.attributes[place].name, line: attribute.line)
            }
        }
    }

    private func takeLinks(
        _ record: borrowing XMLStoreRecord, _ entity: Entity, into object: inout StoredObject
    ) throws {
        linkIndexes.removeAll(keepingCapacity: true)
        for _ in entity.isToMany { linkIndexes.append(-1) }
        var expected = 0
        for (index, relationship) in record.relationships.enumerated() {
            guard let place = entity.relationships.place(of: relationship.name, in: record.bytes, expected) else {
                throw error(
                    "\(entity.form.name) has no relationship \(record.string(relationship.name)) in the model",
                    line: relationship.line)
            }
            guard linkIndexes[place] < 0 else {
                throw error(
                    "the relationship \(record.string(relationship.name)) occurs twice", line: relationship.line)
            }
            linkIndexes[place] = index
            expected = place + 1
        }
        for (place, index) in linkIndexes.enumerated() {
            if index >= 0 {
                let relationship = record.relationships[index]
                var count = 0
                var start = relationship.ids.lowerBound
                while start < relationship.ids.upperBound {
                    var end = start
                    while end < relationship.ids.upperBound, record.bytes[end] > 0x20 { end += 1 }
                    if end > start {
                        object.appendLink(try key(start..<end, of: record, line: relationship.line))
                        count += 1
                    }
                    start = end + 1
                }
                if count > 1, !entity.isToMany[place] {
                    throw error(
                        "the to-one \(entity.form.relationships[place].name) has \(count) objects",
                        line: relationship.line)
                }
            }
            object.endRelationship()
        }
    }

    /// Returns the number in an ID such as `z102`.
    private func key(_ range: Range<Int>, of record: borrowing XMLStoreRecord, line: Int) throws -> Int64 {
        var number: Int64 = 0
        let digits = range.dropFirst()
        var isNumber = !digits.isEmpty && digits.count < 19 && record.bytes[range.lowerBound] == UInt8(ascii: "z")
        if isNumber {
            for index in digits {
                let byte = record.bytes[index]
                guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else {
                    isNumber = false
                    break
                }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
        }
        guard isNumber, number > 0, number <= highestAcceptedKey else {
            throw error("\"\(record.string(range.prefix(40)))\" is not an id: z and a number", line: line)
        }
        return number
    }

    private func error(_ sentence: String, line: Int) -> DocumentError {
        DocumentError(.unacceptable, sentence, at: SourceLocation(file: path, line: line))
    }
}
