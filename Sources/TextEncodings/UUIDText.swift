/// UUIDs as text: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
public enum UUIDText {
    /// Returns the 16 bytes; nil if the text is not a UUID. Case is ignored.
    public static func bytes(_ text: String) -> [UInt8]? {
        bytes(text.utf8)
    }

    /// Returns the 16 bytes; nil if the text is not a UUID. Case is ignored.
    @inlinable
    public static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count == 36 else { return nil }
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for (place, letter) in text.enumerated() {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard letter == UInt8(ascii: "-") else { return nil }
            } else {
                digits.append(letter)
            }
        }
        return Hexadecimal.decode(digits)
    }

    /// Returns the text of 16 bytes, in upper case as Core Data writes it.
    public static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.append(uuid: bytes.span)
        return String(decoding: text, as: UTF8.self)
    }
}
