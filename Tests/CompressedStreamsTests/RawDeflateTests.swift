import CompressedStreams
import Testing

@Suite struct RawDeflateTests {
    private let text = Array(String(repeating: "managed object model ", count: 10_000).utf8)

    @Test func packedBytesComeBack() throws {
        let packed = try RawDeflate.deflate(text)
        #expect(packed.count < text.count / 50)
        #expect(try RawDeflate.inflate(packed, limit: text.count) == text)
        #expect(try RawDeflate.inflate(RawDeflate.deflate([]), limit: 0) == [])
    }

    /// Made with Python: `zlib.compressobj(9, zlib.DEFLATED, -15)` over `b"hello hello hello"`.
    @Test func dataOfAnotherWriterIsRead() throws {
        let packed: [UInt8] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00]
        #expect(try RawDeflate.inflate(packed, limit: 100) == Array("hello hello hello".utf8))
    }

    @Test func damageIsNamed() throws {
        let packed = try RawDeflate.deflate(text)
        #expect(throws: DeflateError(.tooLarge)) { try RawDeflate.inflate(packed, limit: text.count - 1) }
        #expect(throws: DeflateError(.truncated)) { try RawDeflate.inflate(Array(packed.dropLast()), limit: .max) }
        #expect(throws: DeflateError(.truncated)) { try RawDeflate.inflate([], limit: .max) }
        #expect(throws: DeflateError(.trailingContent)) { try RawDeflate.inflate(packed + [0], limit: .max) }
        #expect(throws: DeflateError(.damaged)) { try RawDeflate.inflate([0xFF, 0xFF], limit: .max) }
    }
}
