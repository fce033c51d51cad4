import ImportTestSupport
import TestSupport
import Testing

@testable import RecordSources

/// Records whose keys are those of the record before, or differ from them anywhere, held against the pairs that they
/// were written from.
@Suite struct JSONKeyOrderTests {
    /// A key as it is written, what it means, and its value.
    private struct Pair {
        var written: String
        var key: String
        var value: Int
    }

    private static let keys = [
        ("a", "a"), ("b", "b"), ("ab", "ab"), ("", ""), ("é", "é"), (#"\u0061"#, "a"), ("c", "c"),
        ("quarter", "quarter"), ("quarters", "quarters"), ("quarterly", "quarterly"), ("quarterlY", "quarterlY"),
        ("quarterly figures", "quarterly figures"), ("quarterly figure", "quarterly figure"),
    ]

    /// A few keys, mostly those of the record before with one that is added, left out or changed.
    private func keys(after last: [(String, String)], _ random: inout RandomNumbers) -> [(String, String)] {
        var keys = last
        switch Int.random(in: 0...5, using: &random) {
        case 0: keys.append(Self.keys.randomElement(using: &random) ?? ("a", "a"))
        case 1 where !keys.isEmpty: keys.remove(at: Int.random(in: keys.indices, using: &random))
        case 2 where !keys.isEmpty:
            keys[Int.random(in: keys.indices, using: &random)] = Self.keys.randomElement(using: &random) ?? ("a", "a")
        default: break
        }
        return Array(keys.prefix(5))
    }

    private func object(_ pairs: [Pair], _ more: String = "") -> String {
        "{" + (pairs.map { "\"\($0.written)\":\($0.value)" } + (more.isEmpty ? [] : [more])).joined(separator: ",")
            + "}"
    }

    private func hasDuplicate(_ pairs: [Pair]) -> Bool { Set(pairs.map(\.key)).count < pairs.count }

    private func value(_ pairs: [Pair], _ policy: JSONDuplicateKeys) -> String {
        let found = pairs.filter { $0.key == "a" }
        return ((policy == .keepLast ? found.last : found.first)?.value).map(String.init) ?? ""
    }

    @Test(arguments: [(0, 0), (1, 1), (2, 3), (3, 7), (7, 7), (512, 16 << 10)], JSONDuplicateKeys.allCases)
    func valuesAreThoseOfTheirKeys(_ limits: (keys: Int, bytes: Int), _ policy: JSONDuplicateKeys) throws {
        var random = RandomNumbers(seed: 11)
        var options = JSONOptions()
        options.duplicateKeys = policy
        options.layout = .lines
        options.keyOrder = JSONKeyOrder.Limits(keys: limits.keys, bytes: limits.bytes)
        var text = ""
        var expected: [[String]?] = []
        var (outer, inner): ([(String, String)], [(String, String)]) = ([("a", "a")], [])
        for record in 0..<300 {
            outer = keys(after: outer, &random)
            inner = keys(after: inner, &random)
            let pairs = [outer, inner, inner].enumerated().map { part, keys in
                keys.enumerated().map { Pair(written: $1.0, key: $1.1, value: record * 100 + part * 10 + $0) }
            }
            let list = "\"list\":[\(object(pairs[1])),\(object(pairs[2]))]"
            text += object(pairs[0], list) + "\n"
            let isRejected = policy == .reject && pairs.contains(where: hasDuplicate)
            expected.append(
                isRejected
                    ? nil : [value(pairs[0], policy), value(pairs[1], policy), value(pairs[2], policy)])
        }
        for chunkBytes in [1, 64, 1 << 16] {
            let reading = try NestedReading(
                jsonSource(
                    Array(text.utf8), paths: ["a", "list[0].a", "list[1].a"], chunkBytes: chunkBytes, options: options))
            #expect(reading.codes == expected.map { $0 == nil ? .duplicateKey : nil })
            for (record, values) in expected.enumerated() {
                guard let values else { continue }
                #expect(reading.fields[record] == values)
            }
        }
    }
}
