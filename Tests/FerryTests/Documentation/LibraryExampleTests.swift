import Foundation
import StoreMigration
import Synchronization
import TestSupport
import Testing

@Suite struct LibraryExampleTests {
    private static let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("LibraryExample.swift").path

    @Test func thePageShowsTheExampleThatIsRun() throws {
        let block = try #require(
            try Documentation.page("libraries").blocks.first { block in
                block.language == "swift" && block.lines.contains { $0.contains("StoreMigration") }
            })
        let shown = block.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let run = try String(contentsOfFile: Self.source, encoding: .utf8).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        // The test's own frame around it, and nothing else, is left out of the page.
        let frame: Set<String> = [
            "/// The migration that docs/libraries.md shows, compiled and run; a test compares the two.",
            "struct LibraryExample {", "let log: ([String]) -> Void",
        ]
        #expect(shown == Array(run.filter { !frame.contains($0) }.dropLast()))
    }

    @Test func itMigratesAStore() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Recipes", in: directory)
        let logged = Mutex<[String]>([])
        let report = try LibraryExample(log: { lines in logged.withLock { $0 += lines } })
            .migrate(store, models: Samples.models("Recipes"), to: directory.file("New.sqlite"))
        #expect(report.destinationVersion == "Recipes 4")
        #expect(report.rowsWritten > 0)
        #expect(logged.withLock { $0.first?.contains("history-dropped") } == true)
    }

    @Test func itThrowsWhereThePlanRefuses() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Ledger", in: directory)
        #expect(throws: MigrationError.self) {
            try LibraryExample(log: { _ in }).migrate(
                store, models: Samples.models("Ledger") + "/Ledger required.xcdatamodel",
                to: directory.file("New.sqlite"))
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("New.sqlite")))
    }
}
