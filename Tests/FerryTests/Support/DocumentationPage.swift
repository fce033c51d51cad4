import Foundation
import Testing

/// A page of the documentation as the tests read it: lines, sections, tables, and blocks of code.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
    /// A fenced block.
    struct Block {
        /// The word after the fence, as in `sh`.
        let language: String
        let lines: [String]
    }

    /// Relative to the folder of the repository, as in `docs/importing.md`.
    let path: String
    let text: String
    let lines: [String]

    init(path: String) throws {
        self.path = path
        text = try String(contentsOfFile: Documentation.folder + "/" + path, encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    var testDescription: String { path }

    /// Where the file lies.
    var location: String { Documentation.folder + "/" + path }

    /// The texts of the headings of all levels, in order.
    var headings: [String] {
        var isFenced = false
        var headings: [String] = []
        for line in lines {
            if line.hasPrefix("```") { isFenced.toggle() }
            let marks = line.prefix { $0 == "#" }.count
            guard !isFenced, marks > 0, line.dropFirst(marks).hasPrefix(" ") else { continue }
            headings.append(String(line.dropFirst(marks + 1)))
        }
        return headings
    }

    /// What links to the headings end with, as GitHub makes them: lower case, hyphens for spaces, no punctuation; a
    /// text that comes again gets a number.
    var anchors: Set<String> {
        var counts: [String: Int] = [:]
        var anchors: Set<String> = []
        for heading in headings {
            let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
            let anchor = kept.replacing(" ", with: "-")
            let count = counts[anchor, default: 0]
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
            counts[anchor] = count + 1
        }
        return anchors
    }

    /// The targets of all links.
    var links: [String] {
        // Regular expressions over whole pages would take seconds.
        lines.filter { $0.utf8.contains(UInt8(ascii: "]")) }.flatMap { line in
            line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        }
    }

    /// The text below a heading of the second level, up to the next one; empty if there is no such heading.
    func text(of heading: String) -> String {
        let lines = lines
        guard let start = lines.firstIndex(of: "## " + heading) else { return "" }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        return lines[(start + 1)..<end].joined(separator: "\n")
    }

    /// The lines of the table whose first line begins with `head`; nil if there is no such table.
    func table(_ head: String) -> Range<Int>? {
        let lines = lines
        guard let start = lines.firstIndex(where: { $0.hasPrefix(head) }) else { return nil }
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        return start..<end
    }

    /// The cells of the rows of such a table; empty if there is no such table.
    func rows(ofTable head: String) -> [[String]] {
        guard let range = table(head) else { return [] }
        return lines[range].dropFirst(2).map { line in
            line.replacing("\\|", with: "\u{0}").split(separator: "|").map { cell in
                cell.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
            }
        }
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
}
