/// UUIDs as text: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
enum UUIDText {
    /// The 16 bytes; nil where the text is no UUID.
    static func bytes(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = parts.joined().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The text in capitals.
    static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for (number, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(number) {
                text += "-"
            }
            let digits = String(byte, radix: 16, uppercase: true)
            text += digits.utf8.count == 1 ? "0" + digits : digits
        }
        return text
    }
}
