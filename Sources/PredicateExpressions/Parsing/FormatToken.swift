/// A word, literal or sign of the predicate format language, with its range in the text.
struct FormatToken: Hashable {
    enum Kind: Hashable {
        /// A name or keyword, optionally with a leading `@`.
        case word(String)
        /// A name written `#name` or `#"any text"`, which is never a keyword.
        case escapedWord(String)
        /// A variable, `$name`.
        case variable(String)
        case string(String)
        /// The digits of an integer without a sign: decimal, or already converted from another base.
        case integer(String)
        case real(Double)
        /// The argument of a placeholder.
        case argument(ConstantValue)
        /// An operator or bracket.
        case sign(String)
        case end
    }

    let kind: Kind
    /// The byte offsets in the text.
    let range: Range<Int>

    /// The keyword in upper case, if this is a word.
    var keyword: String? {
        if case .word(let word) = kind { word.uppercased() } else { nil }
    }
}
