import TextEncodings

/// A UUID that needs no heap memory, read from its 36 characters.
public struct UUIDBytes: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Reads 36 characters, in either case; nil if they are not a UUID.
    public init?(_ text: some Sequence<UInt8>) {
        var digits = 0
        var words: (UInt64, UInt64) = (0, 0)
        for (position, byte) in text.enumerated() {
            if [8, 13, 18, 23].contains(position) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard digits < 32, let digit = Hexadecimal.value(ofDigit: byte).map(UInt64.init) else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
            digits += 1
        }
        guard digits == 32 else { return nil }
        (high, low) = words
    }

    /// The 36 characters, in upper case as Core Data names its files.
    public var text: String {
        UUIDText.text(
            [high, low].flatMap { word in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
            })
    }
}
