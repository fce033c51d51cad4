/// A word, literal or sign of the predicate format language, with its place in the text.
struct FormatToken: Hashable {
    enum Kind: Hashable {
        /// A name or keyword; `@` may begin it.
        case word(String)
        /// A name written `#name` or `#"any text"`, which is never a keyword.
        case escapedWord(String)
        /// `$name`
        case variable(String)
        case string(String)
        /// The digits of a whole number, without sign: decimal, or already converted from another base.
        case integer(String)
        case real(Double)
        /// What a placeholder stands for.
        case argument(ConstantValue)
        /// An operator or bracket.
        case sign(String)
        case end
    }

    let kind: Kind
    /// Byte offsets in the text.
    let range: Range<Int>

    /// The keyword in upper case, where this is a word.
    var keyword: String? {
        if case .word(let word) = kind { word.uppercased() } else { nil }
    }
}
