/// A keyed archive, opened for reading: its objects are found by number, and decoded on access.
///
/// The input may be any bytes. An archive may contain cycles and shared objects; code that traverses it keeps a table
/// of visited objects. Work is counted: when far more elements have been read than the archive has bytes, reading
/// fails, so that the time stays in proportion to the archive's size. An archive is confined to one thread.
public final class KeyedArchive {
    let scanner: BinaryPropertyListScanner
    /// Usually `NSKeyedArchiver`.
    public let archiver: String
    private let objects: ObjectReferences
    private let top: [(name: String, uid: UInt64)]
    /// Every text that was read, and its index in the list: keys are compared by index.
    private var texts: [String] = []
    private var places: [String: Int32] = [:]
    /// The index of the text of each property list object, or one of the two marks below.
    private var textPlaces: [Int32]
    private var classes: [Int: ArchivedClass] = [:]
    private var remainingWork: Int

    private static let notRead: Int32 = -1
    private static let notText: Int32 = -2

    /// The depth at which readers of nested objects (predicates, collections) should fail.
    public static let maximumDepth = 200
    /// The number of elements that may be read for every byte of the archive; reading a model takes about one.
    private static let workPerByte = 16

    /// Opens an archive in the binary format, or in the XML format that some tools write.
    /// - Throws: `PropertyListError` if the bytes are not a property list; `KeyedArchiveError` with code
    ///   `notAKeyedArchive` if it is not an archive.
    public convenience init(_ bytes: [UInt8]) throws {
        switch PropertyListReader.format(of: bytes) {
        case .binary:
            try self.init(BinaryPropertyListScanner(bytes))
        case .xml, .openStep:
            let value = try PropertyListReader.value(from: bytes)
            try self.init(BinaryPropertyListScanner(BinaryPropertyListWriter.bytes(for: value)))
        }
    }

    private init(_ scanner: BinaryPropertyListScanner) throws {
        self.scanner = scanner
        remainingWork = 4096 + Self.workPerByte * scanner.bytes.count
        textPlaces = [Int32](repeating: Self.notRead, count: scanner.objectCount)
        var work = remainingWork
        guard let archive = try Self.entries(of: scanner.topObject, in: scanner, work: &work),
            let objectsNumber = archive.first(where: { $0.name == "$objects" })?.number,
            case .array(let objects) = try scanner.object(objectsNumber),
            let topNumber = archive.first(where: { $0.name == "$top" })?.number,
            let top = try Self.entries(of: topNumber, in: scanner, work: &work)
        else { throw KeyedArchiveError(.notAKeyedArchive) }
        self.objects = objects
        let archiver = try archive.first { $0.name == "$archiver" }.flatMap {
            try scanner.text(scanner.object($0.number))
        }
        self.archiver = archiver ?? ""
        self.top = try top.compactMap { entry in
            guard case .uid(let uid) = try scanner.object(entry.number) else { return nil }
            return (entry.name, uid)
        }
        remainingWork = work
    }

    /// The names of the root objects.
    public var rootNames: [String] { top.map(\.name) }

    /// Returns the root object with a name.
    /// - Throws: `KeyedArchiveError` with code `rootMissing` if there is no object with that name; `KeyedArchiveError`
    ///   or `PropertyListError` if it cannot be decoded.
    public func root(_ name: String = "root") throws -> ArchivedObject {
        let value = try rootValue(name)
        guard case .object(let object) = value else {
            throw KeyedArchiveError(.rootMissing, key: name, found: value.kind)
        }
        return object
    }

    /// Returns the root value with a name: an object, or a text or number without a class.
    /// - Throws: `KeyedArchiveError` with code `rootMissing` if there is no value with that name; `KeyedArchiveError`
    ///   or `PropertyListError` if it cannot be decoded.
    public func rootValue(_ name: String = "root") throws -> ArchivedValue {
        guard let entry = top.first(where: { $0.name == name }) else {
            throw KeyedArchiveError(.rootMissing, key: name)
        }
        return try value(uid: entry.uid)
    }

    /// Returns the classes that the archive describes, those of its objects.
    /// - Throws: `KeyedArchiveError` or `PropertyListError` if a description cannot be decoded.
    public func archivedClasses() throws -> [ArchivedClass] {
        var found: [ArchivedClass] = []
        for uid in 0..<objects.count {
            guard case .dictionary(let keys, _) = try scanner.object(scanner.reference(uid, of: objects)),
                try position(of: "$classname", in: keys) != nil
            else { continue }
            found.append(try archivedClass(uid: UInt64(uid), of: uid))
        }
        return found
    }

