import KeyedArchives
import ManagedObjectModels
import SQLiteAccess
import TextEncodings

extension StoredObject {
    /// Takes the text of an XML store's attribute as a value of a type; returns false if it does not fit.
    mutating func take(_ text: Span<UInt8>, as type: AttributeType, at place: Int) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64, .boolean:
            guard let number = PlainNumber.integer(text) ?? Int64(String(copying: text)),
                (type.integerRange ?? 0...1).contains(number)
            else { return false }
            setValue(ArenaValue.integer(number), at: place)
        case .double, .date:
            guard let number = PlainNumber.real(text) ?? Double(String(copying: text)),
                Self.isInRange(number, text)
            else { return false }
            setValue(ArenaValue.real(number), at: place)
        case .float:
            guard let number = PlainNumber.single(text) ?? Self.float(String(copying: text)),
                Self.isInRange(number, text)
            else { return false }
            setValue(ArenaValue.real(number), at: place)
        case .decimal:
            guard PlainNumber.isDecimal(text) || DecimalNumber(String(copying: text)) != nil else {
                return false
            }
            setText(at: place, copying: text)
        case .string, .uri:
            setText(at: place, copying: text)
        case .uuid:
            guard text.count == 36 else { return false }
            var (high, low) = (UInt64(0), UInt64(0))
            for index in text.indices {
                if index == 8 || index == 13 || index == 18 || index == 23 {
                    guard text[index] == UInt8(ascii: "-") else { return false }
                } else {
                    guard let digit = Hexadecimal.value(ofDigit: text[index]) else { return false }
                    high = high << 4 | low >> 60
                    low = low << 4 | UInt64(digit)
                }
            }
            setBlob(at: place) {
                $0.append(bigEndian: high, bytes: 8)
                $0.append(bigEndian: low, bytes: 8)
            }
        case .binaryData, .transformable, .undefined, .objectID, .composite:
            guard let bytes = Base64.decode(text) else { return false }
            setBlob(at: place) { $0 += bytes }
        }
        return true
    }

    /// Returns whether a number is in range: digits that are too large for the type also result in infinity.
    private static func isInRange(_ number: Double, _ text: Span<UInt8>) -> Bool {
        number.isFinite || !text.indices.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[$0]) }
    }

    /// Parses a single-precision number. Texts with more than nine digits do not stand for one.
    private static func float(_ text: String) -> Double? {
        guard let exact = Double(text) else { return nil }
        let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let digits = mantissa.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits < 17 ? Double(Float(text) ?? Float(exact)) : exact
    }
}
