import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TextEncodings

/// Reads the objects of a binary store in the order of its object map.
final class BinaryObjectReader: ObjectReader {
    private let archive: ArchiveFile
    private let forms: ObjectForms
    private let keys: ArchiveFile.References
    private let nodes: ArchiveFile.References
    private var position = 0

    init(path: String, forms: ObjectForms, limits: ConversionLimits) throws {
        self.forms = forms
        try StoreError.checkReach(path)
        let header = try BinaryStoreHeader(path: path)
        archive = try ArchiveFile(path: path, range: header.objects(of: path), limits: limits)
        guard let top = archive.top.first(where: { $0.name == "mapData" }) ?? archive.top.first else {
            throw archive.malformed("its archive has no map")
        }
        let map = try archive.entry(top.uid)
        guard let keys = try archive.elements(of: map, key: "NS.keys"), let nodes = try archive.elements(of: map),
            keys.count == nodes.count
        else { throw archive.malformed("its map is not a dictionary of objects") }
        self.keys = keys
        self.nodes = nodes
    }

    func next(_ object: inout StoredObject) throws -> Bool {
        guard position < nodes.count else { return false }
        defer { position += 1 }
        let node = try archive.resolved(archive.reference(position, of: nodes))
        let isNode = try archive.classNames(of: node).contains { $0 == "NSDictionaryMapNode" || $0 == "NSStoreMapNode" }
        guard isNode else { throw archive.malformed("entry \(position) of its map is not an object") }
        guard let nameNumber = try archive.value("NSEntityName", of: node),
            let name = try archive.name(nameNumber), let slot = forms.model.slot(named: name)
        else { throw archive.malformed("entry \(position) of its map is of no entity of the model") }
        let form = forms.entities[slot]
        guard case .integer(let key) = try archive.resolved(archive.reference(position, of: keys)),
            let keyNumber = try archive.value("NSPrimaryKey64", of: node),
            case .integer(let ownKey) = try archive.resolved(keyNumber), key == ownKey
        else { throw archive.malformed("entry \(position) of its map has another key than its object") }
        guard key > 0, key <= highestAcceptedKey else {
            throw ConversionError(.unfitKey(entity: name, key: key), path: archive.file.path)
        }
        object.begin(form, key: key)
        try takeValues(of: node, form, into: &object)
        try takeLinks(of: node, form, into: &object)
        return true
    }

    private func takeValues(
        of node: ArchiveFile.Object, _ form: EntityForm, into object: inout StoredObject
    ) throws {
        guard let number = try archive.value("NSAttributeValues", of: node),
            let values = try archive.elements(of: archive.resolved(number))
        else {
            guard form.attributes.isEmpty else { throw unfit(form, object, "an object has no values") }
            return
        }
        guard values.count == form.attributes.count else {
            throw unfit(form, object, "an object has \(values.count) values for \(form.attributes.count) attributes")
        }
        for place in 0..<values.count {
            let value = try archive.resolved(archive.reference(place, of: values))
            guard try take(value, as: form.attributes[place].type, at: place, into: &object) else {
                throw unfit(form, object, "\(form.attributes[place].name) has a value of another type")
            }
        }
    }

    private func unfit(_ form: EntityForm, _ object: StoredObject, _ reason: String) -> ConversionError {
        archive.malformed("\(form.name) p\(object.key): \(reason); check that the model is the store's")
    }

    private func takeLinks(of node: ArchiveFile.Object, _ form: EntityForm, into object: inout StoredObject) throws {
        var lists: [Int: ArchiveFile.References] = [:]
        if let number = try archive.value("NSRelatedNodes", of: node) {
            let related = try archive.resolved(number)
            if let names = try archive.elements(of: related, key: "NS.keys"),
                let values = try archive.elements(of: related), names.count == values.count
            {
                guard names.count <= form.relationships.count else {
                    throw unfit(form, object, "it has \(names.count) relationships")
                }
                for place in 0..<names.count {
                    guard let name = try archive.name(archive.reference(place, of: names)),
                        let index = form.relationships.firstIndex(where: { $0.name == name })
                    else { throw unfit(form, object, "it has a relationship that the model does not have") }
                    let list = try archive.resolved(archive.reference(place, of: values))
                    lists[index] = try archive.elements(of: list)
                }
            }
        }
        for place in form.relationships.indices {
            if let list = lists[place] {
                guard form.relationships[place].isToMany || list.count <= 1 else {
                    throw unfit(form, object, "the to-one \(form.relationships[place].name) has \(list.count) objects")
                }
                for element in 0..<list.count {
                    guard case .integer(let key) = try archive.resolved(archive.reference(element, of: list)), key > 0,
                        key <= highestAcceptedKey
                    else { throw unfit(form, object, "\(form.relationships[place].name) leads to no key") }
                    object.appendLink(key)
                }
            }
            object.endRelationship()
        }
    }

