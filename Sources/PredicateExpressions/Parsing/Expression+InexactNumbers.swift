import KeyedArchives

extension Expression {
    /// Returns the first number in an expression's text with more digits than a double can keep; nil if there is none.
    ///
    /// Numbers with a fraction or an exponent are always doubles. A column of decimals contains integers of 64 bits and
    /// doubles, so a decimal in an expression may lose digits there, too.
    /// - Parameter forDecimal: whether the value is for a column of decimals.
    /// - Throws: `FormatError` if the text cannot be parsed.
    package static func inexactNumber(in format: String, forDecimal: Bool) throws(FormatError) -> String? {
        let text = Array(format.utf8)
        for token in try FormatLexer.tokens(of: format) {
            switch token.kind {
            case .real:
                let digits = String(decoding: text[token.range], as: UTF8.self)
                if !isKept(digits) { return digits }
            case .integer(let digits) where forDecimal:
                if !isKept(digits) { return digits }
            default: break
            }
        }
        guard forDecimal, let value = try? Expression(format: format).constantValue(), case .decimal(let number) = value
        else { return nil }
        let digits = number.description
        return isKept(digits) ? nil : digits
    }

    private static func isKept(_ digits: String) -> Bool {
        // Up to the magnitude of the lowest integer, whose sign is a separate token.
        if let whole = UInt64(digits), whole <= UInt64(Int64.max) + 1 { return true }
        guard let real = Double(digits) else { return false }
        guard let number = DecimalNumber(digits), let kept = DecimalNumber("\(real)") else {
            // Numbers out of the range of decimals are reported elsewhere: only digits count.
            return digits.prefix { $0 != "e" && $0 != "E" }.count(where: \.isNumber) <= 17
        }
        return DecimalNumber.order(number, kept) == 0
    }
}
