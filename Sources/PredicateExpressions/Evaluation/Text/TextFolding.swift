import UnicodeText

/// Strings without their case or their diacritics, for `[c]` and `[d]`.
///
/// Texts beyond ASCII are folded as by CoreFoundation: full case folding (ß is ss), and marks that do not take space of
/// their own are dropped (é is e, but ø stays).
enum TextFolding {
    static func folded(_ text: String, _ options: ComparisonOptions) -> String {
        let isCaseFolded = options.contains(.caseInsensitive)
        switch asciiCase(of: text) {
        case .lower: return text
        case .upper: return isCaseFolded ? text.lowercased() : text
        case .notASCII: break
        }
        var folding: FoldingOptions = []
        if isCaseFolded { folding.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { folding.insert(.diacriticInsensitive) }
        return folding.isEmpty ? text : UnicodeFolding.folded(text, folding)
    }

    private enum ASCIICase {
        /// ASCII without uppercase letters.
        case lower
        /// ASCII with uppercase letters.
        case upper
        case notASCII
    }

    private static func asciiCase(of text: String) -> ASCIICase {
        var hasCapitals = false
        for byte in text.utf8 {
            guard byte < 0x80 else { return .notASCII }
            hasCapitals = hasCapitals || (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z"))
        }
        return hasCapitals ? .upper : .lower
    }
}
