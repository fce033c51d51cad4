/// The format of numbers in a source.
public struct NumberFormat: Equatable, Sendable {
    /// The decimal separator.
    public var decimalSeparator: UInt8
    /// The separator between groups of digits, in UTF-8; nil if there is none.
    public var groupingSeparator: [UInt8]?

    /// Creates a format with its separators.
    public init(decimalSeparator: UInt8 = UInt8(ascii: "."), groupingSeparator: [UInt8]? = nil) {
        self.decimalSeparator = decimalSeparator
        self.groupingSeparator = groupingSeparator
    }

    /// A decimal point and no groups, as in JSON, C and SQL.
    public static let plain = NumberFormat()

    /// Whether numbers have the format of JSON, C and SQL, and need not be rewritten.
    var isPlain: Bool { decimalSeparator == UInt8(ascii: ".") && groupingSeparator == nil }

    /// Returns the number with a decimal point and without group separators. If the text does not have this format, the
    /// result contains a question mark, and so is not a number.
    ///
    /// Group separators must be before each three digits of the integer part or, as in India, before the last three
    /// digits and each two digits before them. Elsewhere they are the decimal separator of a file with the other
    /// convention: `1,5` must not become 15.
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

    /// Returns the length in bytes of a group separator at an offset; nil if there is none.
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
    /// The number of digits in the groups between the first and the last one; 0 if there are no such groups.
    private var size = 0
    private var firstCount = 0

    var hasDigits: Bool { count > 0 || !isFirst }

    mutating func add(isZero: Bool) {
        if isFirst, count == 0 { startsWithZero = isZero }
        count += 1
    }

    /// Begins the next group; returns whether the previous one has an allowed length.
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

    /// Whether the digits so far form an integer: a single group, or three digits in the last group.
    var isWhole: Bool { isFirst || count == 3 }
}
