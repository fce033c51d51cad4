extension SQLiteValue {
    /// The value as a constant in SQL text that evaluates to the same value, bit for bit (NaN becomes NULL).
    public var literal: String {
        switch self {
        case .null: "NULL"
        // The parser reads the minus sign and the digits separately, and the digits alone would overflow to a real.
        case .integer(.min): "(-9223372036854775807-1)"
        case .integer(let value): String(value)
        case .real(let value): Self.literal(ofReal: value)
        case .text(let bytes):
            if let text = String(validating: bytes, as: UTF8.self) {
                SQLiteLiteral.string(text)
            } else {
                SQLiteLiteral.castText(bytes)
            }
        case .blob(let bytes): SQLiteLiteral.blob(bytes)
        }
    }

    private static func literal(ofReal value: Double) -> String {
        if value.isNaN { return "NULL" }
        if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
        // The parser's -0.0 is the negation of 0.0, which SQLite stores as 0.0 anyway.
        if value == 0 { return "0.0" }
        return safeDecimal(value) ?? exactProduct(value)
    }

    /// Returns the shortest decimal, if SQLite's parser converts it to the same double; otherwise nil.
    ///
    /// The parser computes `digits / 10^k` in extended precision and rounds twice, which fails if the decimal is close
    /// to the middle between two doubles. The residual of the division, computed exactly by fused multiplication, shows
    /// how close it is.
    private static func safeDecimal(_ value: Double) -> String? {
        let text = value.description
        var digits: Int64 = 0
        var fractionDigits = 0
        var sawPoint = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): continue
            case UInt8(ascii: "."): sawPoint = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
                guard !overflow, product < 1 << 53 else { return nil }
                digits = product + Int64(byte - UInt8(ascii: "0"))
                if sawPoint { fractionDigits += 1 }
            default: return nil
            }
        }
        // 10^22 is the last power of ten that is a double; digits below 2^53 are exact too.
        guard fractionDigits <= 22, digits < 1 << 53 else { return nil }
        let power = (0..<fractionDigits).reduce(1.0) { result, _ in result * 10 }
        let residual = (-Double(digits)).addingProduct(value.magnitude, power).magnitude
        return residual < 0.48 * value.magnitude.ulp * power ? text : nil
    }

    /// Returns `significand * 2^n`, written with factors that every parser converts exactly.
    private static func exactProduct(_ value: Double) -> String {
        var exponent = Int(value.magnitude.exponent) - 52
        var significand = value.magnitude.significand * 0x1p52
        if value.isSubnormal {
            exponent = -1074
            significand = value.magnitude * 0x1p1000 * 0x1p74
        }
        while exponent < 0, significand.truncatingRemainder(dividingBy: 2) == 0 {
            significand /= 2
            exponent += 1
        }
        var text = (value < 0 ? "(-" : "(") + "\(Int64(significand)).0"
        while exponent != 0 {
            let step = Swift.min(exponent.magnitude, 62)
            text += (exponent < 0 ? "/" : "*") + "\(Int64(1) << Int64(step)).0"
            exponent += exponent < 0 ? Int(step) : -Int(step)
        }
        return text + ")"
    }
}
