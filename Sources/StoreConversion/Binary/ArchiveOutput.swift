import PersistentStores
import TextEncodings

/// Writes a keyed archive from front to back, with its objects in the order in which they are added.
///
/// A binary property list ends with a table of the offsets of its objects, and the archive has its own table of the
/// objects that are its entries. Both tables wait in scratch files, so that memory does not grow with the number of
/// objects. References take four bytes each, so an archive has at most 2^32 - 1 property list objects.
final class ArchiveOutput {
    let output: BufferedOutput
    private let start: Int64
    /// The offset of each property list object; 5 bytes are enough for a terabyte.
    private let offsets: ScratchFile
    /// The property list object of each entry in the archive's table.
    private let entries: ScratchFile
    @exclusivity(unchecked) private(set) var objectCount: UInt64 = 0
    @exclusivity(unchecked) private(set) var entryCount: UInt64 = 0

    private static let offsetWidth = 5

    init(_ output: BufferedOutput) throws {
        self.output = output
        start = output.position
        offsets = try ScratchFile(beside: output.path, limits: output.limits)
        entries = try ScratchFile(beside: output.path, limits: output.limits)
        output.buffer += "bplist00".utf8
        // The first entry stands for nil.
        _ = try beginEntry()
        output.appendASCII("$null")
    }

    // MARK: Objects

    /// Begins a property list object, whose bytes must be appended to the output next; returns its number.
    @inline(__always)
    func begin() throws -> UInt64 {
        let number = objectCount
        guard number < UInt64(UInt32.max) else {
            throw ConversionError(.tooManyObjects(Int64(number)), path: output.path)
        }
        try output.flushIfFull()
        let offset = UInt64(output.position - start)
        try offsets.append { $0.append(bigEndian: offset, bytes: Self.offsetWidth) }
        objectCount = number + 1
        return number
    }

    /// Begins an object that is an entry of the archive's table; returns the number of the entry.
    @inline(__always)
    func beginEntry() throws -> UInt64 {
        let number = try begin()
        return try entry(of: number)
    }

    /// Adds an entry for an object that was written before.
    @inline(__always)
    func entry(of object: UInt64) throws -> UInt64 {
        try entries.append { $0.append(bigEndian: object, bytes: 4) }
        entryCount += 1
        return entryCount - 1
    }

    /// Writes a reference to an entry.
    @inline(__always)
    func uid(_ entry: UInt64) throws -> UInt64 {
        let number = try begin()
        output.appendUID(entry)
        return number
    }

    func text(_ text: String) throws -> UInt64 {
        let number = try begin()
        output.appendASCII(text)
        return number
    }

    /// Writes an array of property list objects.
    func list(_ objects: [UInt64]) throws -> UInt64 {
        let number = try begin()
        output.appendMarker(0xA0, objects.count)
        for object in objects { output.appendReference(object) }
        return number
    }

    /// Writes an entry that describes a class.
    func archivedClass(_ names: [String]) throws -> UInt64 {
        let key = try text("$classname")
        let listKey = try text("$classes")
        let items = try names.map { try text($0) }
        let list = try list(items)
        let entry = try beginEntry()
        output.appendMarker(0xD0, 2)
        for reference in [key, listKey, items[0], list] { output.appendReference(reference) }
        return entry
    }

    // MARK: End

    /// Writes the archive's table, its top-level object, and the end of the property list.
    func finish(top name: String, _ root: UInt64) throws {
        let version = try text("$version")
        let number = try begin()
        output.appendInteger(100_000)
        let archiver = try text("$archiver")
        let archiverName = try text("NSKeyedArchiver")
        let topKey = try text("$top")
        let rootName = try text(name)
        let rootUID = try uid(root)
        let top = try begin()
        output.appendMarker(0xD0, 1)
        output.appendReference(rootName)
        output.appendReference(rootUID)
        let objectsKey = try text("$objects")
        let table = try begin()
        output.appendMarker(0xA0, Int(entryCount))
        // The scratch file has the same form as the references.
        try entries.forEachPiece(width: 4) { numbers in
            output.buffer.append(copying: numbers)
            try output.flushIfFull()
        }
        let outermost = try begin()
        output.appendMarker(0xD0, 4)
        for reference in [version, archiver, topKey, objectsKey, number, archiverName, top, table] {
            output.appendReference(reference)
        }
        let tableOffset = output.position - start
        let width = max(1, (71 - UInt64(tableOffset).leadingZeroBitCount) / 8)
        try offsets.forEachPiece(width: Self.offsetWidth) { offsets in
            append(offsets, width: width)
            try output.flushIfFull()
        }
        output.buffer += [0, 0, 0, 0, 0, 0, UInt8(width), 4]
        for number in [objectCount, outermost, UInt64(tableOffset)] { output.append(number, width: 8) }
        try output.flush()
    }

    /// Appends offsets with another width; additional high bytes are zero.
    private func append(_ offsets: Span<UInt8>, width: Int) {
        guard width != Self.offsetWidth else { return output.buffer.append(copying: offsets) }
        let first = max(0, Self.offsetWidth - width)
        let zeros = max(0, width - Self.offsetWidth)
        output.buffer.append(addingCapacity: offsets.count / Self.offsetWidth * width) { bytes in
            var place = 0
            while place < offsets.count {
                for _ in 0..<zeros { bytes.append(0) }
                for index in place + first..<place + Self.offsetWidth { bytes.append(offsets[index]) }
                place += Self.offsetWidth
            }
        }
    }
}

/// Pieces of binary property lists.
extension BufferedOutput {
    /// Appends the low bytes of a number, big-endian.
    @inline(__always)
    func append(_ number: UInt64, width: Int) { buffer.append(bigEndian: number, bytes: width) }

    @inline(__always)
    func appendReference(_ object: UInt64) { append(object, width: 4) }

    /// Appends an integer. Integers from 0 to 2^32 - 1 are stored unsigned, others as signed numbers of 8 bytes.
    func appendInteger(_ value: Int64) {
        let width = value < 0 ? 8 : value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
        buffer.append(0x10 | UInt8(width.trailingZeroBitCount))
        append(UInt64(bitPattern: value), width: width)
    }

    func appendReal(_ value: Double) {
        buffer.append(0x23)
        append(value.bitPattern, width: 8)
    }

    func appendMarker(_ marker: UInt8, _ count: Int) {
        if count < 15 {
            buffer.append(marker | UInt8(count))
        } else {
            buffer.append(marker | 0x0F)
            appendInteger(Int64(count))
        }
    }

    func appendUID(_ entry: UInt64) {
        let width = entry <= 0xFF ? 1 : entry <= 0xFFFF ? 2 : 4
        buffer.append(0x80 | UInt8(width - 1))
        append(entry, width: width)
    }

    func appendASCII(_ text: String) {
        appendMarker(0x50, text.utf8.count)
        buffer += text.utf8
    }

    func appendData(_ data: Span<UInt8>) {
        appendMarker(0x40, data.count)
        buffer.append(copying: data)
    }

    /// Appends a text of UTF-16 units.
    func appendUnits(_ units: [UInt16]) {
        buffer.append(addingCapacity: units.count * 2) { bytes in
            for unit in units {
                bytes.append(UInt8(truncatingIfNeeded: unit >> 8))
                bytes.append(UInt8(truncatingIfNeeded: unit))
            }
        }
    }
}
