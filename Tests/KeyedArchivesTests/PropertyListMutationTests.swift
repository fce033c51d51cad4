import CompressedStreams
import Foundation
import KeyedArchives
import TestSupport
import Testing

/// Damaged input of every format: whatever happens, it is a value or an error. `FERRY_MUTATIONS` runs more of them.
@Suite struct PropertyListMutationTests {
    private static let count = TestSettings.number("FERRY_MUTATIONS", default: 10_000)

    private func archive() -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let names = ["zero", "one", "two"].map { builder.string($0) }
        let inner = builder.object(ArchivedClass("Node"))
        let list = builder.array(names + [inner, builder.date(1), builder.uuid(Array(0..<16))])
        let pairs = builder.dictionary([(names[0], list), (names[1], inner)])
        builder.fill(inner, [("list", .reference(list)), ("pairs", .reference(pairs)), ("count", .inline(3))])
        return builder.bytes(root: inner)
    }

    @Test(.long) func binaryLists() {
        var random = RandomNumbers(seed: 1)
        let small = BinaryPropertyListWriter.bytes(for: [
            "a": [1, "two", .real(3), ["b": true]], "c": .data([1, 2, 3]),
        ])
        let large = BinaryPropertyListWriter.bytes(for: SampleValues.nested)
        var readable = 0
        for number in 0..<Self.count {
            let bytes = Mutation.mutate(number.isMultiple(of: 20) ? large : small, with: &random)
            guard let value = try? PropertyListReader.value(from: bytes) else { continue }
            readable += 1
            let again = try? BinaryPropertyListReader.value(from: BinaryPropertyListWriter.bytes(for: value))
            #expect(again == value)
        }
        #expect(readable > 0 && readable < Self.count)
    }

    @Test func textLists() throws {
        var random = RandomNumbers(seed: 2)
        let xml = Array(
            try XMLPropertyListWriter.text(for: ["a & b": [1, .real(2.5), .date(0)], "d": .data([1, 2])]).utf8)
        let braces = Array("{ key = (a, \"b\\U00e9\", <0fbd77>); /* c */ other = { x = y; }; n = <*I5>; }".utf8)
        var readable = 0
        for number in 0..<Self.count {
            let bytes = Mutation.mutate(number.isMultiple(of: 2) ? xml : braces, with: &random)
            readable += (try? PropertyListReader.value(from: bytes)) == nil ? 0 : 1
        }
        #expect(readable > 0 && readable < Self.count)
    }

    @Test func keyedArchives() {
        var random = RandomNumbers(seed: 3)
        let bytes = archive()
        var readable = 0
        for _ in 0..<Self.count {
            readable += (try? ArchiveWalk.objectCount(Mutation.mutate(bytes, with: &random))) == nil ? 0 : 1
        }
        #expect(readable > 0 && readable < Self.count)
    }

    @Test func deflatedData() throws {
        var random = RandomNumbers(seed: 4)
        let bytes = try RawDeflate.deflate(BinaryPropertyListWriter.bytes(for: SampleValues.nested))
        for _ in 0..<(Self.count / 20) {
            let output = try? RawDeflate.inflate(Mutation.mutate(bytes, with: &random), limit: 1 << 20)
            #expect(output.map { $0.count <= 1 << 20 } ?? true)
        }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not beside the project"))
    func realModels() throws {
        var random = RandomNumbers(seed: 5)
        let files = Corpus.files(under: "5_compiled") { $0.hasSuffix(".mom") || $0 == "VersionInfo.plist" }
        let samples = try files.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }.filter { $0.count < 6000 }
        for number in 0..<(Self.count / 4) {
            let bytes = Mutation.mutate(samples[number % samples.count], with: &random)
            _ = try? PropertyListReader.value(from: bytes)
            _ = try? ArchiveWalk.objectCount(bytes)
        }
        #expect(samples.count > 10)
    }
}
