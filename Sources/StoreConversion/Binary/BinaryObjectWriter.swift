import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TextEncodings

/// Writes a binary store object by object (docs/format/binary-store.md).
final class BinaryObjectWriter: ObjectWriter {
    /// The properties of an entity that are needed for each of its objects.
    private final class Entity {
        let form: EntityForm
        let types: [AttributeType]
        let relationships: [String]
        /// The reference to the entity's name, and the bytes of the references to the names of its relationships; nil
        /// before the first object.
        @exclusivity(unchecked) var name: UInt64?
        @exclusivity(unchecked) var keys: [UInt8]?

        init(_ form: EntityForm) {
            self.form = form
            types = form.attributes.map(\.type)
            relationships = form.relationships.map(\.name)
        }
    }

    private let output: BufferedOutput
    private let archive: ArchiveOutput
    private let entities: [Entity]
    private let metadata: StoreMetadata
    private let highestKey: Int64
    private let findings: ConversionFindings
    /// The key and the entry of each object, for the object map at the end.
    private let nodes: ScratchFile
    private var nodeCount = 0

    private let nullClass = InstanceClass(["NSNull", "NSObject"])
    private let arrayClass = InstanceClass(["NSArray", "NSObject"], keys: ["NS.objects"])
    private let dictionaryClass = InstanceClass(
        ["NSMutableDictionary", "NSDictionary", "NSObject"], keys: ["NS.keys", "NS.objects"])
    private let nodeClass = InstanceClass(
        ["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"],
        keys: ["NSEntityName", "NSPrimaryKey64", "NSAttributeValues", "NSRelatedNodes"])
    private let dateClass = InstanceClass(["NSDate", "NSObject"], keys: ["NS.time"])
    private let urlClass = InstanceClass(["NSURL", "NSObject"], keys: ["NS.base", "NS.relative"])
    private let uuidClass = InstanceClass(["NSUUID", "NSObject"], keys: ["NS.uuidbytes"])
    private let decimalClass = InstanceClass(
        ArchivedClass.decimalNumber.names,
        keys: ["NS.exponent", "NS.length", "NS.negative", "NS.compact", "NS.mantissa.bo", "NS.mantissa"])

    /// Property list objects of keys that many objects share.
    private var texts: [String: UInt64] = [:]
    private var sharedUIDs: [UInt64: UInt64] = [:]
    /// The entries of the names of entities and relationships.
    private var names: [String: UInt64] = [:]
    /// The entry of nil.
    @exclusivity(unchecked) private var null: UInt64 = 0
    /// The reference to nil; nil before the first one.
    @exclusivity(unchecked) private var nullUID: UInt64?

    // Memory that is reused for the next object.
    @exclusivity(unchecked) private var units: [UInt16] = []
    @exclusivity(unchecked) private var values: [UInt64] = []
    @exclusivity(unchecked) private var lists: [UInt64] = []

    init(
        _ output: BufferedOutput, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64,
        findings: ConversionFindings
    ) throws {
        self.output = output
        self.metadata = metadata
        self.highestKey = highestKey
        self.findings = findings
        entities = forms.entities.map { Entity($0) }
        output.buffer += [UInt8](repeating: 0, count: Int(BinaryStoreHeader.size))
        nodes = try ScratchFile(beside: output.path, limits: output.limits)
        archive = try ArchiveOutput(output)
        null = try beginInstance(nullClass)
        output.appendReference(nullClass.type)
    }

    func append(_ object: borrowing StoredObject) throws {
        let entity = entities[object.slot]
        let bytes = object.bytes
        values.removeAll(keepingCapacity: true)
        for place in entity.types.indices {
            values.append(try entry(object.values[place], of: object.key, entity, place, bytes.span))
        }
        for place in values.indices { values[place] = try reference(toValue: values[place]) }
        let list = try array(try archive.list(values))
        lists.removeAll(keepingCapacity: true)
        try appendLinks(of: object, entity)
        let keys = try keyList(of: entity)
        for place in lists.indices { lists[place] = try archive.uid(lists[place]) }
        let related = try dictionary(keys: keys, objects: try archive.list(lists))
        let key = try archive.begin()
        output.appendInteger(object.key)
        let name = try nameReference(of: entity)
        let values = try archive.uid(list)
        let links = try archive.uid(related)
        let node = try beginInstance(nodeClass)
        for reference in [name, key, values, links, nodeClass.type] { output.appendReference(reference) }
        try nodes.append {
            $0.append(bigEndian: UInt64(bitPattern: object.key), bytes: 8)
            $0.append(bigEndian: node, bytes: 8)
        }
        nodeCount += 1
    }

