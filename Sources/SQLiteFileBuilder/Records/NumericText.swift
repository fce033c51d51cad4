/// The value of a text in a column with numeric affinity ("Datatypes In SQLite", section 3), if it can be determined by
/// simple rules.
enum NumericText {
    /// The value stays a text.
    case none
    case integer(Int64)
    case real(Double)
    /// The value can only be determined by all of SQLite's rules.
    case unclear

    /// The powers of ten that a double represents exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    @inline(__always)
    init(_ text: Span<UInt8>) {
        guard let first = text.first else {
            self = .none
            return
        }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): self = Self.number(text)
        // Signs, points, white space and NUL.
        case UInt8(ascii: "+"), UInt8(ascii: "."), 0x20, 0x00, 0x09...0x0d: self = .unclear
        default: self = .none
        }
    }

    /// Converts up to 15 digits, with or without a decimal point. The quotient of two exact doubles is the nearest
    /// double.
    private static func number(_ text: Span<UInt8>) -> NumericText {
        let isNegative = text[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        var digits = 0
        var point: Int?
        for index in (isNegative ? 1 : 0)..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "."), point == nil, digits > 0 {
                point = digits
                continue
            }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < powers.count - 1 else {
                return .unclear
            }
            value = value * 10 + Int64(byte &- UInt8(ascii: "0"))
            digits += 1
        }
        guard digits > 0, point != digits else { return .unclear }
        // The sign of zero is left to SQLite.
        guard !isNegative || value != 0 else { return .unclear }
        let signed = isNegative ? -value : value
        guard let point else { return .integer(signed) }
        return .real(Double(signed) / powers[digits - point])
    }
}

extension Span where Element == UInt8 {
    @inline(__always)
    var first: UInt8? { isEmpty ? nil : self[0] }
}
