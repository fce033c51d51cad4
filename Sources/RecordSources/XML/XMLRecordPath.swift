/// A path that selects the record elements of an XML document: `/osm/node`, `rss/channel/item`, `//item`, `*/entry`.
struct XMLRecordPath: Equatable, Sendable {
    /// The names from the outermost element to the record; `*` stands for any name.
    let steps: [String]
    /// Whether the first step may match anywhere, because the path begins with `//` or is a single name.
    let isAnywhere: Bool

    /// The matches of the steps are stored as bits of a 64-bit number.
    static let largestStepCount = 64

    /// Throws an error with the reason if the text is not a path.
    init(_ text: String, in source: String) throws(SourceError) {
        func failure(_ reason: String) -> SourceError {
            SourceError(.malformedPath(text, reason: reason), in: source)
        }
        var rest = Substring(text)
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        } else if rest.hasPrefix("/") {
            rest = rest.dropFirst()
        }
        steps = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard steps.allSatisfy({ !$0.isEmpty && !$0.contains(where: { "[]@() ".contains($0) }) }) else {
            throw failure("expected names of elements with '/' between, such as /osm/node or //item")
        }
        guard steps.count <= XMLRecordPath.largestStepCount else { throw failure("it has too many steps") }
        isAnywhere = text.hasPrefix("//") || (steps.count == 1 && !text.hasPrefix("/"))
    }
}