    func finish() throws {
        let count = nodeCount
        var firstKey: UInt64 = 0
        var isFirst = true
        // The keys are consecutive entries, and so are the references to them.
        try forEachNode { key, _ in
            let entry = try archive.beginEntry()
            output.appendInteger(Int64(bitPattern: key))
            if isFirst { firstKey = entry }
            isFirst = false
        }
        let keyReferences = archive.objectCount
        for index in 0..<UInt64(count) { _ = try archive.uid(firstKey + index) }
        let nodeReferences = archive.objectCount
        try forEachNode { _, node in _ = try archive.uid(node) }
        let keys = try run(from: keyReferences, count: count)
        let objects = try run(from: nodeReferences, count: count)
        let map = try dictionary(keys: keys, objects: objects)
        try archive.finish(top: "mapData", map)
        let objectsLength = output.position - BinaryStoreHeader.size
        let description = try metadataArchive()
        output.buffer += description
        try output.flush()
        try output.overwrite(
            BinaryStoreHeader(
                objectsLength: objectsLength, metadataLength: Int64(description.count), highestKey: highestKey
            ).bytes, at: 0)
    }

    /// Calls a closure with the key and the entry of each object.
    private func forEachNode(_ body: (UInt64, UInt64) throws -> Void) throws {
        try nodes.forEachPiece(width: 16) { piece in
            var place = 0
            while place < piece.count {
                try body(piece.bigEndian(at: place, width: 8), piece.bigEndian(at: place + 8, width: 8))
                place += 16
            }
        }
    }

    private func metadataArchive() throws -> [UInt8] {
        var entries = metadata.entries
        entries[StoreMetadata.Key.storeUUID] = .string(metadata.uuid)
        entries[StoreMetadata.Key.autoVacuumLevel] = nil
        var builder = KeyedArchiveBuilder()
        let root = try builder.propertyList(.dictionary(entries))
        return builder.bytes(root: root)
    }

    // MARK: Values

    /// Writes the entry of a value in the form in which Foundation archives it.
    private func entry(
        _ value: ArenaValue, of key: Int64, _ entity: Entity, _ place: Int, _ bytes: Span<UInt8>
    ) throws -> UInt64 {
        switch value {
        case .null: return null
        case .integer(let number):
            let entry = try archive.beginEntry()
            if entity.types[place] == .boolean, number == 0 || number == 1 {
                output.buffer.append(number == 1 ? 0x09 : 0x08)
            } else {
                output.appendInteger(number)
            }
            return entry
        case .real(let number):
            guard entity.types[place] == .date else {
                let entry = try archive.beginEntry()
                output.appendReal(number)
                return entry
            }
            let seconds = try archive.begin()
            output.appendReal(number)
            return try instance(dateClass, seconds)
        case .text(let range):
            let text = bytes.extracting(range.range)
            if entity.types[place] == .decimal { return try decimal(text, of: key, entity, place) }
            let entry = try self.text(text, of: key, entity, place)
            guard entity.types[place] == .uri else { return entry }
            let base = try shared(0)
            return try instance(urlClass, base, try archive.uid(entry))
        case .blob(let range):
            let data = bytes.extracting(range.range)
            guard entity.types[place] == .uuid else {
                let entry = try archive.beginEntry()
                output.appendData(data)
                return entry
            }
            let number = try archive.begin()
            output.appendData(data)
            return try instance(uuidClass, number)
        }
    }

    private func text(_ text: Span<UInt8>, of key: Int64, _ entity: Entity, _ place: Int) throws -> UInt64 {
        if ByteWord.isASCII(text) {
            let entry = try archive.beginEntry()
            output.appendMarker(0x50, text.count)
            output.buffer.append(copying: text)
            return entry
        }
        if !WideText.units(of: text, into: &units) {
            findings.add(.invalidText, "\(entity.form.name).\(entity.form.attributes[place].name)", key: key)
        }
        let entry = try archive.beginEntry()
        output.appendMarker(0x60, units.count)
        output.appendUnits(units)
        return entry
    }

    private func decimal(_ text: Span<UInt8>, of key: Int64, _ entity: Entity, _ place: Int) throws -> UInt64 {
        var digits: [UInt8] = []
        digits.append(copying: text)
        let text = String(decoding: digits, as: UTF8.self)
        guard let number = DecimalNumber(text) else {
            throw ConversionError(
                .unfitValue(
                    entity: entity.form.name, attribute: entity.form.attributes[place].name, key: key, found: text),
                path: output.path)
        }
        let (words, length) = number.archivedMantissa
        func integer(_ value: Int64) throws -> UInt64 {
            let number = try archive.begin()
            output.appendInteger(value)
            return number
        }
        func flag(_ value: Bool) throws -> UInt64 {
            let number = try archive.begin()
            output.buffer.append(value ? 0x09 : 0x08)
            return number
        }
        let exponent = try integer(Int64(number.exponent))
        let count = try integer(Int64(length))
        let isNegative = try flag(number.isNegative)
        let isCompact = try flag(false)
        let byteOrder = try integer(1)
        let mantissa = try archive.begin()
        output.appendData(words.span)
        let entry = try beginInstance(decimalClass)
        for reference in [exponent, count, isNegative, isCompact, byteOrder, mantissa, decimalClass.type] {
            output.appendReference(reference)
        }
        return entry
    }

