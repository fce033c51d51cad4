/// Sort keys for texts in human order: compared first without case and diacritics, then with them.
///
/// The order is the same on all machines, regardless of their language settings.
enum TextSortKey {
    /// The orders, by the method names of Core Data's sort descriptors.
    enum Order: String, CaseIterable {
        /// By letters, then diacritics, then case.
        case localized = "localizedCompare:"
        case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
        /// Like `localized`, but with runs of digits compared as numbers: `a2` before `a10`.
        case localizedStandard = "localizedStandardCompare:"
    }

    static func bytes(_ text: String, _ order: Order) -> [UInt8] {
        let letters = TextFolding.folded(text, [.caseInsensitive, .diacriticInsensitive])
        var key = order == .localizedStandard ? numbered(letters.utf8) : Array(letters.utf8)
        // Shorter texts come first: the end of a level is lower than anything else.
        key.append(0)
        key += TextFolding.folded(text, .caseInsensitive).utf8
        guard order != .localizedCaseInsensitive else { return key }
        key.append(0)
        // Lowercase letters come before uppercase ones, unlike in ASCII.
        key += text.utf8.map { isLetter($0) ? $0 ^ 0x20 : $0 }
        return key
    }

    /// Returns the text with runs of digits preceded by their lengths, so that more digits are a larger number.
    private static func numbered(_ text: String.UTF8View) -> [UInt8] {
        var key: [UInt8] = []
        var digits: [UInt8] = []
        func flush() {
            guard !digits.isEmpty else { return }
            let significant = digits.drop { $0 == UInt8(ascii: "0") }
            key += [UInt8(ascii: "0"), UInt8(clamping: significant.count)] + significant
            digits.removeAll()
        }
        for byte in text {
            if byte &- UInt8(ascii: "0") < 10 {
                digits.append(byte)
            } else {
                flush()
                key.append(byte)
            }
        }
        flush()
        return key
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
