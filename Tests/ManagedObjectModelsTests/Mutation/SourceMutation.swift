import TestSupport

/// Damages a source model where its XML stays well-formed: elements that move, go or come twice, values of other
/// attributes, names that clash, numbers out of any range.
struct SourceMutation {
    private let lines: [String]
    private let values: [String]

    private static let special = [
        "", "0", "-1", "1", "99999999999999999999", "-9223372036854775808", "NaN", "1e400", "YES", "NO", "now()",
        "SELF == ", "(((((", "a.@count", "&#233;&#x1F600;", "Composite", "Decimal", "Integer 16",
    ]

    init(_ text: String) {
        lines = text.split(separator: "\n").map { String($0) }
        values = text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    func mutated(with random: inout RandomNumbers) -> String {
        var lines = lines
        for _ in 0...Int.random(in: 0..<3, using: &random) where lines.count > 2 {
            // Xcode writes one tag a line: lines without an end tag elsewhere can move.
            let place = Int.random(in: 1..<lines.count, using: &random)
            let isWhole = lines[place].hasSuffix("/>")
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where isWhole: lines.remove(at: place)
            case 1 where isWhole:
                lines.insert(lines[place], at: Int.random(in: 1..<lines.count, using: &random))
            case 2 where isWhole: lines.swapAt(place, Int.random(in: 1..<lines.count, using: &random))
            default: lines[place] = damaged(lines[place], with: &random)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// A line with another value of one of its attributes, or without it.
    private func damaged(_ line: String, with random: inout RandomNumbers) -> String {
        var parts = line.split(separator: "\"", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count > 2 else { return line }
        let place = Int.random(in: 0..<parts.count / 2, using: &random) * 2 + 1
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            guard let space = parts[place - 1].lastIndex(of: " "), place + 1 < parts.count else { return line }
            parts[place - 1] = String(parts[place - 1][..<space]) + parts[place + 1]
            parts.removeSubrange(place...(place + 1))
        case 1: parts[place] = Self.special.randomElement(using: &random) ?? ""
        default: parts[place] = values.randomElement(using: &random) ?? ""
        }
        return parts.joined(separator: "\"")
    }
}
