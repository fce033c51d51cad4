import ImportTestSupport
import TestSupport
import Testing

@testable import RecordSources

/// Objects whose keys come in a known order, held against what they were written from, and against reading them without
/// any known order.
@Suite struct JSONPlainObjectTests {
    /// Whole records with what they mean, and others.
    private struct Records {
        var text = ""
        /// By record: the values of `keys` as text; nil for a record that may be rejected.
        var values: [[String]?] = []

        static let keys = ["id", "a longer name", "x", "remark", "amount", "isPaid", "last"]
    }

    private static let scalars = [
        ("1", "1"), ("-0.5e+10", "-0.5e+10"), ("true", "true"), ("false", "false"), ("null", "null"), ("\"\"", ""),
        ("\"plain\"", "plain"), (#""a \"b\" \\ c""#, #"a "b" \ c"#), (#""\u00e9\n""#, "é\n"), ("\"日本\"", "日本"),
        ("12345678901234567890", "12345678901234567890"),
    ]

    /// What is no plain record, or none at all.
    private static let others = [
        #"{"id":1,"x":[1,2]}"#, #"{"id":{"id":2},"x":3}"#, #"{"id":1,"id":2}"#, #"{"id":1,}"#, #"{"id" 1}"#, #"{"id":"#,
        #"{"x":1,"id":2}"#, #"{"id":tru}"#, #"{"id":nulL}"#, #"{"id":01}"#, #"{"id":"\x"}"#, #"{"id":"a}"#, "7",
        "[]", "{",
        #"{"id":1}}"#, #"{"i\u0064":1,"x":"\ud83d"}"#, #"{"id":1;"x":2}"#, #"{"idx":1}"#, #"{"id":fals}"#,
    ]

    private func records(_ count: Int, hasOthers: Bool, hasLines: Bool, _ random: inout RandomNumbers) -> Records {
        var records = Records()
        for _ in 0..<count {
            if hasOthers, Int.random(in: 0..<8, using: &random) == 0 {
                records.text += (Self.others.randomElement(using: &random) ?? "") + "\n"
                records.values.append(nil)
                continue
            }
            var values = [String](repeating: "", count: Records.keys.count)
            var members: [String] = []
            let spaces = hasLines ? ["", " ", "\t"] : ["", " ", "\n", "\r\n"]
            let space = Int.random(in: 0..<3, using: &random) == 0 ? spaces.randomElement(using: &random) ?? "" : ""
            for (index, key) in Records.keys.enumerated() where Int.random(in: 0..<6, using: &random) > 0 {
                let (written, value) = Self.scalars.randomElement(using: &random) ?? ("1", "1")
                members.append("\(space)\"\(key)\"\(space):\(space)\(written)\(space)")
                values[index] = value
            }
            let separator = hasLines ? ["\n", "\r\n", "\n\n", " \n", "\n\u{1E}"].randomElement(using: &random) : "\n"
            records.text += "{" + members.joined(separator: ",") + "\(space)}" + (separator ?? "\n")
            records.values.append(values)
        }
        return records
    }

    /// All records, and where each batch ends.
    private func read(
        _ text: String, _ layout: JSONOptions.Layout, chunkBytes: Int, ordersKeys: Bool, _ limits: RecordBatch.Limits
    ) throws -> (reading: NestedReading, ends: [RecordPosition]) {
        var options = JSONOptions()
        options.layout = layout
        if !ordersKeys { options.keyOrder = JSONKeyOrder.Limits(keys: 0, bytes: 0) }
        let paths = Records.keys.map { "\"\($0)\"" } + ["x[1]"]
        func source() throws -> JSONSource {
            try jsonSource(Array(text.utf8), paths: paths, chunkBytes: chunkBytes, options: options)
        }
        var ends: [RecordPosition] = []
        var batch = RecordBatch(limits: limits)
        var again = try source()
        while try again.next(into: &batch) { ends.append(batch.end) }
        return (try NestedReading(source(), limits: limits), ends)
    }

    @Test(arguments: 0..<24)
    func recordsAreThoseThatWereWrittenHoweverTheyAreReadIn(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let layout = JSONOptions.Layout.allCases[seed % 3]
        let records = records(120, hasOthers: seed % 2 == 0 && layout == .lines, hasLines: layout == .lines, &random)
        var text = records.text
        if layout == .array {
            text = "[" + text.replacing("}\n{", with: "}\n,{") + "]"
        }
        let limits = RecordBatch.Limits(
            rows: [1, 7, 1000][seed / 3 % 3], bytes: [1000, 4000, 4 << 20].randomElement(using: &random) ?? 1000)
        let expected = try read(text, layout, chunkBytes: 1 << 16, ordersKeys: false, limits)
        #expect(expected.reading.fields.count == records.values.count)
        for (record, values) in records.values.enumerated() {
            guard let values else { continue }
            #expect(expected.reading.problems[record] == nil)
            #expect(Array(expected.reading.fields[record].dropLast()) == values)
        }
        for chunkBytes in [1, 13, 100, 1 << 16] {
            let found = try read(text, layout, chunkBytes: chunkBytes, ordersKeys: true, limits)
            #expect(found.reading == expected.reading)
            #expect(found.ends == expected.ends)
        }
    }

    @Test func limitsOfValuesAndOfDepthHoldForObjectsOfKnownKeysToo() throws {
        var options = JSONOptions()
        options.layout = .lines
        let text = #"{"a":1}|{"a":1,"b":2}|{"a":1,"b":2,"c":3}|{"a":1,"b":2}|{"a":7,"b":2,"c":3}|"#
            .replacing("|", with: "\n")
        options.limits.values = 3
        let few = try NestedReading(jsonSource(Array(text.utf8), paths: ["a"], options: options))
        #expect(few.codes == [nil, nil, .tooManyValues, nil, .tooManyValues])
        options.limits.values = 4
        #expect(
            try NestedReading(jsonSource(Array(text.utf8), paths: ["a"], options: options)).fields
                == [["1"], ["1"], ["1"], ["1"], ["7"]])
        options.limits.depth = 0
        let flat = try NestedReading(jsonSource(Array(text.utf8), paths: ["a"], options: options))
        #expect(flat.codes == [RecordProblem.Code?](repeating: .tooDeep, count: 5))
    }

