import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes a binary store object by object (docs/format/binary-store.md).
final class BinaryObjectWriter: ObjectWriter {
    private let output: BufferedOutput
    private let archive: ArchiveOutput
    private let forms: ObjectForms
    private let metadata: StoreMetadata
    private let highestKey: Int64
    private let findings: ConversionFindings
    /// The key and the entry of each object, for the map at the end.
    private let nodes: ScratchFile
    private var nodeCount = 0

    /// Property list objects for keys, and references to entries that many objects share.
    private var texts: [String: UInt64] = [:]
    private var classes: [String: UInt64] = [:]
    private var sharedUIDs: [UInt64: UInt64] = [:]
    /// The entries of entities' and relationships' names.
    private var names: [String: UInt64] = [:]
    private var null: UInt64 = 0
    /// Entries to which all references are one.
    private var sharedEntries: Set<UInt64> = []
    private var units: [UInt16] = []

    init(
        _ output: BufferedOutput, forms: ObjectForms, metadata: StoreMetadata, highestKey: Int64,
        findings: ConversionFindings
    ) throws {
        self.output = output
        self.forms = forms
        self.metadata = metadata
        self.highestKey = highestKey
        self.findings = findings
        output.buffer += [UInt8](repeating: 0, count: Int(BinaryStoreHeader.size))
        nodes = try ScratchFile(beside: output.path, limits: output.limits)
        archive = try ArchiveOutput(output)
        null = try instance("NSNull", ["NSNull", "NSObject"], [])
        sharedEntries.insert(null)
    }

    func append(_ object: borrowing StoredObject) throws {
        let form = forms.entities[object.slot]
        var values: [UInt64] = []
        for place in form.attributes.indices { values.append(try entry(object, form, place)) }
        let list = try array(values)
        var keys: [UInt64] = []
        var lists: [UInt64] = []
        for (place, relationship) in form.relationships.enumerated() {
            keys.append(try name(relationship.name))
            lists.append(try linkArray(object.links(at: place)))
        }
        let related = try instance(
            "NSMutableDictionary", ["NSMutableDictionary", "NSDictionary", "NSObject"],
            [("NS.keys", try references(keys)), ("NS.objects", try references(lists))])
        let key = try archive.object { output.appendInteger(object.key) }
        let node = try instance(
            "NSDictionaryMapNode", ["NSDictionaryMapNode", "NSStoreMapNode", "NSObject"],
            [
                ("NSEntityName", try shared(name(form.name))), ("NSPrimaryKey64", key),
                ("NSAttributeValues", try archive.uid(list)), ("NSRelatedNodes", try archive.uid(related)),
            ])
        try nodes.append(UInt64(bitPattern: object.key), width: 8)
        try nodes.append(node, width: 8)
        nodeCount += 1
    }