    /// Returns a reference to the entry of a value; all references to nil are the same.
    private func reference(toValue entry: UInt64) throws -> UInt64 {
        guard entry == null else { return try archive.uid(entry) }
        if let nullUID { return nullUID }
        let number = try shared(null)
        nullUID = number
        return number
    }

    // MARK: Links

    /// Adds the entries of an object's links to the lists. The names of the relationships are written with the first
    /// object.
    private func appendLinks(of object: borrowing StoredObject, _ entity: Entity) throws {
        for place in entity.relationships.indices {
            if entity.keys == nil { _ = try name(entity.relationships[place]) }
            let links = object.links(at: place)
            let first = archive.entryCount
            for link in links {
                _ = try archive.beginEntry()
                output.appendInteger(link)
            }
            let references = archive.objectCount
            for index in 0..<UInt64(links.count) { _ = try archive.uid(first + index) }
            lists.append(try array(try run(from: references, count: links.count)))
        }
    }

    /// Writes an array of the references to the names of an entity's relationships.
    private func keyList(of entity: Entity) throws -> UInt64 {
        if let known = entity.keys {
            let list = try archive.begin()
            output.buffer += known
            return list
        }
        let keys = try entity.relationships.map { try shared(name($0)) }
        let list = try archive.begin()
        let start = output.buffer.count
        output.appendMarker(0xA0, keys.count)
        for key in keys { output.appendReference(key) }
        entity.keys = Array(output.buffer[start...])
        return list
    }

    private func nameReference(of entity: Entity) throws -> UInt64 {
        if let known = entity.name { return known }
        let number = try shared(name(entity.form.name))
        entity.name = number
        return number
    }

    /// Writes an array of consecutive property list objects.
    private func run(from first: UInt64, count: Int) throws -> UInt64 {
        let list = try archive.begin()
        output.appendMarker(0xA0, count)
        for index in 0..<UInt64(count) {
            output.appendReference(first + index)
            try output.flushIfFull()
        }
        return list
    }

    // MARK: Instances

    private func array(_ list: UInt64) throws -> UInt64 { try instance(arrayClass, list) }

    private func dictionary(keys: UInt64, objects: UInt64) throws -> UInt64 {
        try instance(dictionaryClass, keys, objects)
    }

    @inline(__always)
    private func instance(_ type: InstanceClass, _ value: UInt64) throws -> UInt64 {
        let entry = try beginInstance(type)
        output.appendReference(value)
        output.appendReference(type.type)
        return entry
    }

    @inline(__always)
    private func instance(_ type: InstanceClass, _ first: UInt64, _ second: UInt64) throws -> UInt64 {
        let entry = try beginInstance(type)
        output.appendReference(first)
        output.appendReference(second)
        output.appendReference(type.type)
        return entry
    }

    /// Begins an entry that is an instance of a class. The references to its values and to its class must follow.
    @inline(__always)
    private func beginInstance(_ type: InstanceClass) throws -> UInt64 {
        if type.beginning == nil { try prepare(type) }
        let entry = try archive.beginEntry()
        if let beginning = type.beginning { output.buffer += beginning }
        return entry
    }

    /// Writes the parts that all instances of a class share.
    private func prepare(_ type: InstanceClass) throws {
        type.type = try shared(archive.archivedClass(type.names))
        var beginning: [UInt8] = []
        let keys = try type.keys.map { try text($0) } + [try text("$class")]
        // The class with the most keys is NSDecimalNumber, with seven.
        beginning.append(0xD0 | UInt8(keys.count))
        for key in keys { beginning.append(bigEndian: key, bytes: 4) }
        type.beginning = beginning
    }

    /// Returns a key, which is written once for all objects.
    private func text(_ text: String) throws -> UInt64 {
        if let known = texts[text] { return known }
        let number = try archive.text(text)
        texts[text] = number
        return number
    }

    /// Returns a reference to an entry that many objects share.
    private func shared(_ entry: UInt64) throws -> UInt64 {
        if let known = sharedUIDs[entry] { return known }
        let number = try archive.uid(entry)
        sharedUIDs[entry] = number
        return number
    }

    /// Returns the entry of a name in the model.
    private func name(_ name: String) throws -> UInt64 {
        if let known = names[name] { return known }
        let bytes = Array(name.utf8)
        let entry = try archive.beginEntry()
        if ByteWord.isASCII(bytes.span) {
            output.appendMarker(0x50, bytes.count)
            output.buffer += bytes
        } else {
            _ = WideText.units(of: bytes.span, into: &units)
            output.appendMarker(0x60, units.count)
            output.appendUnits(units)
        }
        names[name] = entry
        return entry
    }
}
