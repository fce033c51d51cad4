/// Finds the objects of a binary property list by number, without converting them to values.
///
/// Every offset, count and reference is checked when it is used, so the input may be any bytes.
public struct BinaryPropertyListScanner: Sendable {
    static let magic = Array("bplist0".utf8)

    /// The complete property list.
    public let bytes: [UInt8]
    /// The number of objects; they are numbered from 0.
    public let objectCount: Int
    /// The number of the outermost object.
    public let topObject: Int
    private let offsetSize: Int
    private let referenceSize: Int
    /// The offset of the table of object offsets, which is the end of the objects.
    private let tableOffset: Int

    // The trailer is the last 32 bytes: 6 unused, 2 sizes, 3 big-endian numbers of 8 bytes.
    private static let trailerSize = 32

    /// Reads header and trailer.
    /// - Throws: `PropertyListError` if the bytes are not a binary property list, end too early, or have an
    ///   inconsistent trailer.
    public init(_ bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.starts(with: Self.magic) else { throw PropertyListError(.notAPropertyList, at: .byte(0)) }
        guard bytes.count >= 8 + Self.trailerSize else { throw PropertyListError(.truncated, at: .byte(bytes.count)) }
        let trailer = bytes.count - Self.trailerSize
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        self.bytes = bytes
        let numbers = (0..<3).map { Self.number(in: bytes, at: trailer + 8 + $0 * 8, size: 8) }
        let limit = UInt64(trailer)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            numbers[0] > 0, numbers[0] <= limit, numbers[1] < numbers[0], numbers[2] >= 8, numbers[2] <= limit,
            numbers[0] * UInt64(offsetSize) <= limit - numbers[2]
        else {
            let code: PropertyListError.Code = Self.hasConvertedLineEnds(bytes) ? .lineEndsConverted : .trailerInvalid
            throw PropertyListError(code, at: .byte(trailer))
        }
        objectCount = Int(numbers[0])
        topObject = Int(numbers[1])
        tableOffset = Int(numbers[2])
        // Any list of references contains the number of object 13, so a list with more objects has a byte 0D.
        guard objectCount <= 13 || topObject == 13 || !Self.hasConvertedLineEnds(bytes) else {
            throw PropertyListError(.lineEndsConverted)
        }
    }

    /// Returns whether a program that treated the file as text seems to have replaced every byte 0D.
    private static func hasConvertedLineEnds(_ bytes: [UInt8]) -> Bool {
        // The shortest list with fourteen objects is longer.
        bytes.count > 64 && !bytes.contains(0x0D)
    }

    /// Returns the object with a number.
    /// - Throws: `PropertyListError` if there is no object with that number, or if its offset, marker or size is
    ///   invalid.
    public func object(_ number: Int) throws(PropertyListError) -> BinaryObject {
        guard number >= 0, number < objectCount else {
            throw PropertyListError(.referenceOutOfRange, found: "object \(number) of \(objectCount)")
        }
        let entry = tableOffset + number * offsetSize
        let stored = Self.number(in: bytes, at: entry, size: offsetSize)
        guard stored >= 8, stored < UInt64(tableOffset) else {
            throw PropertyListError(.offsetOutOfRange, at: .byte(entry), found: "\(stored)")
        }
        return try object(at: Int(stored))
    }

    /// Returns the number of the object that a container refers to at a position; the position must be below its count.
    /// - Throws: `PropertyListError` with code `referenceOutOfRange` if the object does not exist.
    public func reference(_ position: Int, of references: ObjectReferences) throws(PropertyListError) -> Int {
        precondition(position >= 0 && position < references.count, "a container is asked for an element it lacks")
        let place = references.offset + position * referenceSize
        let number = Self.number(in: bytes, at: place, size: referenceSize)
        guard number < UInt64(objectCount) else {
            throw PropertyListError(.referenceOutOfRange, at: .byte(place), found: "object \(number) of \(objectCount)")
        }
        return Int(number)
    }

