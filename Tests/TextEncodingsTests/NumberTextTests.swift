import TestSupport
import TextEncodings
import Testing

/// Numbers and JSON strings at the end of a buffer, against the standard library.
@Suite struct NumberTextTests {
    private static func text(_ body: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = [0x3E]
        body(&bytes)
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }

    private static func padded(_ value: UInt64, _ count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// Around each power of ten, and the ends of the range.
    private static let values: [UInt64] =
        [0, 1, 9, .max, .max - 1]
        + (1...19).flatMap { power -> [UInt64] in
            let value = (0..<power).reduce(1 as UInt64) { product, _ in product * 10 }
            return [value - 1, value, value + 1, value / 10 * 9]
        }

    @Test(arguments: values)
    func digitsArePaddedToAnyLength(value: UInt64) {
        for count in [0, 1, 2, 3, 10, 19, 20, 21, 36] {
            #expect(Self.text { $0.append(digits: value, atLeast: count) } == Self.padded(value, count))
        }
    }

    @Test(arguments: values)
    func aPointStandsBeforeTheLastDigits(value: UInt64) {
        for places in 1...20 {
            let digits = Self.padded(value, places + 1)
            let expected = digits.dropLast(places) + "." + digits.suffix(places)
            #expect(Self.text { $0.append(digits: value, places: places) } == expected)
        }
    }

    @Test func realsAreReadAsTheSame() {
        var random = RandomNumbers(seed: 18)
        for _ in 0..<20_000 {
            let places = Double.random(in: 0...9, using: &random).rounded()
            let scale = (0..<Int(places)).reduce(1.0) { product, _ in product * 10 }
            let values = [
                Double(Int64.random(in: -1_000_000...1_000_000, using: &random)) / scale,
                Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random)),
                Double(Int64.random(in: Int64.min...Int64.max, using: &random)) / 256,
            ]
            for value in values where value.isFinite {
                #expect(Double(Self.text { $0.append(real: value) }) == value)
            }
        }
        #expect(Self.text { $0.append(real: -0.0) } == "-0.0")
        #expect(Self.text { $0.append(real: -12.5) } == "-12.5")
        #expect(Self.text { $0.append(real: 0.07) } == "0.07")
    }

    @Test func floatsHaveTheTextOfTheirDescription() {
        var random = RandomNumbers(seed: 19)
        for _ in 0..<20_000 {
            let values = [
                Float(Int64.random(in: -100_000_000...100_000_000, using: &random)) / 1000,
                Float(Int64.random(in: -10_000...10_000, using: &random)) / 64,
                Float.random(in: 0...1, using: &random),
                Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random)),
            ]
            for value in values where Self.text({ $0.append(single: value) }) != value.description {
                Issue.record("\(value): \(Self.text { $0.append(single: value) })")
            }
        }
        let others: [Float] = [0, -0.0, 0.1, 1, 16_777_215, 16_777_216, 0.001, 0.0009, .infinity, .nan]
        for value in others + [.leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            #expect(Self.text { $0.append(single: value) } == value.description)
        }
    }

    /// Every byte at every place of texts longer and shorter than the words in which they are searched.
    @Test func whatJSONEscapesIsFoundAtEveryPlace() {
        for length in 1...19 {
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    text[place] = byte
                    var bytes: [UInt8] = []
                    bytes.append(json: text.span)
                    let escaped: [UInt8] =
                        switch byte {
                        case 0x22: Array(#"\""#.utf8)
                        case 0x5C: Array(#"\\"#.utf8)
                        case 0x0A: Array(#"\n"#.utf8)
                        case 0x0D: Array(#"\r"#.utf8)
                        case 0x09: Array(#"\t"#.utf8)
                        case 0..<0x20:
                            Array((byte < 0x10 ? #"\u000"# : #"\u00"#).utf8)
                                + Array(String(byte, radix: 16, uppercase: true).utf8)
                        default: [byte]
                        }
                    let expected = [0x22] + text[..<place] + escaped + text[(place + 1)...] + [0x22]
                    if bytes != expected { Issue.record("\(byte) at \(place) of \(length): \(bytes)") }
                    if ByteWord.isASCII(text.span) != (byte < 0x80) { Issue.record("\(byte) at \(place) of \(length)") }
                }
            }
        }
    }
}
