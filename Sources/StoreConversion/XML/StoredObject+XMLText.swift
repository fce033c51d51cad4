import KeyedArchives
import ManagedObjectModels
import SQLiteAccess
import TextEncodings

extension StoredObject {
    /// Takes the text of an XML store's attribute as a value of a type; false if it does not fit.
    mutating func take(_ text: ArraySlice<UInt8>, as type: AttributeType, at place: Int) -> Bool {
        switch type {
        case .integer16, .integer32, .integer64, .boolean:
            guard let number = PlainNumber.integer(text) ?? Int64(String(decoding: text, as: UTF8.self)),
                (type.integerRange ?? 0...1).contains(number)
            else { return false }
            setValue(ArenaValue.integer(number), at: place)
        case .double, .date:
            guard let number = PlainNumber.real(text) ?? Double(String(decoding: text, as: UTF8.self)),
                Self.isInRange(number, text)
            else { return false }
            setValue(ArenaValue.real(number), at: place)
        case .float:
            guard let number = Self.float(String(decoding: text, as: UTF8.self)), Self.isInRange(number, text) else {
                return false
            }
            setValue(ArenaValue.real(number), at: place)
        case .decimal:
            guard PlainNumber.isDecimal(text) || DecimalNumber(String(decoding: text, as: UTF8.self)) != nil else {
                return false
            }
            setText(at: place) { $0 += text }
        case .string, .uri:
            setText(at: place) { $0 += text }
        case .uuid:
            guard let bytes = UUIDText.bytes(text) else { return false }
            setBlob(at: place) { $0 += bytes }
        case .binaryData, .transformable, .undefined, .objectID, .composite:
            guard let bytes = Base64.decode(text.span) else { return false }
            setBlob(at: place) { $0 += bytes }
        }
        return true
    }

    /// Whether a number is what its text says: digits that are too large for the type give infinity, too.
    private static func isInRange(_ number: Double, _ text: ArraySlice<UInt8>) -> Bool {
        number.isFinite || !text.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A number of up to nine digits is one of single precision; more digits tell it from that.
    private static func float(_ text: String) -> Double? {
        guard let exact = Double(text) else { return nil }
        let mantissa = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        let digits = mantissa.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits < 17 ? Double(Float(text) ?? Float(exact)) : exact
    }
}