    func finish() throws {
        let count = nodeCount
        var firstKey: UInt64 = 0
        var position = 0
        // Keys are entries, one behind the other, and so are the references to them.
        try nodes.forEach(width: 8) { number in
            if position.isMultiple(of: 2) {
                let entry = try archive.entry { output.appendInteger(Int64(bitPattern: number)) }
                if position == 0 { firstKey = entry }
            }
            position += 1
        }
        let keyReferences = archive.objectCount
        for index in 0..<UInt64(count) { _ = try archive.uid(firstKey + index) }
        let nodeReferences = archive.objectCount
        position = 0
        try nodes.forEach(width: 8) { number in
            if !position.isMultiple(of: 2) { _ = try archive.uid(number) }
            position += 1
        }
        let keys = try run(from: keyReferences, count: count)
        let objects = try run(from: nodeReferences, count: count)
        let map = try instance(
            "NSMutableDictionary", ["NSMutableDictionary", "NSDictionary", "NSObject"],
            [("NS.keys", keys), ("NS.objects", objects)])
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

    private func metadataArchive() throws -> [UInt8] {
        var entries = metadata.entries
        entries[StoreMetadata.Key.storeUUID] = .string(metadata.uuid)
        entries[StoreMetadata.Key.autoVacuumLevel] = nil
        var builder = KeyedArchiveBuilder()
        let root = try builder.propertyList(.dictionary(entries))
        return builder.bytes(root: root)
    }

    // MARK: Values

    /// The entry of a value: what Foundation archives it as.
    private func entry(_ object: borrowing StoredObject, _ form: EntityForm, _ place: Int) throws -> UInt64 {
        let type = form.attributes[place].type
        switch object.values[place] {
        case .null: return null
        case .integer(let number):
            return try archive.entry {
                if type == .boolean, number == 0 || number == 1 {
                    output.buffer.append(number == 1 ? 0x09 : 0x08)
                } else {
                    output.appendInteger(number)
                }
            }
        case .real(let number):
            guard type == .date else { return try archive.entry { output.appendReal(number) } }
            return try instance(
                "NSDate", ["NSDate", "NSObject"], [("NS.time", try archive.object { output.appendReal(number) })])
        case .text(let range):
            if type == .decimal { return try decimal(object, form, place, range) }
            let isText = WideText.units(of: object.bytes[range.range], into: &units)
            if !isText { findings.add(.invalidText, "\(form.name).\(form.attributes[place].name)", key: object.key) }
            let text = try archive.entry {
                if units.allSatisfy({ $0 < 0x80 }) {
                    output.appendMarker(0x50, units.count)
                    for unit in units { output.buffer.append(UInt8(unit)) }
                } else {
                    output.appendMarker(0x60, units.count)
                    for unit in units { output.append(UInt64(unit), width: 2) }
                }
            }
            guard type == .uri else { return text }
            return try instance(
                "NSURL", ["NSURL", "NSObject"],
                [("NS.base", try shared(0)), ("NS.relative", try archive.uid(text))])
        case .blob(let range):
            let data = object.bytes[range.range]
            guard type == .uuid else {
                return try archive.entry {
                    output.appendMarker(0x40, data.count)
                    output.buffer += data
                }
            }
            let bytes = try archive.object {
                output.appendMarker(0x40, data.count)
                output.buffer += data
            }
            return try instance("NSUUID", ["NSUUID", "NSObject"], [("NS.uuidbytes", bytes)])
        }
    }

    private func decimal(
        _ object: borrowing StoredObject, _ form: EntityForm, _ place: Int, _ range: ArenaRange
    ) throws -> UInt64 {
        let text = String(decoding: object.bytes[range.range], as: UTF8.self)
        guard let number = DecimalNumber(text) else {
            throw ConversionError(
                .unfitValue(
                    entity: form.name, attribute: form.attributes[place].name, key: object.key, found: text),
                path: output.path)
        }
        let (words, length) = number.archivedMantissa
        func integer(_ value: Int64) throws -> UInt64 { try archive.object { output.appendInteger(value) } }
        func flag(_ value: Bool) throws -> UInt64 { try archive.object { output.buffer.append(value ? 0x09 : 0x08) } }
        return try instance(
            "NSDecimalNumberPlaceholder", ArchivedClass.decimalNumber.names,
            [
                ("NS.exponent", try integer(Int64(number.exponent))), ("NS.length", try integer(Int64(length))),
                ("NS.negative", try flag(number.isNegative)), ("NS.compact", try flag(false)),
                ("NS.mantissa.bo", try integer(1)),
                (
                    "NS.mantissa",
                    try archive.object {
                        output.appendMarker(0x40, words.count)
                        output.buffer += words
                    }
                ),
            ])
    }

    // MARK: Collections

    private func linkArray(_ links: ArraySlice<Int64>) throws -> UInt64 {
        let first = archive.entryCount
        for link in links { _ = try archive.entry { output.appendInteger(link) } }
        let references = archive.objectCount
        for index in 0..<UInt64(links.count) { _ = try archive.uid(first + index) }
        let list = try run(from: references, count: links.count)
        return try instance("NSArray", ["NSArray", "NSObject"], [("NS.objects", list)])
    }

    private func array(_ entries: [UInt64]) throws -> UInt64 {
        try instance("NSArray", ["NSArray", "NSObject"], [("NS.objects", try references(entries))])
    }

    /// A list of references to entries.
    private func references(_ entries: [UInt64]) throws -> UInt64 {
        let uids = try entries.map { sharedEntries.contains($0) ? try shared($0) : try archive.uid($0) }
        return try archive.object {
            output.appendMarker(0xA0, uids.count)
            for uid in uids { output.appendReference(uid) }
        }
    }

    /// A list of property list objects that were added one behind the other.
    private func run(from first: UInt64, count: Int) throws -> UInt64 {
        try archive.object {
            output.appendMarker(0xA0, count)
            for index in 0..<UInt64(count) {
                output.appendReference(first + index)
                try output.flushIfFull()
            }
        }
    }

    // MARK: Instances

    /// An entry that is an object of a class.
    private func instance(
        _ className: String, _ classNames: [String], _ content: [(key: String, value: UInt64)]
    ) throws -> UInt64 {
        if classes[className] == nil { classes[className] = try archive.archivedClass(classNames) }
        let type = try shared(classes[className] ?? 0)
        let keys = try content.map { try text($0.key) } + [try text("$class")]
        return try archive.entry {
            output.appendMarker(0xD0, keys.count)
            for key in keys { output.appendReference(key) }
            for (_, value) in content { output.appendReference(value) }
            output.appendReference(type)
        }
    }

    /// A key, once for all objects.
    private func text(_ text: String) throws -> UInt64 {
        if let known = texts[text] { return known }
        let number = try archive.text(text)
        texts[text] = number
        return number
    }

    /// A reference to an entry that many objects share.
    private func shared(_ entry: UInt64) throws -> UInt64 {
        if let known = sharedUIDs[entry] { return known }
        let number = try archive.uid(entry)
        sharedUIDs[entry] = number
        return number
    }

    /// The entry of a name of the model.
    private func name(_ name: String) throws -> UInt64 {
        if let known = names[name] { return known }
        _ = WideText.units(of: Array(name.utf8)[...], into: &units)
        let entry = try archive.entry {
            output.appendMarker(units.allSatisfy { $0 < 0x80 } ? 0x50 : 0x60, units.count)
            for unit in units {
                output.append(UInt64(unit), width: units.allSatisfy { $0 < 0x80 } ? 1 : 2)
            }
        }
        names[name] = entry
        sharedEntries.insert(entry)
        return entry
    }
}
