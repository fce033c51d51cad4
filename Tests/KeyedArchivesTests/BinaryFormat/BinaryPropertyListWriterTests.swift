import KeyedArchives
import Testing

@Suite struct BinaryPropertyListWriterTests {
    @Test(arguments: SampleValues.scalars)
    func everyScalarComesBackAsItWas(value: PropertyListValue) throws {
        #expect(try BinaryPropertyListReader.value(from: BinaryPropertyListWriter.bytes(for: value)) == value)
    }

    @Test func containersComeBackInOrder() throws {
        let read = try BinaryPropertyListReader.value(from: BinaryPropertyListWriter.bytes(for: SampleValues.nested))
        #expect(read == SampleValues.nested)
        #expect(read.dictionary?.keys == SampleValues.nested.dictionary?.keys)
    }

    @Test func sameValueGivesSameBytes() {
        let bytes = BinaryPropertyListWriter.bytes(for: SampleValues.nested)
        #expect(BinaryPropertyListWriter.bytes(for: SampleValues.nested) == bytes)
    }

    /// Written with Python's plistlib: `dumps({"a": [1, "a", True, b"\x01\x02", 1.5]}, fmt=FMT_BINARY,
    /// sort_keys=False)`.
    @Test func bytesAreThoseOfAnotherWriter() {
        let value: PropertyListValue = ["a": [1, "a", true, .data([1, 2]), .real(1.5)]]
        let expected: [UInt8] =
            Array("bplist00".utf8) + [
                0xD1, 0x01, 0x02, 0x51, 0x61, 0xA5, 0x03, 0x01, 0x04, 0x05, 0x06, 0x10, 0x01, 0x09, 0x42, 0x01, 0x02,
                0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0x08, 0x0B, 0x0D, 0x13, 0x15, 0x16, 0x19, 0, 0, 0, 0, 0, 0, 0x01,
                0x01, 0, 0, 0, 0, 0, 0, 0, 0x07, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x22,
            ]
        #expect(BinaryPropertyListWriter.bytes(for: value) == expected)
    }

    @Test func equalScalarsAreStoredOnce() {
        let text = PropertyListValue.string(String(repeating: "long ", count: 20))
        let one = BinaryPropertyListWriter.bytes(for: [text]).count
        #expect(BinaryPropertyListWriter.bytes(for: [text, text, text]).count == one + 2)
    }

    @Test func numbersOfEqualValueButOtherKindStayApart() throws {
        let value: PropertyListValue = [1, .real(1), .single(1), true, .date(1), .uid(1)]
        #expect(try BinaryPropertyListReader.value(from: BinaryPropertyListWriter.bytes(for: value)) == value)
    }
}
