internal import Glibc
import KeyedArchives

/// Dates in XML property lists, with fractions of a second if a binary property list has them.
enum FractionalDate {
    /// Returns the seconds since 2001; nil if the text is not a date.
    static func seconds(of text: String) -> Double? {
        guard let point = text.firstIndex(of: "."), let end = text.lastIndex(of: "Z"), point < end else {
            return PropertyListDate.seconds(of: text)
        }
        let digits = text[text.index(after: point)..<end]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let whole = PropertyListDate.seconds(of: text[..<point] + text[end...]),
            let fraction = Double("0." + digits)
        else { return nil }
        return whole + fraction
    }

    /// Returns the text of a moment, which is read back as the same number; nil if the year does not fit the format.
    static func text(of seconds: Double) -> String? {
        guard let text = PropertyListDate.text(of: seconds) else { return nil }
        let fraction = seconds - floor(seconds)
        guard fraction > 0 else { return text }
        return text.dropLast() + "." + digits(of: fraction) + "Z"
    }

    /// Returns the digits after the decimal point of a number below 1.
    private static func digits(of fraction: Double) -> String {
        let parts = "\(fraction)".split(separator: "e-")
        let mantissa = parts[0].split(separator: ".").joined()
        guard parts.count == 2, let exponent = Int(parts[1]) else { return String(mantissa.dropFirst()) }
        return String(repeating: "0", count: exponent - 1) + mantissa
    }
}
