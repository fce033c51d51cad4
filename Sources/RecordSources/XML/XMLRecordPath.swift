/// Which elements of an XML document are records: `/osm/node`, `rss/channel/item`, `//item`, `*/entry`.
struct XMLRecordPath: Equatable, Sendable {
    /// The names from the outside to the record; `*` stands for any.
    let steps: [String]
    /// Whether the first step may stand anywhere: the path began with `//`, or is one name.
    let isAnywhere: Bool

    /// A step's matches are one bit of a number.
    static let largestStepCount = 64

    /// nil, with a reason, where the text is not a path.
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
