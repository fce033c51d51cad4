import KeyedArchives
import TestSupport
import Testing

@Suite struct BinaryPropertyListReaderTests {
    /// A list of given objects, each at its own offset, with sizes of one byte.
    private func list(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt8(objects.count), top, table] {
            bytes += [0, 0, 0, 0, 0, 0, 0, number]
        }
        return bytes
    }

    private func code(_ bytes: [UInt8], limits: PropertyListLimits? = nil) -> PropertyListError.Code? {
        do {
            _ = try BinaryPropertyListReader.value(from: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func readsAHandMadeList() throws {
        let bytes = list([[0xD1, 1, 2], [0x51, 0x6B], [0xA2, 3, 1], [0x11, 0x01, 0x00]])
        #expect(try BinaryPropertyListReader.value(from: bytes) == ["k": [256, "k"]])
    }

    @Test func containerThatHoldsItselfIsAnError() {
        #expect(code(list([[0xA1, 0]])) == .cyclic)
        #expect(code(list([[0xA1, 1], [0xA1, 0]])) == .cyclic)
        #expect(code(list([[0xD1, 1, 0], [0x51, 0x61]])) == .cyclic)
    }

    @Test func damagedPartsAreNamed() {
        #expect(code(list([[0xA1, 9]])) == .referenceOutOfRange)
        #expect(code(list([[0x51, 0x80]])) == .textInvalid)
        #expect(code(list([[0x5F, 0x13, 0x7F, 0, 0, 0, 0, 0, 0, 0]])) == .truncated)
        #expect(code(list([[0x4F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]])) == .truncated)
        #expect(code(list([[0xAF, 0x23, 0, 0, 0, 0, 0, 0, 0, 0]])) == .sizeUnsupported)
        #expect(code(list([[0x15, 0]])) == .sizeUnsupported)
        #expect(code(list([[0x70, 0]])) == .markerUnknown)
        #expect(code(list([[0xD1, 1, 1], [0x10, 1]])) == .keyNotText)
        #expect(code(list([[0xD2, 1, 1, 1, 1], [0x51, 0x61]])) == .keyRepeated)
        #expect(code(list([[0x10, 1]], top: 1)) == .trailerInvalid)
        #expect(code(Array("bplist00".utf8)) == .truncated)
        #expect(code(Array("hello".utf8)) == .notAPropertyList)
        #expect(code([]) == .notAPropertyList)
    }

    @Test func truncationAnywhereIsAnError() {
        let bytes = BinaryPropertyListWriter.bytes(for: SampleValues.nested)
        for length in stride(from: 0, to: bytes.count, by: bytes.count / 500) {
            #expect(code(Array(bytes.prefix(length))) != nil)
        }
    }

    @Test(.long) func nestingBeyondTheLimitIsAnError() {
        var value: PropertyListValue = []
        for _ in 0..<200 {
            value = .array([value])
        }
        let bytes = BinaryPropertyListWriter.bytes(for: value)
        #expect(code(bytes) == nil)
        #expect(code(bytes, limits: PropertyListLimits(depth: 200, values: 1000, payloadBytes: 0)) == .tooDeep)
    }

    /// Thirty arrays, each of which holds the next one twice: a thousand million values when they are walked.
    @Test func sharingThatMultipliesIsAnError() {
        var objects: [[UInt8]] = (1...30).map { [0xA2, UInt8($0), UInt8($0)] }
        objects.append([0x09])
        #expect(code(list(objects)) == .tooLarge)
    }

    /// Many arrays whose references overlap in the file: each small there, all of them huge in memory.
    @Test func overlappingContainersAreAnError() {
        let count = 20_000
        var bytes = Array("bplist00".utf8)
        let top = bytes.count
        bytes += [0xAF, 0x12] + big(count - 1, 4)
        for number in 1..<count {
            bytes += big(number, 4)
        }
        // Every other object is an array header; all of them end in the same references to the last object, a boolean.
        var offsets = [top]
        for _ in 0..<(count - 2) {
            offsets.append(bytes.count)
            bytes += [0xAF, 0x12] + big(count, 4)
        }
        bytes += (0..<count).flatMap { _ in big(count - 1, 4) }
        offsets.append(bytes.count)
        bytes.append(0x09)
        let table = bytes.count
        bytes += offsets.flatMap { big($0, 4) } + [0, 0, 0, 0, 0, 0, 4, 4] + big(count, 8) + big(0, 8) + big(table, 8)
        #expect(code(bytes) != nil)
    }

    @Test func sharedPayloadIsCountedAtEachPlace() {
        let payload = PropertyListValue.data([UInt8](repeating: 1, count: 1000))
        let bytes = BinaryPropertyListWriter.bytes(for: .array(Array(repeating: payload, count: 100)))
        #expect(code(bytes, limits: PropertyListLimits(depth: 8, values: 1000, payloadBytes: 100_000)) == nil)
        #expect(code(bytes, limits: PropertyListLimits(depth: 8, values: 1000, payloadBytes: 99_999)) == .tooLarge)
    }

    private func big(_ number: Int, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
