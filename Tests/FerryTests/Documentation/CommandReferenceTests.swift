import CommandLineParsing
import Foundation
import TestSupport
import Testing

@testable import FerryCommands

/// The command reference is made from the option tables. `FERRY_RECORD=1` writes it again, and fails to say so.
@Suite struct CommandReferenceTests {
    private static let note = "Made by \"FERRY_RECORD=1 swift test --filter FerryTests\" from the option tables."

    private func manual() throws -> [RenderedDocument] {
        CommandTable.ferry.manualPages(note: Self.note, date: try Changelog().day)
    }

    /// The pages of `docs/` that show a command at work.
    private static let guides: [String: [String]] = [
        "inspect": ["models", "swiftdata"], "lint": ["linting", "swiftdata"], "freeze": ["swiftdata", "linting"],
        "diagram": ["diagrams"],
        "diff": ["linting", "swiftdata"],
        "infer": ["migrating", "mapping-models"], "mapping": ["mapping-models"],
        "migrate": ["migrating", "mapping-models", "policies", "chains-and-stages", "findings", "swiftdata"],
        "import": ["importing"], "assemble": ["importing", "fleets"], "convert": ["converting"],
        "fetch": ["querying", "predicates"],
        "edit": ["editing"], "merge-into": ["merging"], "fleet": ["fleets"], "export": ["exporting"],
        "verify": ["store-care", "swiftdata"],
        "repair": ["store-care"],
        "metadata": ["store-care"], "history": ["store-care"],
        "copy": ["store-care"], "move": ["store-care"], "remove": ["store-care"], "fixture": ["fixtures", "swiftdata"],
        "hashes": ["models", "swiftdata"], "compile": ["models", "swiftdata"], "decompile": ["models", "swiftdata"],
        "completions": ["scripting"],
    ]

    @Test func theToolIsOfTheNewestVersionInTheListOfChanges() throws {
        #expect(try Changelog().version == CommandTable.ferry.version)
    }

    @Test func everyCommandHasAGuide() {
        let commands = Set(CommandTable.ferry.commands.map(\.name)).subtracting(["help"])
        #expect(commands == Set(Self.guides.keys))
    }

    @Test func theReferenceIsThatOfTheOptionTables() throws {
        let guides = try Self.guides.mapValues { names in
            try names.map { "[\(try Documentation.page($0).headings[0])](../\($0).md)" }
        }
        let pages = CommandTable.ferry.referencePages(note: "<!-- \(Self.note) -->", guides: guides)
        try RecordedFolder("docs/reference").check(pages)
    }

    @Test func theManualIsThatOfTheOptionTables() throws {
        try RecordedFolder("man").check(manual())
    }

    @Test func theManualHasAPageForEachCommand() throws {
        let commands = CommandTable.ferry.everyCommand.map { $0.path.joined(separator: "-") + ".1" }
        #expect(Set(try manual().map(\.name)) == Set(commands + ["ferry.1"]))
    }

    /// Formatters of manual pages, with the options by which they only complain.
    private static let checkers = [["mandoc", "-Tlint", "-W", "warning"], ["groff", "-mdoc", "-ww", "-z"]].filter {
        (try? ToolProcess.run("/usr/bin/env", ["which", $0[0]]).status) == 0
    }

    @Test(.enabled(if: !checkers.isEmpty, "neither mandoc nor groff is installed"), arguments: checkers)
    func theManualHasNoMistakes(checker: [String]) throws {
        let directory = try TemporaryDirectory()
        let manual = try manual()
        for page in manual { try Data(page.text.utf8).write(to: URL(fileURLWithPath: directory.file(page.name))) }
        let run = try ToolProcess.run("/usr/bin/env", checker + manual.map(\.name), in: directory.path)
        #expect(run.status == 0)
        #expect(run.output + run.errors == "")
    }
}
