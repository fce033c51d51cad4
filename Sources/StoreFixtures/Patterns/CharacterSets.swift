/// The characters that represent the classes of a pattern: a few readable ones of each.
enum CharacterSets {
    static let digits = scalars("0"..."9")
    static let lowercase = scalars("a"..."z")
    static let uppercase = scalars("A"..."Z")
    static let letters = lowercase + uppercase
    static let words = lowercase + uppercase + digits + ["_"]
    static let spaces: [Unicode.Scalar] = [" "]
    static let punctuation = printable.filter { !letters.contains($0) && !digits.contains($0) && $0 != " " }
    /// ASCII without control characters.
    static let printable = scalars(" "..."~")
    /// The characters for a dot.
    static let any = lowercase + digits

    static func scalars(_ range: ClosedRange<Unicode.Scalar>) -> [Unicode.Scalar] {
        // A class may contain a whole plane, of which a few characters suffice.
        (range.lowerBound.value...min(range.upperBound.value, range.lowerBound.value &+ 511))
            .compactMap { Unicode.Scalar($0) }
    }

    /// Returns printable characters that are not in a set; letters and digits if there are any.
    static func complement(of excluded: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let rest = printable.filter { !excluded.contains($0) }
        let readable = rest.filter { letters.contains($0) || digits.contains($0) }
        return readable.isEmpty ? rest : readable
    }

    /// Returns the set of a property or POSIX class; nil if it is unknown.
    static func named(_ name: String) -> [Unicode.Scalar]? {
        switch name.lowercased().replacing("_", with: "") {
        case "l", "letter", "alpha", "alphabetic", "isalphabetic", "isletter": letters
        case "lu", "upper", "uppercase", "uppercaseletter": uppercase
        case "ll", "lower", "lowercase", "lowercaseletter": lowercase
        case "n", "nd", "digit", "number", "decimalnumber": digits
        case "alnum": letters + digits
        case "word": words
        case "p", "punct", "punctuation", "s", "symbol": punctuation
        case "z", "zs", "space", "blank", "whitespace": spaces
        case "xdigit", "hexdigit": digits + scalars("a"..."f") + scalars("A"..."F")
        case "ascii", "print", "graph", "any": any
        case "han": scalars("\u{4E00}"..."\u{4E80}")
        case "hiragana": scalars("\u{3042}"..."\u{3093}")
        case "katakana": scalars("\u{30A2}"..."\u{30F3}")
        case "cyrillic": scalars("\u{0430}"..."\u{044F}")
        case "greek": scalars("\u{03B1}"..."\u{03C9}")
        case "latin": letters
        default: nil
        }
    }
}
