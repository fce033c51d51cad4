/// A pattern for files: `*` stands for any characters, `?` for one, neither for a slash.
struct FilePattern {
    private let components: [[Character]]

    init(_ text: String) {
        components = text.split(separator: "/", omittingEmptySubsequences: true).map(Array.init)
    }

    /// Whether the last parts of a path, as many as the pattern has, match it.
    func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).suffix(components.count)
        guard parts.count == components.count, !components.isEmpty else { return false }
        return zip(parts, components).allSatisfy { Self.matches(Array($0), $1) }
    }

    /// Goes back to the last star only, so that the time is at most the product of the lengths.
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
