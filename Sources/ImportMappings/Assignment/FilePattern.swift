/// A pattern for files: `*` matches any characters, `?` a single one, and neither matches a slash.
struct FilePattern {
    private let components: [[Character]]

    init(_ text: String) {
        components = text.split(separator: "/", omittingEmptySubsequences: true).map(Array.init)
    }

    /// Returns whether the last components of a path, as many as the pattern has, match it.
    func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).suffix(components.count)
        guard parts.count == components.count, !components.isEmpty else { return false }
        return zip(parts, components).allSatisfy { Self.matches(Array($0), $1) }
    }

    /// Returns whether a text matches. Backtracks only to the last asterisk, so that the time is at most proportional
    /// to the product of the lengths.
    private static func matches(_ text: [Character], _ pattern: [Character]) -> Bool {
        var (place, index) = (0, 0)
        var star: (index: Int, place: Int)?
        while place < text.count {
            if index < pattern.count, pattern[index] == "*" {
                star = (index, place)
                index += 1
            } else if index < pattern.count, pattern[index] == "?" || pattern[index] == text[place] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.index, last.place + 1)
                (place, index) = (last.place + 1, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == "*" }
    }
}