    /// Records with parts in between, after which plain ones are looked for again.
    @Test func plainRecordsAmongOthersAreReadWithTheirValues() throws {
        var (text, expected) = ("", [[String]]())
        for record in 0..<500 {
            let hasParts = record % 150 == 40
            text += "{\"a\":\(record),\"b\":" + (hasParts ? "[{\"a\":1}]" : "\"\(record)\"") + "}\n"
            expected.append(["\(record)", hasParts ? "" : "\(record)"])
        }
        var options = JSONOptions()
        options.layout = .lines
        let reading = try NestedReading(jsonSource(Array(text.utf8), paths: ["a", "b"], options: options))
        #expect(reading.fields == expected)
        #expect(reading.codes.allSatisfy { $0 == nil })
    }

    /// Keys of the record before may be left out: as many as are passed over, one more, and many.
    @Test func keysMayBeLeftOutInAnyNumber() throws {
        var (text, expected) = ("", [[String]]())
        let keys = (0..<60).map { "k\($0)" }
        for record in 0..<300 {
            let (first, gap) = (record % 23, [0, 1, 15, 16, 17, 18, 36][record % 7])
            let left = keys.indices.filter { $0 < first || $0 >= first + gap }
            text += "{" + left.map { "\"\(keys[$0])\":\(record + $0)" }.joined(separator: ",") + "}\n"
            expected.append(keys.indices.map { left.contains($0) ? "\(record + $0)" : "" })
        }
        var options = JSONOptions()
        options.layout = .lines
        let reading = try NestedReading(jsonSource(Array(text.utf8), paths: keys, options: options))
        #expect(reading.fields == expected)
        #expect(reading.codes.allSatisfy { $0 == nil })
    }
}
