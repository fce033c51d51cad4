/// Base 64 (RFC 4648).
public enum Base64 {
    /// What a decoder accepts besides letters of the standard alphabet and white space between them.
    public enum Leniency: Sendable {
        /// Any padding and any control character, like readers of property lists.
        case padding
        /// The letters `-` and `_` of the URL alphabet; padding must be complete or missing.
        case alphabet
    }

    /// An error in a text that is not valid base 64.
    public struct Fault: Error, Equatable {
        /// The offset of the first invalid byte; the text's length if letters or padding are missing.
        public let offset: Int
    }

    /// Returns the decoded bytes, or nil; spaces and line ends are skipped, missing padding is accepted.
    public static func decode(_ text: String) -> [UInt8]? {
        decode(text.utf8.span)
    }

    /// Returns the decoded bytes, or nil; spaces and line ends are skipped, missing padding is accepted.
    public static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        try? decode(text, .padding)
    }

    /// Returns the bytes that a text encodes.
    /// - Throws: `Fault` with the offset of the first byte that is not a letter of the alphabet, or the text's length
    ///   if letters or padding are missing.
    public static func decode(_ text: Span<UInt8>, _ leniency: Leniency) throws(Fault) -> [UInt8] {
        let table = leniency == .padding ? standardValues : bothValues
        let values = table.span
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var group: UInt32 = 0
        var count = 0
        var padding = 0
        var offset = 0
        while offset < text.count {
            // Most texts consist of complete groups of four letters.
            while count == 0, padding == 0, offset + 4 <= text.count {
                let first = values[Int(text[offset])], second = values[Int(text[offset + 1])]
                let third = values[Int(text[offset + 2])], fourth = values[Int(text[offset + 3])]
                guard first | second | third | fourth < special else { break }
                bytes.append(first << 2 | second >> 4)
                bytes.append(second << 4 | third >> 2)
                bytes.append(third << 6 | fourth)
                offset += 4
            }
            guard offset < text.count else { break }
            switch values[Int(text[offset])] {
            case space: break
            case pad: padding += 1
            case let value:
                guard value < special, padding == 0 else { throw Fault(offset: offset) }
                group = group << 6 | UInt32(value)
                count += 1
                if count == 4 {
                    append(group, 3, to: &bytes)
                    count = 0
                }
            }
            offset += 1
        }
        guard count != 1, leniency == .padding || padding == 0 || padding == (4 - count) % 4 else {
            throw Fault(offset: text.count)
        }
        if count > 1 { append(group << UInt32(24 - 6 * count), count - 1, to: &bytes) }
        return bytes
    }

    private static func append(_ group: UInt32, _ count: Int, to bytes: inout [UInt8]) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place))) }
    }

    /// Returns the encoded text, with padding and without line ends.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        text.append(base64: bytes.span)
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: The letters

    /// Values from here on are not those of letters.
    private static let special: UInt8 = 64
    private static let space: UInt8 = 64
    private static let pad: UInt8 = 65
    private static let none: UInt8 = 0x80

    static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let standardValues = values(spaces: Array(0...0x20))
    private static let bothValues: [UInt8] = {
        var values = Base64.values(spaces: [0x09, 0x0A, 0x0D, 0x20])
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()

    private static func values(spaces: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: none, count: 256)
        alphabet.withUTF8Buffer { for (value, letter) in $0.enumerated() { values[Int(letter)] = UInt8(value) } }
        for letter in spaces { values[Int(letter)] = space }
        values[Int(UInt8(ascii: "="))] = pad
        return values
    }
}
