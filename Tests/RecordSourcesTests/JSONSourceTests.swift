import Foundation
import ImportTestSupport
import RecordSources
import TestSupport
import Testing

@Suite struct JSONSourceTests {
    private func read(
        _ text: String, paths: [String] = [], chunkBytes: Int = 64 << 10, change: (inout JSONOptions) -> Void = { _ in }
    ) throws -> NestedReading {
        var options = JSONOptions()
        change(&options)
        return try NestedReading(
            jsonSource(Array(text.utf8), paths: paths, chunkBytes: chunkBytes, options: options))
    }

    @Test(arguments: [
        "[{\"a\":1,\"b\":{\"c\":[true,null,\"x\"]}},\n {\"a\":2}]\n",
        "{\"a\":1,\"b\":{\"c\":[true,null,\"x\"]}}\n{\"a\":2}\n",
        "{\"a\":1,\"b\":{\"c\":[true,null,\"x\"]}}{\"a\":2}",
        "\u{FEFF} {\n \"a\" : 1 , \"b\" : { \"c\" : [ true , null , \"x\" ] } }\n\n{\"a\":2\n}",
        "\u{1E}{\"a\":1,\"b\":{\"c\":[true,null,\"x\"]}}\n\u{1E}{\"a\":2}\n",
        "{\"a\":1,\"b\":{\"c\":[true,null,\"x\"]}}\r\n\r\n{\"a\":2}",
    ])
    func anArrayLinesAndValuesOneAfterTheOtherGiveTheSameRecords(text: String) throws {
        for chunkBytes in [1, 2, 3, 7, 1000] {
            let reading = try read(text, paths: ["a", "b.c[2]", "b", "b.d"], chunkBytes: chunkBytes)
            #expect(reading.trees == ["{a=1 b={c=[true null 'x']}}", "{a=2}"])
            #expect(reading.fields == [["1", "x", "", ""], ["2", "", "", ""]])
            #expect(reading.kinds == [[.number, .quoted, .node, .missing], [.number, .missing, .missing, .missing]])
        }
    }

    @Test func nothingIsRoundedNumbersAreTheTextThatTheyAre() throws {
        let numbers = [
            "12345678901234567890123", "0.1000000000000000055511151231257827", "-0", "1e400", "1E-7", "5.00",
        ]
        let reading = try read("[" + numbers.joined(separator: ",") + "]", paths: ["."])
        #expect(reading.fields == numbers.map { [$0] })
        #expect(reading.kinds.allSatisfy { $0 == [.number] })
    }

    @Test func escapesAreDecodedSurrogatePairsJoinedNULKept() throws {
        let text = #"{"a":"\"\\\/\b\f\n\r\t\u00e9\u65e5\ud83d\ude00\u0000.","\u0062":"x"}"#
        let reading = try read(text, paths: ["a", "b"])
        #expect(reading.fields == [["\"\\/\u{8}\u{C}\n\r\té日😀\u{0}.", "x"]])
    }

