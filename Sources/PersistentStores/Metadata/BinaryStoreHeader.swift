/// The first 64 bytes of a binary store (docs/format/binary-store.md#the-header); all numbers are big-endian.
struct BinaryStoreHeader {
    static let magic = Array("CoreData".utf8)
    static let size: Int64 = 64

    let metadata: Range<Int64>

    /// Where the objects' archive ends, as the header has it.
    let objectsEnd: Int64

    private let bytes: [UInt8]

    private static let metadataOffset = 16
    private static let metadataLength = 24
    private static let objectsOffset = 32
    private static let objectsLength = 40

    /// - Throws: where the file is shorter than it says.
    init(path: String) throws(StoreError) {
        bytes = try FileBytes.beginning(of: path, count: Int(Self.size))
        guard bytes.count == Self.size, bytes.starts(with: Self.magic) else {
            throw StoreError(.metadataUnreadable("the file ends in its header"), path: path)
        }
        let start = Self.number(bytes, at: Self.metadataOffset)
        let length = Self.number(bytes, at: Self.metadataLength)
        let size = UInt64(clamping: FileSystem.size(path) ?? 0)
        let (end, overflows) = start.addingReportingOverflow(length)
        guard !overflows, end <= size, start >= UInt64(Self.size), let first = Int64(exactly: start),
            let last = Int64(exactly: end)
        else {
            throw StoreError(
                .metadataUnreadable("the header places them at \(start), \(length) bytes, in a file of \(size)"),
                path: path)
        }
        metadata = first..<last
        let objects = Self.number(bytes, at: Self.objectsOffset)
            .addingReportingOverflow(Self.number(bytes, at: Self.objectsLength))
        objectsEnd = objects.overflow ? .max : Int64(clamping: objects.partialValue)
    }

    /// The header for metadata at another place.
    func bytes(metadataAt offset: Int64, length: Int64) -> [UInt8] {
        var result = bytes
        for (place, number) in [(Self.metadataOffset, offset), (Self.metadataLength, length)] {
            for index in 0..<8 { result[place + index] = UInt8(truncatingIfNeeded: number >> Int64(56 - 8 * index)) }
        }
        return result
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> UInt64 {
        bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
