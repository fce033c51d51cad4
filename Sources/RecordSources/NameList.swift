import TextEncodings

/// Names that exist, for a message about a name that does not.
package struct NameList {
    private let names: [String]

    /// The largest number of names in a message.
    private static let largestCount = 20

    package init(_ names: [String]) {
        self.names = names
    }

    /// Returns a hint such as `; did you mean 'x'? There are: x, y`, shortened if there are many names.
    package func hint(for wanted: String) -> String {
        guard !names.isEmpty else { return "; there are none" }
        let suggestion = NearestName.find(wanted, among: names).map { "; did you mean '\($0)'?" } ?? ""
        let shown = names.prefix(Self.largestCount).joined(separator: ", ")
        let rest = names.count - Self.largestCount
        return suggestion + (suggestion.isEmpty ? "; there are: " : " There are: ") + shown
            + (rest > 0 ? " and \(rest) more" : "")
    }
}
