import TestSupport
import Testing

@testable import RecordSources

/// Searches of whole words, held against searches byte by byte.
@Suite struct JSONByteSearchTests {
    /// What ends plain text, what is next to it in value, and plain text.
    private static let bytes: [UInt8] = [
        0x22, 0x5C, 0x00, 0x0A, 0x0B, 0x1F, 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x61, 0x61, 0x61, 0x61, 0x7F, 0x80, 0xA2,
        0xDC, 0xFF,
    ]

    @Test func theFirstByteIsFoundInEachRange() {
        var random = RandomNumbers(seed: 5)
        for _ in 0..<200 {
            let special = Int.random(in: 1...12, using: &random)
            let text = (0..<27).map { _ in
                Int.random(in: 0..<special, using: &random) == 0
                    ? Self.bytes.randomElement(using: &random) ?? 0 : UInt8(ascii: "a")
            }
            for start in 0...text.count {
                for end in start...text.count {
                    let range = text[start..<end]
                    #expect(
                        JSONByteSearch.lineFeed(text.span, from: start, to: end) == range.firstIndex(of: 0x0A))
                    #expect(
                        JSONByteSearch.endOfPlainText(text.span, from: start, to: end)
                            == range.firstIndex { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 } ?? end)
                }
            }
        }
    }
}
