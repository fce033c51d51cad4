extension SourceMapping {
    /// Whether the mapping is for a file: its name fits one of the patterns, or there are none.
    func isFor(_ path: String) -> Bool {
        guard !files.isEmpty else { return true }
        let name = Array((path.split(separator: "/").last ?? "").utf8)
        return files.contains { Self.fits(name, Array($0.utf8)) }
    }

    /// Whether a name fits a pattern with `*` for any characters; goes back to the last star only, so never slow.
    private static func fits(_ name: [UInt8], _ pattern: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        var (place, expected) = (0, 0)
        var lastStar: (expected: Int, place: Int)?
        while place < name.count {
            if expected < pattern.count, pattern[expected] == star {
                lastStar = (expected, place)
                expected += 1
            } else if expected < pattern.count, pattern[expected] == name[place] {
                place += 1
                expected += 1
            } else if let last = lastStar {
                lastStar = (last.expected, last.place + 1)
                place = last.place + 1
                expected = last.expected + 1
            } else {
                return false
            }
        }
        return pattern[expected...].allSatisfy { $0 == star }
    }
}
