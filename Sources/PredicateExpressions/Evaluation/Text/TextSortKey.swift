/// Bytes whose order is that of texts for people: letters first without case and diacritics, then with them.
///
/// It is one order on all machines, whatever language they are set to.
enum TextSortKey {
    /// What decides between texts, by the name of the method that Core Data's sort descriptors have for it.
    enum Order: String, CaseIterable {
        /// Letters, then diacritics, then case.
        case localized = "localizedCompare:"
        case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
        /// As `localized`, and runs of digits by the number that they are: `a2` before `a10`.
        case localizedStandard = "localizedStandardCompare:"
    }

    static func bytes(_ text: String, _ order: Order) -> [UInt8] {
        let letters = TextFolding.folded(text, [.caseInsensitive, .diacriticInsensitive])
        var key = order == .localizedStandard ? numbered(letters.utf8) : Array(letters.utf8)
        // Shorter texts come first: nothing is lower than the end of a level.
        key.append(0)
        key += TextFolding.folded(text, .caseInsensitive).utf8
        guard order != .localizedCaseInsensitive else { return key }
        key.append(0)
        // Small letters come before capitals, which is the other way round in ASCII.
        key += text.utf8.map { isLetter($0) ? $0 ^ 0x20 : $0 }
        return key
    }

    /// Runs of digits with their length before them, so that more digits are a larger number.
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
