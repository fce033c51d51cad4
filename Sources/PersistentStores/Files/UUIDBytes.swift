/// A UUID without a heap of its own, read from its 36 characters.
public struct UUIDBytes: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    public init?(_ text: some Sequence<UInt8>) {
        var digits = 0
        var words: (UInt64, UInt64) = (0, 0)
        for (position, byte) in text.enumerated() {
            if [8, 13, 18, 23].contains(position) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard digits < 32, let digit = Self.value(byte) else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
            digits += 1
        }
        guard digits == 32 else { return nil }
        (high, low) = words
    }

    private static func value(_ digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(digit - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    /// The 36 characters, in upper case as Core Data names its files.
    public var text: String {
        func digits(_ word: UInt64) -> String {
            let text = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let all = Array(digits(high) + digits(low))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }.joined(separator: "-")
    }
}
