/// A token of Swift source, with its location.
struct SwiftToken {
    enum Kind: UInt8 {
        case end
        /// A name or a keyword.
        case identifier
        /// A name in backticks, which is not a keyword; the range is that of the name.
        case escapedIdentifier
        case number
        case string
        case regularExpression
        /// `(`, `[` or `{`.
        case open
        /// `)`, `]` or `}`.
        case close
        /// `,`, `:`, `;`, `@` and other single characters.
        case punctuation
        /// One byte of an operator; `->` is one token.
        case `operator`
        case arrow
        /// `#name`.
        case macro
    }

    let kind: Kind
    /// The first byte of the token; 0 at the end.
    let first: UInt8
    /// The range of bytes in the source.
    let range: Range<Int>
    /// The line, counted from 1.
    let line: Int
    /// The offset of the first byte of its line.
    let lineStart: Int
    /// Whether only spaces and comments precede it on its line.
    let isFirstOfLine: Bool
    /// Whether a space or a comment precedes it.
    let followsSpace: Bool

    func isPunctuation(_ character: Unicode.Scalar) -> Bool {
        switch kind {
        case .punctuation, .operator, .open, .close: first == UInt8(ascii: character)
        default: false
        }
    }
}
