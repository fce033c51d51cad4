import CommandLineParsing
import Foundation
import Testing

@testable import ferry

/// The command reference is made from the option table. `FERRY_RECORD=1` writes it anew, and fails to say so.
@Suite struct ReadmeReferenceTests {
    private static let heading = "Command reference"
    private static let note =
        "<!-- Made by \"FERRY_RECORD=1 swift test --filter FerryTests\" from the option table; do not edit by hand. -->"

    private var expected: String {
        "\n" + Self.note + "\n\n" + CommandTable.ferry.markdownReference()
    }

    @Test func theReferenceIsThatOfTheOptionTable() throws {
        let readme = try Readme()
        let range = try #require(readme.section(Self.heading), "README.md has no section \"\(Self.heading)\"")
        if ProcessInfo.processInfo.environment["FERRY_RECORD"] == "1" {
            var lines = readme.lines
            lines.replaceSubrange(
                range, with: expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
            try lines.joined(separator: "\n").write(toFile: Readme.path, atomically: true, encoding: .utf8)
            Issue.record("the command reference in README.md is written anew; look at it and run without FERRY_RECORD")
            return
        }
        #expect(
            readme.text(of: Self.heading) == expected,
            "README.md is not what the option table says; FERRY_RECORD=1 writes the reference anew")
    }

    @Test func everyCommandThatTheReadmeNamesExists() throws {
        let readme = try Readme()
        let known = Set(CommandTable.ferry.everyCommand.map { $0.path[1] })
        var named: Set<String> = []
        // In code, be it a block or between backticks.
        for match in readme.text.matches(of: /(?:^|`|; do |\| )ferry ([a-z]+)/.anchorsMatchLineEndings()) {
            named.insert(String(match.1))
        }
        #expect(named.subtracting(known) == [])
        #expect(known.subtracting(named) == [])
    }

    @Test func everyOptionThatTheReadmeNamesExists() throws {
        let readme = try Readme()
        let known = Set(CommandTable.ferry.everyCommand.flatMap { $0.command.flags.map(\.spelling) })
            .union(["--help", "--version"])
        // Options of the Swift package manager and of ferry-benchmarks.
        let others: Set<String> = ["--filter", "--show-bin-path", "--rows", "--runs"]
        let named = Set(readme.text.matches(of: /(?:^|[ `])(--[a-z][a-z-]+)/).map { String($0.1) })
        #expect(named.subtracting(known).subtracting(others) == [])
    }

    @Test func linesAreWrapped() throws {
        let readme = try Readme()
        let reference = try #require(readme.section(Self.heading))
        var isFenced = false
        for (index, line) in readme.lines.enumerated() where !reference.contains(index) {
            if line.hasPrefix("```") { isFenced.toggle() }
            let isTable = line.drop { $0 == " " }.hasPrefix("|")
            if !isFenced, !isTable, line.count > 120 { Issue.record("line \(index + 1) has \(line.count) characters") }
        }
    }

    @Test func linksLeadSomewhere() throws {
        let readme = try Readme()
        let folder = (Readme.path as NSString).deletingLastPathComponent
        for match in readme.text.matches(of: /\]\(([^)]+)\)/) {
            let target = String(match.1)
            if target.hasPrefix("https://") { continue }
            if target.hasPrefix("#") {
                let headings = readme.lines.filter { $0.hasPrefix("#") }.map { line in
                    line.drop { $0 == "#" || $0 == " " }.lowercased().replacing(" ", with: "-")
                }
                #expect(headings.contains(String(target.dropFirst())), "\(target)")
            } else {
                #expect(FileManager.default.fileExists(atPath: folder + "/" + target), "\(target)")
            }
        }
    }
}