    // MARK: Values

    /// Takes a value as the value of an attribute with a type; returns false if it does not fit.
    private func take(
        _ value: ArchiveFile.Object, as type: AttributeType, at place: Int, into object: inout StoredObject
    ) throws -> Bool {
        if case .null = value { return true }
        if case .dictionary = value {
            return try takeInstance(value, as: type, at: place, into: &object)
        }
        switch (type, value) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)),
            (.boolean, .integer(let number)):
            object.setValue(ArenaValue.integer(number), at: place)
        case (.boolean, .boolean(let flag)), (.integer16, .boolean(let flag)), (.integer32, .boolean(let flag)),
            (.integer64, .boolean(let flag)):
            object.setValue(ArenaValue.integer(flag ? 1 : 0), at: place)
        case (.integer16, .real(let number)), (.integer32, .real(let number)), (.integer64, .real(let number)):
            guard let whole = Int64(exactly: number) else { return false }
            object.setValue(ArenaValue.integer(whole), at: place)
        case (.double, .real(let number)), (.float, .real(let number)), (.date, .date(let number)):
            object.setValue(ArenaValue.real(number), at: place)
        case (.double, .integer(let number)), (.float, .integer(let number)):
            guard let real = Double(exactly: number) else { return false }
            object.setValue(ArenaValue.real(real), at: place)
        case (.decimal, .integer(let number)):
            object.setText(at: place) { $0.append(integer: number) }
        case (.string, .ascii), (.string, .utf16), (.uri, .ascii), (.uri, .utf16):
            try object.setText(at: place) { try archive.appendText(value, to: &$0) }
        case (.binaryData, .data(let offset, let count)), (.transformable, .data(let offset, let count)),
            (.undefined, .data(let offset, let count)), (.objectID, .data(let offset, let count)):
            try object.setBlob(at: place) { try archive.appendData(offset: offset, count: count, to: &$0) }
        default: return false
        }
        return true
    }

    /// Takes an instance of a class: NSNull, NSDate, NSDecimalNumber, NSUUID, NSURL, or a mutable text or data.
    private func takeInstance(
        _ value: ArchiveFile.Object, as type: AttributeType, at place: Int, into object: inout StoredObject
    ) throws -> Bool {
        let names = try archive.classNames(of: value)
        if names.contains("NSNull") { return true }
        func inner(_ key: String) throws -> ArchiveFile.Object? {
            try archive.value(key, of: value).map { try archive.resolved($0) }
        }
        switch type {
        case .date:
            switch try inner("NS.time") {
            case .real(let seconds): object.setValue(ArenaValue.real(seconds), at: place)
            case .integer(let seconds): object.setValue(ArenaValue.real(Double(seconds)), at: place)
            default: return false
            }
        case .decimal:
            guard names.contains("NSDecimalNumber"), let number = try decimal(inner) else { return false }
            object.setText(at: place) { $0 += number.description.utf8 }
        case .uuid:
            guard case .data(let offset, 16) = try inner("NS.uuidbytes") else { return false }
            try object.setBlob(at: place) { try archive.appendData(offset: offset, count: 16, to: &$0) }
        case .uri:
            guard names.contains("NSURL"), let text = try inner("NS.relative") else { return false }
            if case .dictionary = try inner("NS.base") ?? .null { return false }
            try object.setText(at: place) { try archive.appendText(text, to: &$0) }
        case .string:
            guard names.contains("NSString"), let text = try inner("NS.string") else { return false }
            try object.setText(at: place) { try archive.appendText(text, to: &$0) }
        case .binaryData, .transformable, .undefined, .objectID:
            guard names.contains("NSData"), case .data(let offset, let count) = try inner("NS.data") else {
                return false
            }
            try object.setBlob(at: place) { try archive.appendData(offset: offset, count: count, to: &$0) }
        default: return false
        }
        return true
    }

    private func decimal(_ inner: (String) throws -> ArchiveFile.Object?) throws -> DecimalNumber? {
        guard case .integer(let length) = try inner("NS.length"), (0...8).contains(length),
            case .integer(let exponent) = try inner("NS.exponent"), (-128...127).contains(exponent),
            case .data(let offset, 16) = try inner("NS.mantissa")
        else { return nil }
        var isNegative = false
        switch try inner("NS.negative") {
        case .boolean(let flag): isNegative = flag
        case .integer(let number): isNegative = number != 0
        default: break
        }
        var isBigEndian = false
        if case .integer(2) = try inner("NS.mantissa.bo") { isBigEndian = true }
        return DecimalNumber(
            archivedMantissa: try archive.file.bytes(at: offset, count: 16), length: Int(length),
            isBigEndian: isBigEndian, isNegative: isNegative, exponent: Int(exponent))
    }
}
