/// The first 64 bytes of a binary store: magic bytes, and seven numbers of 8 bytes, all big-endian
/// (docs/format/binary-store.md#the-header).
public struct BinaryStoreHeader {
    /// The first bytes of every binary store.
    public static let magic = Array("CoreData".utf8)

    /// The size of the header, in bytes. The objects' archive follows.
    public static let size: Int64 = 64

    /// The version of the format, the same as that of XML stores.
    public static let version: UInt64 = 0x0000_0001_0804_0800

    /// The positions of the numbers after the magic bytes.
    private enum Field: Int {
        case version, metadataOffset, metadataLength, objectsOffset, objectsLength, highestKey, reserved
    }

    private var numbers: [UInt64]

    /// Makes the header of a new file, whose metadata follow the objects.
    public init(objectsLength: Int64, metadataLength: Int64, highestKey: Int64) {
        numbers = [
            Self.version, UInt64(Self.size + objectsLength), UInt64(metadataLength), UInt64(Self.size),
            UInt64(objectsLength), UInt64(highestKey), 0,
        ]
    }

    /// Reads the header of a file without checking its numbers.
    ///
    /// - Throws: `StoreError` if the file cannot be read, or does not begin with a complete header.
    public init(path: String) throws(StoreError) {
        let bytes = try FileBytes.beginning(of: path, count: Int(Self.size))
        guard bytes.count == Self.size, bytes.starts(with: Self.magic) else {
            throw StoreError(.metadataUnreadable("the file ends in its header"), path: path)
        }
        numbers = stride(from: 8, to: Int(Self.size), by: 8).map { place in
            bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The header as stored in a file: 64 bytes.
    public var bytes: [UInt8] {
        var result = Self.magic
        for number in numbers {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        return result
    }

    /// The version of the format that the file states.
    public var formatVersion: UInt64 { self[.version] }

    /// Returns the range of the metadata's archive; nil if it is not within a file of this size in bytes, after the
    /// header.
    public func metadata(inFileOf size: Int64) -> Range<Int64>? {
        range(from: .metadataOffset, length: .metadataLength, in: size)
    }

    /// Returns the range of the objects' archive; nil as for `metadata(inFileOf:)`.
    public func objects(inFileOf size: Int64) -> Range<Int64>? {
        range(from: .objectsOffset, length: .objectsLength, in: size)
    }

    /// The offset at which the objects' archive ends, according to the header.
    public var objectsEnd: Int64 {
        let end = self[.objectsOffset].addingReportingOverflow(self[.objectsLength])
        return end.overflow ? .max : Int64(clamping: end.partialValue)
    }

    /// The highest key of an object; nil if it is beyond the range of keys.
    public var highestKey: Int64? { Int64(exactly: self[.highestKey]) }

    /// The position of the metadata according to the header, for messages.
    var metadataClaim: String { "the header places them at \(self[.metadataOffset]), \(self[.metadataLength]) bytes" }

    /// Changes the position of the metadata.
    mutating func placeMetadata(at offset: Int64, length: Int64) {
        self[.metadataOffset] = UInt64(offset)
        self[.metadataLength] = UInt64(length)
    }

    private subscript(field: Field) -> UInt64 {
        get { numbers[field.rawValue] }
        set { numbers[field.rawValue] = newValue }
    }

    private func range(from offset: Field, length: Field, in size: Int64) -> Range<Int64>? {
        let end = self[offset].addingReportingOverflow(self[length])
        guard !end.overflow, self[offset] >= UInt64(Self.size), let first = Int64(exactly: self[offset]),
            let last = Int64(exactly: end.partialValue), last <= size
        else { return nil }
        return first..<last
    }
}
