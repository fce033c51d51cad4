/// The errors of a document: one or several, in the order of the file.
public struct DocumentErrors: Error, Equatable, Sendable {
    /// The errors, sorted by line and column.
    public let errors: [DocumentError]

    /// The maximum number of errors that are shown; the others are only counted, since they have few causes.
    static let shownCount = 20

    /// Makes a list of errors, sorted by line and column; errors at the same location keep their order.
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
