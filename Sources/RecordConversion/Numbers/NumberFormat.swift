/// How numbers are written in a source.
public struct NumberFormat: Equatable, Sendable {
    /// The byte before the fraction.
    public var decimalSeparator: UInt8
    /// What stands between groups of digits, in UTF-8; nil if there is nothing.
    public var groupingSeparator: [UInt8]?

    /// Makes a format of the characters that stand in numbers.
    public init(decimalSeparator: UInt8 = UInt8(ascii: "."), groupingSeparator: [UInt8]? = nil) {
        self.decimalSeparator = decimalSeparator
        self.groupingSeparator = groupingSeparator
    }

    /// A point before the fraction, and nothing between groups: as JSON, C and SQL write numbers.
    public static let plain = NumberFormat()

    /// Whether numbers are written as JSON, C and SQL write them, or must be rewritten first.
    var isPlain: Bool { decimalSeparator == UInt8(ascii: ".") && groupingSeparator == nil }

    /// The number with a point before its fraction and without separators of groups. A text that is not written in this
    /// format has a question mark in it then, and is not a number.
    ///
    /// Separators stand before each three digits of the integer part, or, as in India, before the last three and then
    /// each two. Anywhere else they are the other separator of a file with the other convention: `1,5` must not
    /// become 15.
    func plain(_ text: Span<UInt8>) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count + 1)
        var groups = DigitGroups()
        var isInteger = true
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte &- 0x30 < 10 {
                groups.add(isZero: byte == 0x30)
            } else if let length = groupingLength(text, index) {
                if !isInteger || !groups.separate() { plain.append(UInt8(ascii: "?")) }
                index += length
                continue
            } else if groups.hasDigits, isInteger {
                isInteger = false
                if !groups.isWhole { plain.append(UInt8(ascii: "?")) }
            }
            if byte == decimalSeparator {
                isInteger = false
                plain.append(UInt8(ascii: "."))
            } else {
                plain.append(byte == UInt8(ascii: ".") ? UInt8(ascii: "?") : byte)
            }
            index += 1
        }
        if isInteger, !groups.isWhole { plain.append(UInt8(ascii: "?")) }
        return plain
    }

    /// The bytes of a separator of groups at a place; nil if none stands there.
    private func groupingLength(_ text: Span<UInt8>, _ start: Int) -> Int? {
        guard let separator = groupingSeparator, start + separator.count <= text.count else { return nil }
        for (offset, byte) in separator.enumerated() where text[start + offset] != byte { return nil }
        return separator.count
    }
}

/// The groups of digits of an integer.
private struct DigitGroups {
    private var count = 0
    private var isFirst = true
    private var startsWithZero = false
    /// The digits of the groups between the first and the last one; 0 while there is none.
    private var size = 0
    private var firstCount = 0

    var hasDigits: Bool { count > 0 || !isFirst }

    mutating func add(isZero: Bool) {
        if isFirst, count == 0 { startsWithZero = isZero }
        count += 1
    }

    /// Begins the next group. Returns whether the one before it may stand where it stands.
    mutating func separate() -> Bool {
        defer {
            isFirst = false
            count = 0
        }
        guard !isFirst else {
            firstCount = count
            return 1...3 ~= count && !startsWithZero
        }
        defer { size = count }
        return 2...3 ~= count && (size == 0 || size == count) && firstCount <= count
    }

    /// Whether the digits so far are an integer: in one group, or with three of them in the last one.
    var isWhole: Bool { isFirst || count == 3 }
}