    /// Returns the pairs of a property list dictionary; nil if the object is not a dictionary.
    private static func entries(
        of number: Int, in scanner: BinaryPropertyListScanner, work: inout Int
    ) throws -> [(name: String, number: Int)]? {
        guard case .dictionary(let keys, let values) = try scanner.object(number) else { return nil }
        work -= keys.count
        guard work >= 0 else { throw KeyedArchiveError(.tooComplex) }
        return try (0..<keys.count).compactMap { position in
            guard let name = try scanner.text(scanner.object(scanner.reference(position, of: keys))) else { return nil }
            return (name, try scanner.reference(position, of: values))
        }
    }

    /// Counts elements that will be read.
    func spend(_ elements: Int) throws {
        remainingWork -= elements
        guard remainingWork >= 0 else { throw KeyedArchiveError(.tooComplex) }
    }

    /// Returns the text of a property list object, which is cached; nil if it is not a string.
    func text(_ number: Int) throws -> String? {
        let place = try textPlace(number)
        return place == Self.notText ? nil : texts[Int(place)]
    }

    /// Returns the first position of a key in a list of keys.
    func position(of key: String, in keys: ObjectReferences) throws -> Int? {
        try spend(keys.count)
        let wanted = place(of: key)
        for position in 0..<keys.count where try textPlace(scanner.reference(position, of: keys)) == wanted {
            return position
        }
        return nil
    }

    private func textPlace(_ number: Int) throws -> Int32 {
        let known = textPlaces[number]
        guard known == Self.notRead else { return known }
        let object = try scanner.object(number)
        try spend(scanner.payloadSize(object) / 64)
        let place = try scanner.text(object).map { self.place(of: $0) } ?? Self.notText
        textPlaces[number] = place
        return place
    }

    private func place(of text: String) -> Int32 {
        if let known = places[text] {
            return known
        }
        let place = Int32(texts.count)
        texts.append(text)
        places[text] = place
        return place
    }

    /// Returns the value of an entry in the object table.
    func value(uid: UInt64) throws -> ArchivedValue {
        guard uid < UInt64(objects.count) else {
            throw KeyedArchiveError(.referenceOutOfRange, found: "\(uid) of \(objects.count)")
        }
        guard uid > 0 else { return .null }
        let number = try scanner.reference(Int(uid), of: objects)
        let object = try scanner.object(number)
        if case .dictionary(let keys, let values) = object {
            return .object(try self.object(uid: Int(uid), keys: keys, values: values))
        }
        return try value(of: object, number: number)
    }

    /// Returns the value of a property list object inside an archived object or collection.
    func value(number: Int) throws -> ArchivedValue {
        let object = try scanner.object(number)
        if case .uid(let uid) = object {
            return try value(uid: uid)
        }
        return try value(of: object, number: number)
    }

    private func value(of object: BinaryObject, number: Int) throws -> ArchivedValue {
        if let text = try text(number) {
            // The first entry of the table represents nil; some writers refer to it by its text.
            return text == "$null" ? .null : .scalar(.string(text))
        }
        try spend(scanner.payloadSize(object) / 64)
        guard let scalar = try scanner.scalar(object) else {
            throw KeyedArchiveError(.typeUnexpected, found: "a collection without a class")
        }
        return .scalar(scalar)
    }

    private func object(uid: Int, keys: ObjectReferences, values: ObjectReferences) throws -> ArchivedObject {
        guard let position = try position(of: "$class", in: keys),
            case .uid(let classUID) = try scanner.object(scanner.reference(position, of: values))
        else { throw KeyedArchiveError(.classInvalid, object: uid) }
        let type = try archivedClass(uid: classUID, of: uid)
        return ArchivedObject(archive: self, uid: uid, type: type, keys: keys, values: values)
    }

    private func archivedClass(uid: UInt64, of object: Int) throws -> ArchivedClass {
        guard uid < UInt64(objects.count) else {
            throw KeyedArchiveError(.referenceOutOfRange, object: object, found: "\(uid) of \(objects.count)")
        }
        if let known = classes[Int(uid)] {
            return known
        }
        let number = try scanner.reference(Int(uid), of: objects)
        guard let entries = try Self.entries(of: number, in: scanner, work: &remainingWork),
            let nameEntry = entries.first(where: { $0.name == "$classname" }), let name = try text(nameEntry.number)
        else { throw KeyedArchiveError(.classInvalid, object: object) }
        var names = try names(entries.first { $0.name == "$classes" }?.number)
        if names.first != name {
            names.insert(name, at: 0)
        }
        let type = ArchivedClass(names, hints: try self.names(entries.first { $0.name == "$classhints" }?.number))
        classes[Int(uid)] = type
        return type
    }

    private func names(_ number: Int?) throws -> [String] {
        guard let number, case .array(let references) = try scanner.object(number) else { return [] }
        try spend(references.count)
        return try (0..<references.count).compactMap { try text(scanner.reference($0, of: references)) }
    }
}
