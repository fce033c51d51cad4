import ImportTestSupport
import RecordSources
import TestSupport
import Testing

/// Documents made at random, the same in every run.
@Suite struct DelimitedFuzzTests {
    /// A writer that quotes whatever may need it, in a random way of those that mean the same.
    private func document(
        _ records: [[String]], delimiter: String, newline: String, random: inout RandomNumbers
    ) -> String {
        var text = ""
        for (index, record) in records.enumerated() {
            let fields = record.map { value in
                // By scalars: CR and LF together are one Character.
                let specials = ("\"\n\r" + delimiter).unicodeScalars
                let special = value.unicodeScalars.contains { specials.contains($0) }
                let isQuoted = special || record == [""] || Int.random(in: 0..<4, using: &random) == 0
                guard isQuoted else { return value }
                return "\"" + value.replacing("\"", with: "\"\"") + "\""
            }
            text += fields.joined(separator: delimiter)
            if index < records.count - 1 || Bool.random(using: &random) { text += newline }
        }
        return text
    }

    @Test(arguments: RandomNumbers.seeds(40))
    func whatAWriterHasWrittenReadsBackEqualWhateverTheChunksAndBatches(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let pieces = ["a", "é", "日本", "\"", ",", "\n", "\r\n", "\r", " ", "\u{0}", "x,y", "\"\"", ";", "😀", "0", "\\"]
        let width = Int.random(in: 1...6, using: &random)
        let records = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            (0..<width).map { _ in
                (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &random)]
                }.joined()
            }
        }
        let delimiter = [",", ";", "\t", "||"][seed % 4]
        let newline = ["\n", "\r\n", "\r"][seed % 3]
        let text = document(records, delimiter: delimiter, newline: newline, random: &random)
        var options = DelimitedOptions.plain
        options.delimiter = delimiter
        options.columnCount = width
        for chunkBytes in [1, 2, 3, 7, 64 << 10] {
            for limits in [RecordBatch.Limits(), .init(rows: 3, bytes: 1 << 20), .init(rows: 50, bytes: 20)] {
                let reading = try DelimitedReading(text, options: options, chunkBytes: chunkBytes, limits: limits)
                #expect(reading.records == records, "seed \(seed), chunks of \(chunkBytes)")
                #expect(reading.codes.allSatisfy { $0 == nil })
            }
        }
    }

    @Test(arguments: RandomNumbers.seeds(60))
    func garbageIsReadTheSameInAnyChunksAndRecordsKeepTheirOwnBytes(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(1000 + seed))
        let alphabet = Array("\"\",,,\n\r\\;|'# ab\t".utf8) + [0, 0xC3, 0xA9, 0xFF]
        let bytes = random.bytes(Int.random(in: 0...400, using: &random), from: alphabet)
        var options = DelimitedOptions.plain
        options.strayQuotes = DelimitedDialect.StrayQuotes.allCases[seed % 3]
        options.newline = DelimitedDialect.Newline.allCases[seed / 3 % 3]
        options.escape = .some(seed % 2 == 0 ? nil : UInt8(ascii: "\\"))
        options.comment = seed % 5 == 0 ? UInt8(ascii: "#") : nil
        options.skipsSpaceBeforeQuote = seed % 7 == 0
        options.delimiter = seed % 11 == 0 ? ",;" : ","
        let whole = try DelimitedReading(ByteInput(bytes: bytes, name: "garbage"), options: options)
        for chunkBytes in [1, 2, 3, 7, 61] {
            let input = ByteInput(bytes: bytes, name: "garbage", chunkBytes: chunkBytes)
            let reading = try DelimitedReading(input, options: options, limits: .init(rows: 2, bytes: 64))
            #expect(reading == whole, "seed \(seed), chunks of \(chunkBytes)")
        }
        for (offset, source) in zip(whole.offsets, whole.sourceBytes) {
            #expect(Array(bytes[offset..<offset + source.count]) == source)
        }
    }

    /// Where a batch is, and what it has if it was asked for.
    private struct BatchPlace: Equatable {
        let start: RecordPosition
        let end: RecordPosition
        let first: Int
        var records: [[UInt8]]
    }

    /// The batches of a source; those that begin before an offset have places only.
    private func places(
        _ bytes: [UInt8], _ options: DelimitedOptions, chunkBytes: Int, limits: RecordBatch.Limits,
        passingBefore offset: Int
    ) throws -> [BatchPlace] {
        var source = try DelimitedSource(
            ByteInput(bytes: bytes, name: "garbage", chunkBytes: chunkBytes), options: options)
        var batch = RecordBatch(limits: limits)
        var places: [BatchPlace] = []
        while try source.next(into: &batch, passingBefore: offset) {
            let isAsked = batch[0].sourceOffset >= offset
            places.append(
                BatchPlace(
                    start: batch.start, end: batch.end, first: batch[0].sourceOffset,
                    records: isAsked
                        ? (0..<batch.count).map { Array(batch.sourceBytes(of: $0)) + [UInt8(batch[$0].line & 0xFF)] }
                        : []))
        }
        return places
    }

    /// A shard passes over the batches before its own; all shards, and whoever reads the whole source, must find the
    /// same ones.
    @Test(arguments: RandomNumbers.seeds(240))
    func batchesThatArePassedOverAreWhereTheyAreOtherwise(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(9000 + seed))
        let bytes: [UInt8]
        var options = DelimitedOptions.plain
        options.newline = DelimitedDialect.Newline.allCases[seed / 3 % 3]
        options.strayQuotes = DelimitedDialect.StrayQuotes.allCases[seed % 3]
        if seed % 4 == 0 {
            let alphabet = Array("\"\"\",,,\n\n\r ab".utf8)
            bytes = random.bytes(Int.random(in: 0...600, using: &random), from: alphabet)
            options.doublesQuotes = seed % 8 == 0
        } else {
            // What is written as it should be, of which all is passed the fast way.
            let pieces = [
                "a", "bcd", "\"", ",", "\n", "\r\n", "\r", " ", "x,y", "", "long enough for a block of bytes",
            ]
            let records = (0..<Int.random(in: 1...80, using: &random)).map { _ in
                (0..<3).map { _ in
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        pieces[Int.random(in: 0..<pieces.count, using: &random)]
                    }.joined()
                }
            }
            let newline = [.lineFeed: "\n", .carriageReturn: "\r"][options.newline ?? .any] ?? "\r\n"
            bytes = Array(document(records, delimiter: ",", newline: newline, random: &random).utf8)
        }
        options.columnCount = 3
        for limits in [RecordBatch.Limits(rows: 1), .init(rows: 3, bytes: 1 << 20), .init(rows: 50, bytes: 64)] {
            let all = try places(bytes, options, chunkBytes: 64 << 10, limits: limits, passingBefore: 0)
            for chunkBytes in [1, 3, 7, 61, 64 << 10] {
                for offset in [0, bytes.count / 3, bytes.count / 2, bytes.count + 1] {
                    var expected = all
                    for index in expected.indices where expected[index].first < offset { expected[index].records = [] }
                    let found = try places(
                        bytes, options, chunkBytes: chunkBytes, limits: limits, passingBefore: offset)
                    #expect(found == expected, "seed \(seed), chunks of \(chunkBytes), from \(offset)")
                }
            }
        }
    }

    @Test(arguments: RandomNumbers.seeds(60))
    func nothingMakesSniffingFailButAMissingOrUnreadableHeader(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(5000 + seed))
        let alphabet: [UInt8] = seed % 2 == 0 ? Array(0...255) : Array("\"',;:|\t\n\r\\ab1 #\u{1F}".utf8)
        let bytes = random.bytes(Int.random(in: 0...600, using: &random), from: alphabet)
        do {
            let reading = try DelimitedReading(ByteInput(bytes: bytes, name: "garbage", chunkBytes: 5))
            #expect(reading.records.count <= bytes.count)
        } catch let error as SourceError {
            switch error.code {
            case .missingHeader, .malformedHeader, .undecodableHeader: break
            default: Issue.record("unexpected: \(error)")
            }
        }
    }
}
