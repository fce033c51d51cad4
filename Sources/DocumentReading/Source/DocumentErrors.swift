/// All that is wrong with a document: one error or several, in the order of the file.
public struct DocumentErrors: Error, Equatable, Sendable {
    /// The errors in the order of their lines and columns.
    public let errors: [DocumentError]

    /// More than these are counted, not shown: they have few causes.
    static let shownCount = 20

    /// Makes a list of errors, and sorts it by line and column; errors of one place keep their order.
    public init(_ errors: [DocumentError]) {
        self.errors = errors.enumerated().sorted {
            let (left, right) = ($0.element.location, $1.element.location)
            return (left.line, left.column ?? 0, $0.offset) < (right.line, right.column ?? 0, $1.offset)
        }.map(\.element)
    }
}

extension DocumentErrors: CustomStringConvertible {
    /// Each error as `file:line:column: what is wrong`, with the line and a caret.
    public var description: String {
        var lines = errors.prefix(Self.shownCount).map(\.description)
        if errors.count > Self.shownCount { lines.append("and \(errors.count - Self.shownCount) more errors") }
        return lines.joined(separator: "\n")
    }
}