    private func object(at offset: Int) throws(PropertyListError) -> BinaryObject {
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            switch low {
            case 0x0: return .null
            case 0x8: return .boolean(false)
            case 0x9: return .boolean(true)
            default: throw PropertyListError(.markerUnknown, at: .byte(offset), found: "\(marker)")
            }
        case 0x1:
            return try integer(at: offset + 1, exponent: low)
        case 0x2:
            let content = try range(at: offset + 1, count: 1 << low, unit: 1)
            let bits = Self.number(in: bytes, at: content.lowerBound, size: min(content.count, 8))
            switch low {
            case 2: return .single(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            case 3: return .real(Double(bitPattern: bits))
            default: throw PropertyListError(.sizeUnsupported, at: .byte(offset), found: "real of \(1 << low) bytes")
            }
        case 0x3 where low == 3:
            let content = try range(at: offset + 1, count: 8, unit: 1)
            return .date(Double(bitPattern: Self.number(in: bytes, at: content.lowerBound, size: 8)))
        case 0x4:
            let (count, start) = try countAndStart(at: offset)
            return .data(try range(at: start, count: count, unit: 1))
        case 0x5:
            let (count, start) = try countAndStart(at: offset)
            return .asciiText(try range(at: start, count: count, unit: 1))
        case 0x6:
            let (count, start) = try countAndStart(at: offset)
            return .utf16Text(try range(at: start, count: count, unit: 2))
        case 0x8:
            guard low < 8 else {
                throw PropertyListError(.sizeUnsupported, at: .byte(offset), found: "reference of \(low + 1) bytes")
            }
            let content = try range(at: offset + 1, count: low + 1, unit: 1)
            return .uid(Self.number(in: bytes, at: content.lowerBound, size: content.count))
        case 0xA, 0xC:
            let (count, start) = try countAndStart(at: offset)
            _ = try range(at: start, count: count, unit: referenceSize)
            let references = ObjectReferences(offset: start, count: count)
            return marker >> 4 == 0xA ? .array(references) : .set(references)
        case 0xD:
            let (count, start) = try countAndStart(at: offset)
            _ = try range(at: start, count: count, unit: referenceSize * 2)
            return .dictionary(
                keys: ObjectReferences(offset: start, count: count),
                values: ObjectReferences(offset: start + count * referenceSize, count: count))
        default:
            throw PropertyListError(.markerUnknown, at: .byte(offset), found: "\(marker)")
        }
    }

    /// Returns an integer of 2^exponent bytes: up to 4 bytes unsigned, 8 and 16 bytes signed.
    private func integer(at offset: Int, exponent: Int) throws(PropertyListError) -> BinaryObject {
        guard exponent <= 4 else {
            throw PropertyListError(.sizeUnsupported, at: .byte(offset - 1), found: "integer of 2^\(exponent) bytes")
        }
        let start = try range(at: offset, count: 1 << exponent, unit: 1).lowerBound
        if exponent <= 3 {
            return .integer(Int64(truncatingIfNeeded: Self.number(in: bytes, at: start, size: 1 << exponent)))
        }
        let high = Self.number(in: bytes, at: start, size: 8)
        let low = Self.number(in: bytes, at: start + 8, size: 8)
        let wide = Int128(truncatingIfNeeded: UInt128(high) << 64 | UInt128(low))
        return Int64(exactly: wide).map { .integer($0) } ?? .wideInteger(wide)
    }

    /// Returns the count of a sized object, and the offset of its content; counts from 15 on are stored as an integer
    /// object.
    private func countAndStart(at offset: Int) throws(PropertyListError) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        guard low == 0x0F else { return (low, offset + 1) }
        _ = try range(at: offset + 1, count: 1, unit: 1)
        let marker = bytes[offset + 1]
        guard marker >> 4 == 0x1, marker & 0x0F <= 3 else {
            throw PropertyListError(.sizeUnsupported, at: .byte(offset + 1), found: "count")
        }
        let content = try range(at: offset + 2, count: 1 << Int(marker & 0x0F), unit: 1)
        let count = Self.number(in: bytes, at: content.lowerBound, size: content.count)
        guard count <= UInt64(tableOffset) else {
            throw PropertyListError(.truncated, at: .byte(offset), found: "count \(count)")
        }
        return (Int(count), content.upperBound)
    }

    private func range(at start: Int, count: Int, unit: Int) throws(PropertyListError) -> Range<Int> {
        // Counts are at most the size of the file and units at most 16: no overflow.
        guard start <= tableOffset, count * unit <= tableOffset - start else {
            throw PropertyListError(.truncated, at: .byte(start), found: "\(count) of \(unit) bytes")
        }
        return start..<(start + count * unit)
    }

    private static func number(in bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
        var number: UInt64 = 0
        for position in offset..<(offset + size) {
            number = number << 8 | UInt64(bytes[position])
        }
        return number
    }
}
