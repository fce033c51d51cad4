/// How numbers are written in a source.
public struct NumberFormat: Equatable, Sendable {
    /// The byte before the fraction.
    public var decimalSeparator: UInt8
    /// A byte between groups of digits; nil if there is none.
    public var groupingSeparator: UInt8?

    /// Makes a format of the bytes that stand in numbers.
    public init(decimalSeparator: UInt8 = UInt8(ascii: "."), groupingSeparator: UInt8? = nil) {
        self.decimalSeparator = decimalSeparator
        self.groupingSeparator = groupingSeparator
    }

    /// A point before the fraction, and nothing between groups: as JSON, C and SQL write numbers.
    public static let plain = NumberFormat()

    /// Whether numbers are written as JSON, C and SQL write them, or must be rewritten first.
    var isPlain: Bool { decimalSeparator == UInt8(ascii: ".") && groupingSeparator == nil }

    /// The number with a point before its fraction and without separators of groups.
    func plain(_ text: Span<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count)
        for index in text.indices {
            let byte = text[index]
            if byte == decimalSeparator {
                plain.append(UInt8(ascii: "."))
            } else if byte == groupingSeparator {
                // Only between digits: anywhere else it stays, and the text is not a number.
                let isInside =
                    index > 0 && index + 1 < text.count && text[index - 1] &- 0x30 < 10
                    && text[index + 1] &- 0x30 < 10
                if !isInside { plain.append(UInt8(ascii: "?")) }
            } else {
                plain.append(byte == UInt8(ascii: ".") ? UInt8(ascii: "?") : byte)
            }
        }
        return plain
    }
}
