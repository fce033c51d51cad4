import Glibc
import PersistentStores

/// The first 64 bytes of a binary store, all numbers big-endian (docs/format/binary-store.md#the-header).
struct BinaryStoreHeader {
    static let size: Int64 = 64
    static let magic = Array("CoreData".utf8)
    /// The format's version, which is also that of XML stores.
    static let version: UInt64 = 0x0000_0001_0804_0800

    var mapLength: Int64
    var metadataOffset: Int64
    var metadataLength: Int64
    var highestKey: Int64

    var bytes: [UInt8] {
        var result = Self.magic
        for number in [
            Self.version, UInt64(metadataOffset), UInt64(metadataLength), UInt64(Self.size), UInt64(mapLength),
            UInt64(highestKey), 0,
        ] {
            for shift in stride(from: 56, through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        return result
    }

    init(mapLength: Int64, metadataLength: Int64, highestKey: Int64) {
        self.mapLength = mapLength
        metadataOffset = Self.size + mapLength
        self.metadataLength = metadataLength
        self.highestKey = highestKey
    }

    /// Reads and checks the header of a file.
    init(path: String, limits: ConversionLimits) throws {
        try StoreError.checkReach(path)
        let size = FileSystem.size(path) ?? 0
        let file = try PagedFile(path: path, range: 0..<size, limits: limits)
        guard size >= Self.size, try file.bytes(at: 0, count: 8) == Self.magic else {
            throw ConversionError(.malformed("this is not a binary store: its header is missing"), path: path)
        }
        var numbers: [Int64] = []
        for place in 1..<8 {
            let number = try file.number(at: Int64(place * 8), size: 8)
            guard number <= UInt64(Int64.max) else {
                throw ConversionError(.malformed("the header has the number \(number)"), path: path)
            }
            numbers.append(Int64(number))
        }
        guard numbers[0] == Int64(Self.version) else {
            throw ConversionError(.malformed("version \(numbers[0]) of the binary format is not known"), path: path)
        }
        (metadataOffset, metadataLength, mapLength, highestKey) = (numbers[1], numbers[2], numbers[4], numbers[5])
        guard numbers[3] == Self.size, mapLength <= size - Self.size, metadataOffset >= Self.size,
            metadataOffset <= size, metadataLength <= size - metadataOffset
        else { throw ConversionError(.malformed("the header promises more than the file has"), path: path) }
    }
}
