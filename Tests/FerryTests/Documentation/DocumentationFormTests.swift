import CommandLineParsing
import Foundation
import Testing

@testable import FerryCommands

/// What all pages have in common: links that lead somewhere, lines that fit, names that exist.
@Suite struct DocumentationFormTests {
    @Test func theReadmeIsShort() throws {
        #expect(try Documentation.readme.lines.count <= 250)
    }

    @Test func everyPageIsReachableFromTheReadme() throws {
        let pages = try Dictionary(uniqueKeysWithValues: Documentation.pages().map { ($0.path, $0) })
        var reached: Set<String> = []
        var waiting = ["README.md"]
        while let path = waiting.popLast() {
            guard reached.insert(path).inserted, let page = pages[path] else { continue }
            waiting += page.links.compactMap { resolve($0, from: path)?.path }
        }
        #expect(Set(pages.keys).subtracting(reached) == [])
    }

    @Test func everyLinkLeadsSomewhere() throws {
        var anchors: [String: Set<String>] = [:]
        for page in try Documentation.pages() { anchors[page.path] = page.anchors }
        for page in try Documentation.pages() {
            for link in page.links {
                guard let (path, anchor) = resolve(link, from: page.path) else { continue }
                let exists = FileManager.default.fileExists(atPath: Documentation.folder + "/" + path)
                #expect(exists, "\(page.path): \(link)")
                if let anchor, let known = anchors[path] {
                    #expect(known.contains(anchor), "\(page.path): \(link)")
                }
            }
        }
    }

    @Test func linesAreWrapped() throws {
        for page in try Documentation.writtenPages() {
            var isFenced = false
            for (index, line) in page.lines.enumerated() {
                if line.hasPrefix("```") { isFenced.toggle() }
                let isTable = line.drop { $0 == " " }.hasPrefix("|")
                if !isFenced, !isTable, line.count > 120 {
                    Issue.record("\(page.path):\(index + 1): \(line.count) characters")
                }
            }
        }
    }

    @Test func everyCommandThatIsNamedExists() throws {
        let known = Set(CommandTable.ferry.everyCommand.map { $0.path[1] })
        var named: Set<String> = []
        for page in try Documentation.writtenPages() {
            // In code, be it a block or between backticks.
            for line in page.lines where line.contains("ferry ") {
                for match in line.matches(of: /(?:^|`|; do |\| )ferry ([a-z]+(?:-[a-z]+)*)/) {
                    #expect(known.contains(String(match.1)), "\(page.path): ferry \(match.1)")
                    named.insert(String(match.1))
                }
            }
        }
        #expect(known.subtracting(named).subtracting(["help"]) == [])
    }

    @Test func everyOptionThatIsNamedExists() throws {
        let known = Set(CommandTable.ferry.everyCommand.flatMap { $0.command.flags.map(\.spelling) })
            .union(["--help", "--version"])
        // Options of the Swift package manager, of ferry-benchmarks, of the scripts, of an example and of rclone.
        let others: Set<String> = [
            "--filter", "--show-bin-path", "--rows", "--runs", "--stores", "--fix", "--fast", "--name", "--product",
            "--files-only", "--include",
        ]
        for page in try Documentation.writtenPages() {
            let named = Set(
                page.lines.filter { $0.contains("--") }.flatMap { line in
                    line.matches(of: /(?:^|[ `])(--[a-z][a-z-]+)/).map { String($0.1) }
                })
            #expect(named.subtracting(known).subtracting(others) == [], "\(page.path)")
        }
    }

    /// The path and the anchor that a link leads to, relative to the repository; nil for a link to a site.
    private func resolve(_ link: String, from page: String) -> (path: String, anchor: String?)? {
        if link.contains("://") || link.hasPrefix("mailto:") { return nil }
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let anchor = parts.count > 1 ? parts[1] : nil
        if parts[0].isEmpty { return (page, anchor) }
        let folder = URL(fileURLWithPath: "/" + page).deletingLastPathComponent()
        let path = folder.appendingPathComponent(parts[0]).standardizedFileURL.path
        return (String(path.dropFirst()), anchor)
    }
}
