import Foundation

/// The README as the tests read it: lines, sections, and blocks of code.
struct Readme {
    /// A fenced block.
    struct Block {
        /// The word after the fence, as in `sh`.
        let language: String
        let lines: [String]
    }

    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("README.md").path

    let text: String

    init() throws {
        text = try String(contentsOfFile: Self.path, encoding: .utf8)
    }

    var lines: [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines below a heading of the second level, up to the next one; nil where there is none.
    func section(_ heading: String) -> Range<Int>? {
        let lines = lines
        guard let start = lines.firstIndex(of: "## " + heading) else { return nil }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        return (start + 1)..<end
    }

    /// The text below a heading of the second level.
    func text(of heading: String) -> String {
        section(heading).map { lines[$0].joined(separator: "\n") } ?? ""
    }

    /// All fenced blocks in order.
    var blocks: [Block] {
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in lines {
            if let block = open {
                if line == "```" {
                    blocks.append(Block(language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }

    /// The words between backticks in a text that `accepts` matches in full.
    static func words(in text: String, like accepts: Regex<Substring>) -> Set<String> {
        var words: Set<String> = []
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where index % 2 == 1 && part.wholeMatch(of: accepts) != nil {
            words.insert(String(part))
        }
        return words
    }
}
