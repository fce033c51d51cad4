import ImportTestSupport
import RecordSources
import TestSupport
import Testing

@Suite struct TextEncodingTests {
    private func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
            return bigEndian ? bytes.reversed() : bytes
        }
    }

    private let text = "name,city\nÅsa,\"Malmö\n2\"\n日本,😀\n"
    private let records = [["Åsa", "Malmö\n2"], ["日本", "😀"]]

    @Test(arguments: [false, true], [false, true])
    func utf16IsFoundWithAndWithoutAMarkAndPlacesAreThoseOfTheSource(
        bigEndian: Bool, marked: Bool
    ) throws {
        let bytes = utf16((marked ? "\u{FEFF}" : "") + text, bigEndian: bigEndian)
        for chunkBytes in [1, 2, 3, 5, 1000] {
            let reading = try DelimitedReading(ByteInput(bytes: bytes, name: "wide.csv", chunkBytes: chunkBytes))
            #expect(reading.columns == ["name", "city"])
            #expect(reading.records == records)
            #expect(reading.offsets == [20 + (marked ? 2 : 0), 48 + (marked ? 2 : 0)])
            #expect(reading.sourceBytes[1] == utf16("日本,😀\n", bigEndian: bigEndian))
            #expect(reading.lines == [2, 4])
        }
    }

    @Test(arguments: ["k,v\na,b\u{0}c\n", "k,v\na,\u{0}\u{0}\n", "k,v\n\u{0},\u{0}1\n\u{0},\u{0}2\n"])
    func aFewNULsMakeNoUTF16(text: String) throws {
        let reading = try DelimitedReading(text)
        #expect(reading.columns == ["k", "v"])
        #expect(reading.records.joined().contains { $0.contains("\u{0}") })
    }

    @Test func badBytesAmongGoodUTF8RejectTheirRecordsAndChangeNoOthers() throws {
        let bytes = Array("k,v\na,ä\nb,".utf8) + [0xFF] + Array("\nc,日本\n".utf8)
        let reading = try DelimitedReading(
            ByteInput(bytes: bytes, name: "t.csv"), options: .with { $0.hasHeader = true })
        #expect(reading.codes == [nil, .undecodable, nil])
        #expect(reading.records[0] == ["a", "ä"] && reading.records[2] == ["c", "日本"])
    }

    @Test func aMarkBeforeUTF8IsNoPartOfTheFirstName() throws {
        let reading = try DelimitedReading("\u{FEFF}" + text)
        #expect(reading.columns == ["name", "city"])
        #expect(reading.offsets.first == 13)
    }

    @Test func windows1252AndLatin1AreReadTheFirstWithoutBeingNamed() throws {
        let bytes: [UInt8] = Array("n,p\nCaf".utf8) + [0xE9, 0x2C, 0x80] + Array("5\n".utf8)
        let found = try DelimitedReading(ByteInput(bytes: bytes, name: "west.csv"))
        #expect(found.records == [["Café", "€5"]])
        #expect(found.offsets == [4])
        let named = try DelimitedReading(
            ByteInput(bytes: bytes, name: "west.csv"), options: .with { $0.encoding = TextEncoding(named: "latin1") })
        #expect(named.records == [["Café", "\u{80}5"]])
    }

    @Test(arguments: [nil, "Shift_JIS"] as [String?])
    func shift_JISIsReadWithBackslashesAsSecondBytesOfCharacters(named: String?) throws {
        // 表示,ソ\n"こんにちは",テスト\n : the second bytes of 表 and ソ are 0x5C.
        let header: [UInt8] = [0x95, 0x5C, 0x8E, 0xA6, 0x2C, 0x83, 0x5C, 0x0A]
        let row: [UInt8] =
            [0x22, 0x82, 0xB1, 0x82, 0xF1, 0x82, 0xC9, 0x82, 0xBF, 0x82, 0xCD, 0x22, 0x2C]
            + [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x0A]
        let options = DelimitedOptions.with {
            $0.hasHeader = true
            $0.encoding = named.map { TextEncoding(named: $0) }
        }
        for chunkBytes in [1, 3, 100] {
            let input = ByteInput(bytes: header + row + row, name: "sjis.csv", chunkBytes: chunkBytes)
            let reading = try DelimitedReading(input, options: options)
            #expect(reading.columns == ["表示", "ソ"])
            #expect(reading.records == [["こんにちは", "テスト"], ["こんにちは", "テスト"]])
            #expect(reading.offsets == [8, 28])
            #expect(reading.sourceBytes == [row, row])
        }
    }

    @Test func bytesThatAreNoTextRejectTheirRecordWithTheirPlaceAndAreNeverReplaced() throws {
        let bytes: [UInt8] =
            Array("a,b\nc,".utf8) + [0xC3, 0x28, 0x0A] + Array("d,é\n".utf8) + [0xED, 0xA0, 0x80]
            + Array(",x\ny,z\n".utf8)
        let reading = try DelimitedReading(
            ByteInput(bytes: bytes, name: "t.csv"),
            options: .with {
                $0.encoding = .utf8
                $0.hasHeader = true
            })
        #expect(reading.codes == [.undecodable, nil, .undecodable, nil])
        #expect(reading.problems[0]?.offset == 2)
        #expect(reading.problems[2]?.line == 4)
        #expect(reading.sourceBytes[0] == Array(bytes[4..<9]))
    }

    @Test func halfASurrogatePairInUTF16RejectsItsRecordWithTheSourcesOwnBytes() throws {
        let bytes = utf16("a,b\nc,", bigEndian: false) + [0x3D, 0xD8, 0x0A, 0x00] + utf16("d,e\n", bigEndian: false)
        for chunkBytes in [1, 3, 1000] {
            let reading = try DelimitedReading(
                ByteInput(bytes: bytes, name: "t.csv", chunkBytes: chunkBytes),
                options: .with {
                    $0.encoding = .utf16LittleEndian
                    $0.hasHeader = true
                    $0.delimiter = ","
                })
            #expect(reading.codes == [.undecodable, nil])
            #expect(reading.sourceBytes[0] == Array(bytes[8..<16]))
            #expect(reading.offsets == [8, 16])
        }
    }

    @Test func anUnknownEncodingIsAnErrorThatNamesIt() throws {
        let input = ByteInput(bytes: Array("a\n".utf8), name: "t.csv")
        let error = #expect(throws: SourceError.self) {
            try DelimitedSource(input, options: .with { $0.encoding = TextEncoding(named: "klingon") })
        }
        #expect(error?.code == .unknownEncoding("KLINGON"))
    }

    @Test func aSourceGoesOnFromAPositionInItsOwnBytes() throws {
        let directory = try TemporaryDirectory()
        let rows = (0..<500).map { "r\($0),ä\($0)\n" }.joined()
        let text = "n,v\n" + rows
        for (name, bytes) in [("u8.csv", Array(text.utf8)), ("u16.csv", utf16(text, bigEndian: true))] {
            let path = try directory.write(bytes, to: name)
            var source = try DelimitedSource(ByteInput(path: path))
            var batch = RecordBatch(limits: .init(rows: 123))
            #expect(try source.next(into: &batch))
            let position = batch.end
            #expect(position.record == 123 && position.line == 125)
            let rest = try DelimitedReading(ByteInput(path: path, chunkBytes: 64), from: position)
            #expect(rest.records.first == ["r123", "ä123"])
            #expect(rest.records.count == 377)
            #expect(rest.lines.last == 501)
        }
    }
}
