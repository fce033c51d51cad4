import PersistentStores
import TextEncodings

/// A keyed archive in a file, whose objects are read at their places, so that no other objects are in memory.
///
/// Any bytes may be given. Every offset, count and reference is checked, nothing is followed more deeply than the
/// caller requests, and the number of elements read is limited, so that a small file cannot keep its reader busy for
/// long.
final class ArchiveFile {
    /// A range of references.
    struct References {
        let offset: Int64
        let count: Int
    }

    enum Object {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        case date(Double)
        case data(offset: Int64, count: Int)
        case ascii(offset: Int64, count: Int)
        /// A text of `count` UTF-16 units.
        case utf16(offset: Int64, count: Int)
        case uid(UInt64)
        case array(References)
        case dictionary(keys: References, values: References)
    }

    let file: PagedFile
    private let objectCount: UInt64
    private let offsetSize: Int
    private let referenceSize: Int
    private let table: Int64
    private var objects = References(offset: 0, count: 0)
    private var names: [UInt64: String] = [:]
    private var classes: [UInt64: [String]] = [:]
    private var remainingWork: Int64
    private let limits: ConversionLimits
    /// The top-level objects by name.
    private(set) var top: [(name: String, uid: UInt64)] = []

    /// The number of elements that may be read for each byte; the elements of real archives are read about twice.
    private static let workPerByte: Int64 = 32
    private static let longestName = 4096

    init(path: String, range: Range<Int64>, limits: ConversionLimits) throws {
        self.limits = limits
        file = try PagedFile(path: path, range: range, limits: limits)
        remainingWork = 4096 + Self.workPerByte * file.count
        guard file.count >= 40, try file.bytes(at: 0, count: 7) == Array("bplist0".utf8) else {
            throw ConversionError(.malformed("an archive in it is not a binary property list"), path: path)
        }
        let trailer = file.count - 32
        offsetSize = Int(try file.byte(at: trailer + 6))
        referenceSize = Int(try file.byte(at: trailer + 7))
        objectCount = try file.number(at: trailer + 8, size: 8)
        let topObject = try file.number(at: trailer + 16, size: 8)
        let tableOffset = try file.number(at: trailer + 24, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), tableOffset >= 8,
            tableOffset <= UInt64(trailer), objectCount > 0, topObject < objectCount,
            objectCount <= (UInt64(trailer) - tableOffset) / UInt64(offsetSize)
        else { throw ConversionError(.malformed("the trailer of an archive in it is damaged"), path: path) }
        table = Int64(tableOffset)
        guard case .dictionary(let keys, let values) = try object(topObject) else { throw malformed("no archive") }
        for place in 0..<min(keys.count, 16) {
            let name = try self.name(reference(place, of: keys))
            let value = try object(reference(place, of: values))
            if name == "$objects", case .array(let references) = value { objects = references }
            if name == "$top", case .dictionary(let topKeys, let topValues) = value {
                for place in 0..<min(topKeys.count, 16) {
                    guard case .uid(let uid) = try object(reference(place, of: topValues)),
                        let name = try self.name(reference(place, of: topKeys))
                    else { continue }
                    top.append((name, uid))
                }
            }
        }
        guard objects.count > 0, !top.isEmpty else { throw malformed("an archive in it has no objects") }
    }

    // MARK: Property list

    func object(_ number: UInt64) throws -> Object {
        try spend(1)
        guard number < objectCount else { throw malformed("a reference leads to object \(number) of \(objectCount)") }
        let stored = try file.number(at: table + Int64(number) * Int64(offsetSize), size: offsetSize)
        guard stored >= 8, stored < UInt64(table) else { throw malformed("an object lies at \(stored)") }
        let offset = Int64(stored)
        let marker = try file.byte(at: offset)
        let low = Int(marker & 0xF)
        switch marker >> 4 {
        case 0x0 where low == 0: return .null
        case 0x0 where low == 8 || low == 9: return .boolean(low == 9)
        case 0x1 where low <= 3:
            let start = try place(offset + 1, 1 << low, unit: 1)
            return .integer(Int64(truncatingIfNeeded: try file.number(at: start, size: 1 << low)))
        case 0x2 where low == 2:
            let start = try place(offset + 1, 4, unit: 1)
            let bits = UInt32(truncatingIfNeeded: try file.number(at: start, size: 4))
            return .real(Double(Float(bitPattern: bits)))
        case 0x2 where low == 3:
            return .real(Double(bitPattern: try file.number(at: try place(offset + 1, 8, unit: 1), size: 8)))
        case 0x3 where low == 3:
            return .date(Double(bitPattern: try file.number(at: try place(offset + 1, 8, unit: 1), size: 8)))
        case 0x8 where low < 8:
            return .uid(try file.number(at: try place(offset + 1, low + 1, unit: 1), size: low + 1))
        case 0x4, 0x5, 0x6, 0xA, 0xC, 0xD: return try sized(marker, at: offset)
        default: throw malformed("the object at \(offset) has the marker \(marker)")
        }
    }

