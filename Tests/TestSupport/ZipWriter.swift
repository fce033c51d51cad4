/// Makes zip archives for tests.
public struct ZipWriter {
    /// Bytes of the archive, without its directory.
    private var bytes: [UInt8] = []
    private var directory: [UInt8] = []
    private var count = 0
    private let deflate: (([UInt8]) throws -> [UInt8])?

    /// - Parameter deflate: packs the files; nil to keep them as they are.
    public init(deflate: (([UInt8]) throws -> [UInt8])? = nil) {
        self.deflate = deflate
    }

    /// Adds a file; the last arguments say something else of it than is so.
    public mutating func add(
        _ name: String, _ content: [UInt8], checksum: UInt32? = nil, size: Int? = nil, method: UInt16? = nil,
        flags: UInt16 = 0
    ) throws {
        let packed = try deflate?(content) ?? content
        let offset = bytes.count
        let name = Array(name.utf8)
        let facts =
            half(20) + half(flags) + half(method ?? (deflate == nil ? 0 : 8)) + half(0) + half(33)
            + word(checksum ?? Self.checksum(content)) + word(packed.count) + word(size ?? content.count)
            + half(UInt16(name.count)) + half(0)
        bytes += word(0x0403_4B50) + facts + name + packed
        directory += word(0x0201_4B50) + half(20) + facts + half(0) + half(0) + half(0) + word(0) + word(offset) + name
        count += 1
    }

    /// The archive with its directory.
    public func finished(comment: String = "") -> [UInt8] {
        bytes + directory + word(0x0605_4B50) + half(0) + half(0) + half(UInt16(count)) + half(UInt16(count))
            + word(directory.count) + word(bytes.count) + half(UInt16(comment.utf8.count)) + Array(comment.utf8)
    }

    /// The archive with a directory in the large form, Zip64.
    public func finishedLarge() -> [UInt8] {
        let end =
            word(0x0606_4B50) + long(44) + half(45) + half(45) + word(0) + word(0) + long(count) + long(count)
            + long(directory.count) + long(bytes.count)
        let locator = word(0x0706_4B50) + word(0) + long(bytes.count + directory.count) + word(1)
        return bytes + directory + end + locator + word(0x0605_4B50) + half(0) + half(0) + half(0xFFFF) + half(0xFFFF)
            + word(UInt32.max) + word(UInt32.max) + half(0)
    }

    private func half(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
    private func word(_ number: UInt32) -> [UInt8] {
        half(UInt16(number & 0xFFFF)) + half(UInt16(number >> 16))
    }
    private func word(_ number: Int) -> [UInt8] { word(UInt32(number)) }
    private func long(_ number: Int) -> [UInt8] { word(UInt32(number)) + word(0) }

    /// CRC-32, bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var checksum = UInt32.max
        for byte in bytes {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 0 ? checksum >> 1 : checksum >> 1 ^ 0xEDB8_8320 }
        }
        return ~checksum
    }
}