    @Test(arguments: [
        (#"{"a":"\ud83d"}"#, RecordProblem.Code.loneSurrogate), (#"{"a":"\ude00"}"#, .loneSurrogate),
        (#"{"a":"\ud83dx"}"#, .loneSurrogate), (#"{"a":"\ud83d\u0041"}"#, .loneSurrogate),
        (#"{"a":01}"#, .malformed), (#"{"a":1.}"#, .malformed), (#"{"a":.5}"#, .malformed), (#"{"a":+1}"#, .malformed),
        (#"{"a":1e}"#, .malformed), (#"{"a":-}"#, .malformed), (#"{"a":tru}"#, .malformed), (#"{"a":NaN}"#, .malformed),
        (#"{"a":"\x"}"#, .malformed), (#"{"a":"\u12g4"}"#, .malformed), ("{\"a\":\"\t\"}", .malformed),
        (#"{"a":1,}"#, .malformed), (#"{,}"#, .malformed), (#"{"a" 1}"#, .malformed), (#"{a:1}"#, .malformed),
        (#"{"a":[1,]}"#, .malformed), (#"{"a":[1 2]}"#, .malformed), (#"{"a":1]"#, .malformed),
        (#"{"a":1}}"#, .malformed),
        (#"{"a":1} x"#, .malformed), (#"{"a":1,"a":2}"#, .duplicateKey), (#"{"a":1,"\u0061":2}"#, .duplicateKey),
        (#"{"a":'x'}"#, .malformed), (#"{"a":1"#, .malformed), (#"{"a"#, .malformed), ("[1]", .notAnObject),
    ])
    func aBadLineIsRejectedWithItsProblemAndTheOthersAreRead(
        line: String, code: RecordProblem.Code
    ) throws {
        for chunkBytes in [1, 1000] {
            let reading = try read("{\"a\":1}\n\(line)\n{\"a\":3}\n", paths: ["a"], chunkBytes: chunkBytes) {
                $0.layout = .lines
            }
            #expect(reading.codes == [nil, code, nil])
            #expect(reading.fields[2] == ["3"])
            #expect(reading.lines == [1, 2, 3])
            #expect(reading.sourceBytes[1] == Array(line.utf8))
        }
    }

    @Test func aBadItemOfAnArrayEndsWhereItsBracketsClose() throws {
        let text = "[{\"a\":1},\n{\"a\":tru,\"b\":[\"]\\\"}\"]},\n xyz, {\"a\":2,},\n{\"a\":3}]"
        for chunkBytes in [1, 3, 1000] {
            let reading = try read(text, paths: ["a"], chunkBytes: chunkBytes)
            #expect(reading.codes == [nil, .malformed, .malformed, .malformed, nil])
            #expect(reading.fields.map(\.first) == ["1", "", "", "", "3"])
            #expect(reading.lines == [1, 2, 3, 3, 4])
            #expect(reading.sourceBytes[1] == Array("{\"a\":tru,\"b\":[\"]\\\"}\"]}".utf8))
        }
    }

    @Test(arguments: ["[{\"a\":1}", "[{\"a\":1},", "[{\"a\":1} {\"a\":2}]", "[{\"a\":1}] x", "[{\"a\":1}]]", "[,]"])
    func anArrayThatIsNotOneIsAnErrorWithItsPlace(text: String) throws {
        let error = #expect(throws: SourceError.self) { try read(text, paths: ["a"]) }
        #expect(error?.line == 1)
        #expect(error?.byteOffset != nil)
    }

    @Test func anArrayCutInsideARecordRejectsThatRecord() throws {
        let reading = try read("[{\"a\":1},\n{\"a\":2", paths: ["a"])
        #expect(reading.codes == [nil, .unclosedValue])
    }

    @Test func nestingAndNumberOfValuesHaveLimits() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let many = String(repeating: "1,", count: 200) + "1"
        let text = "{\"a\":\(deep)}\n{\"a\":[\(many)]}\n{\"a\":4}\n"
        let reading = try read(text, paths: ["a"]) { $0.limits.values = 200 }
        #expect(reading.codes == [.tooDeep, .tooManyValues, nil])
    }

    @Test func aRecordLargerThanAllowedIsAnErrorNotAFullMemory() throws {
        let error = #expect(throws: SourceError.self) {
            try read("[{\"a\":\"" + String(repeating: "x", count: 200_000), chunkBytes: 1000) { $0.limits.bytes = 5000 }
        }
        #expect(error?.code == .unclosedValue)
        #expect(error?.byteOffset == 1)
    }

    @Test(arguments: [(JSONDuplicateKeys.keepFirst, "1"), (.keepLast, "3")])
    func aKeyThatOccursTwiceCountsAsAskedFor(policy: JSONDuplicateKeys, value: String) throws {
        let reading = try read("{\"a\":1,\"a\":2,\"b\":{\"a\":0},\"a\":3}", paths: ["a"]) { $0.duplicateKeys = policy }
        #expect(reading.fields == [[value]])
    }

    @Test func manyKeysAreNoTrouble() throws {
        let object = "{" + (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        #expect(try read(object, paths: ["k49999"]).fields == [["49999"]])
        #expect(try read(object.dropLast() + ",\"k7\":0}").codes == [.duplicateKey])
    }

    @Test func recordsDeepInADocumentAreFoundByTheKeysThatLeadToThem() throws {
        let text =
            "{\"skip\":[{\"x\":\"]}\"},1,\"\\\"\"],\n"
            + "\"data\":{\"n\":null,\"it\\u0065ms\":[{\"a\":1},{\"a\":2}]},\"z\":0}"
        for chunkBytes in [1, 5, 1000] {
            let reading = try read(text, paths: ["a"], chunkBytes: chunkBytes) { $0.recordPath = "data.items" }
            #expect(reading.fields == [["1"], ["2"]])
            #expect(reading.lines == [2, 2])
        }
        #expect(throws: SourceError.self) { try read(text) { $0.recordPath = "data.nothing" } }
        #expect(throws: SourceError.self) { try read(text) { $0.recordPath = "skip.x" } }
    }

    @Test func bytesThatAreNoUTF8RejectTheirRecord() throws {
        let bytes = Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}\n{\"a\":1}\n".utf8)
        let reading = try NestedReading(jsonSource(bytes, paths: ["a"]))
        #expect(reading.codes == [.undecodable, nil])
    }

    @Test func utf16IsReadWithThePlacesOfTheSource() throws {
        let bytes = "{\"a\":\"é\"}\n{\"a\":2}\n".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let reading = try NestedReading(jsonSource(bytes, paths: ["a"], chunkBytes: 3))
        #expect(reading.fields == [["é"], ["2"]])
        #expect(reading.offsets == [0, 20])
        #expect(reading.sourceBytes[1] == Array(bytes[20..<34]))
    }

    @Test(arguments: [
        "[{\"a\":0}\n,{\"a\":1},\n{\"a\":2}]", "{\"a\":0}\n{\"a\":1}\n{\"a\":2}\n", "{\"a\":0}{\"a\":1} {\"a\":2}",
    ])
    func readingGoesOnFromThePositionOfAnyBatch(text: String) throws {
        for rows in 1...3 {
            var source = try jsonSource(Array(text.utf8), paths: ["a"])
            var batch = RecordBatch(limits: .init(rows: rows))
            #expect(try source.next(into: &batch))
            let rest = try NestedReading(jsonSource(Array(text.utf8), paths: ["a"], chunkBytes: 4, from: batch.end))
            #expect(rest.fields == (rows..<3).map { ["\($0)"] })
        }
    }

    @Test(arguments: 0..<80)
    func garbageNeverCrashesAndIsReadTheSameInAnyChunks(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let pieces = "{ } [ ] \" : , \\ \\u d83d 1 - . e true null \n a".components(separatedBy: " ") + [" "]
        var text = seed % 2 == 0 ? "[" : ""
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            text +=
                Int.random(in: 0..<3, using: &random) == 0
                ? "{\"a\":1}\n" : pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }
        let layout = seed % 2 == 0 ? JSONOptions.Layout.array : [.lines, .concatenated][seed / 2 % 2]
        func attempt(_ chunkBytes: Int) -> Result<NestedReading, SourceError>? {
            do { return .success(try read(text, paths: ["a"], chunkBytes: chunkBytes) { $0.layout = layout }) } catch {
                return (error as? SourceError).map { .failure($0) }
            }
        }
        let whole = attempt(1000)
        #expect(whole != nil)
        for chunkBytes in [1, 2, 3, 7] { #expect(attempt(chunkBytes) == whole, "seed \(seed)") }
    }

    @Test(.enabled(if: Corpus.isPresent, "the corpus is not here"))
    func theCountriesOfTheCorpusAreWhatFoundationReads() throws {
        let path = (Corpus.path ?? "") + "/7_data/mledoze__countries/dist/countries.json"
        let expected = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let countries = try #require(expected as? [[String: Any]])
        var names = FieldNames()
        let paths = try ["cca3", "name.common", "borders[0]", "latlng[1]", "independent", "languages.fra"].map {
            try RecordPath($0, names: &names)
        }
        let borders = try RecordPath("borders[*]", names: &names)
        var source = try JSONSource(ByteInput(path: path, chunkBytes: 1000), paths: paths, names: names)
        var batch = RecordBatch(limits: .init(rows: 70))
        var index = 0
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                let country = countries[index]
                #expect(batch.text(of: batch.field(0, of: record)) == country["cca3"] as? String)
                let name = country["name"] as? [String: Any]
                #expect(batch.text(of: batch.field(1, of: record)) == name?["common"] as? String)
                var codes: [String] = []
                borders.visit(batch.nodes, from: Int(batch[record].rootNode)) { node in
                    codes.append(batch.text(of: batch.nodes[node].value))
                    return true
                }
                #expect(codes == country["borders"] as? [String])
                let longitude = (country["latlng"] as? [NSNumber])?.last?.doubleValue
                #expect(Double(batch.text(of: batch.field(3, of: record))) == longitude)
                index += 1
            }
        }
        #expect(index == countries.count)
    }
}