    private func sized(_ marker: UInt8, at offset: Int64) throws -> Object {
        var count = Int(marker & 0xF)
        var start = offset + 1
        if count == 0xF {
            let size = try file.byte(at: try place(start, 1, unit: 1))
            guard size >> 4 == 1, size & 0xF <= 3 else { throw malformed("the object at \(offset) has no count") }
            let width = 1 << Int(size & 0xF)
            let stored = try file.number(at: try place(start + 1, width, unit: 1), size: width)
            guard stored <= UInt64(table) else { throw malformed("the object at \(offset) has a count of \(stored)") }
            count = Int(stored)
            start += 1 + Int64(width)
        }
        switch marker >> 4 {
        case 0x4: return .data(offset: try place(start, count, unit: 1), count: count)
        case 0x5: return .ascii(offset: try place(start, count, unit: 1), count: count)
        case 0x6: return .utf16(offset: try place(start, count, unit: 2), count: count)
        case 0xD:
            let keys = References(offset: try place(start, count, unit: 2 * referenceSize), count: count)
            return .dictionary(
                keys: keys, values: References(offset: start + Int64(count * referenceSize), count: count))
        default: return .array(References(offset: try place(start, count, unit: referenceSize), count: count))
        }
    }

    /// Returns the place if a number of bytes lies before the offset table.
    private func place(_ start: Int64, _ count: Int, unit: Int) throws -> Int64 {
        // A count is at most the size of the file, and a unit at most 16, so nothing overflows.
        guard start <= table, Int64(count) * Int64(unit) <= table - start else {
            throw malformed("the object at \(start) ends behind the objects")
        }
        return start
    }

    /// Returns the number of the object that a reference in a list leads to.
    func reference(_ position: Int, of references: References) throws -> UInt64 {
        guard position >= 0, position < references.count else { throw malformed("a list is too short") }
        return try file.number(
            at: references.offset + Int64(position) * Int64(referenceSize), size: referenceSize)
    }

    // MARK: Archive

    /// Returns the archived object to which a value refers, or the value itself if it is not a reference.
    func resolved(_ number: UInt64) throws -> Object {
        let object = try object(number)
        guard case .uid(let uid) = object else { return object }
        return try entry(uid)
    }

    func entry(_ uid: UInt64) throws -> Object {
        guard uid < UInt64(objects.count) else {
            throw malformed("a reference leads to entry \(uid) of \(objects.count)")
        }
        // The first entry is the text that stands for nil.
        if uid == 0 { return .null }
        return try object(reference(Int(uid), of: objects))
    }

    /// Returns the number of the value for a key of an object; nil if it has none.
    func value(_ key: String, of object: Object) throws -> UInt64? {
        guard case .dictionary(let keys, let values) = object else { return nil }
        guard keys.count <= 64 else { throw malformed("an object has \(keys.count) keys") }
        for place in 0..<keys.count where try name(reference(place, of: keys)) == key {
            return try reference(place, of: values)
        }
        return nil
    }

    /// Returns the names of an object's class and of its superclasses.
    func classNames(of object: Object) throws -> [String] {
        guard let number = try value("$class", of: object), case .uid(let uid) = try self.object(number) else {
            return []
        }
        if let known = classes[uid] { return known }
        let description = try entry(uid)
        var result: [String] = []
        if let number = try value("$classname", of: description), let name = try self.name(number) {
            result.append(name)
        }
        if let number = try value("$classes", of: description), case .array(let list) = try self.object(number) {
            for place in 0..<min(list.count, 32) {
                if let name = try self.name(reference(place, of: list)) { result.append(name) }
            }
        }
        if classes.count < limits.names { classes[uid] = result }
        return result
    }

    /// Returns the elements of an archived collection as references to values; nil if the object is not a collection.
    func elements(of object: Object, key: String = "NS.objects") throws -> References? {
        guard let number = try value(key, of: object), case .array(let list) = try self.object(number) else {
            return nil
        }
        return list
    }

    /// Returns a short text, and caches it; nil if the object is not a string.
    func name(_ number: UInt64) throws -> String? {
        if let known = names[number] { return known }
        let object = try resolved(number)
        switch object {
        case .ascii(_, let count), .utf16(_, let count):
            guard count <= Self.longestName else { return nil }
        default: return nil
        }
        var bytes: [UInt8] = []
        try appendText(object, to: &bytes)
        let name = String(decoding: bytes, as: UTF8.self)
        if names.count < limits.names { names[number] = name }
        return name
    }

    // MARK: Content

    /// Appends a text in UTF-8, with unpaired surrogates as three bytes each.
    func appendText(_ object: Object, to bytes: inout [UInt8]) throws {
        switch object {
        case .ascii(let offset, let count):
            try spend(Int64(count / 64))
            try file.append(at: offset, count: count, to: &bytes)
        case .utf16(let offset, let count):
            try spend(Int64(count / 32))
            var pending: UInt16?
            for index in 0..<Int64(count) {
                let unit = UInt16(truncatingIfNeeded: try file.number(at: offset + 2 * index, size: 2))
                if let half = pending, 0xDC00...0xDFFF ~= unit {
                    bytes.append(codePoint: 0x10000 + (UInt32(half) - 0xD800) << 10 + UInt32(unit) - 0xDC00)
                    pending = nil
                    continue
                }
                if let half = pending { bytes.append(codePoint: UInt32(half)) }
                pending = 0xD800...0xDBFF ~= unit ? unit : nil
                if pending == nil { bytes.append(codePoint: UInt32(unit)) }
            }
            if let half = pending { bytes.append(codePoint: UInt32(half)) }
        default: break
        }
    }

    func appendData(offset: Int64, count: Int, to bytes: inout [UInt8]) throws {
        try spend(Int64(count / 64))
        try file.append(at: offset, count: count, to: &bytes)
    }

    func spend(_ work: Int64) throws {
        remainingWork -= work
        guard remainingWork >= 0 else {
            throw malformed("reading it would take far too long for its size: it is damaged or hostile")
        }
    }

    func malformed(_ reason: String) -> ConversionError {
        ConversionError(.malformed(reason), path: file.path)
    }
}
