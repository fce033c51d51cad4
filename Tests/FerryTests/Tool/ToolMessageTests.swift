import Foundation
import TestSupport
import Testing

/// What the built tool says when something is wrong, and with which status it ends.
@Suite struct ToolMessageTests {
    private static let company = Samples.models("Company")

    @Test(arguments: [
        ([], "ferry: no command given"),
        (["migrat"], "ferry: there is no command \"migrat\"; did you mean migrate?"),
        (["inspect"], "ferry inspect: PATH is missing"),
        (["migrate", "-m", "b"], "ferry migrate: STORE is missing"),
        (["migrate", "a"], "ferry migrate: --models PATH is missing"),
        (["migrate", "a", "--dryrun"], "ferry migrate: there is no option --dryrun; did you mean --dry-run?"),
        (["migrate", "a", "-m", "b", "-o", "c", "--in-place"], "ferry migrate: --output and --in-place exclude"),
        (["migrate", "a", "-m", "b", "-o", "c", "--backup", "d"], "ferry migrate: --output and --backup exclude"),
        (["migrate", "a", "-m", "b", "--batch-rows", "0"], "ferry migrate: --batch-rows takes a whole number from 1"),
        (["diff", "-m", "b"], "ferry diff: --from VERSION is missing"),
        (["diagram", "a", "--all"], "ferry diagram: --all needs --from"),
        (["diagram", "a", "--version", "b", "--from", "c"], "ferry diagram: --version and --from exclude"),
        (["lint"], "ferry lint: PATH is missing"),
        (["lint", "a", "--to", "b"], "ferry lint: --to needs --from"),
        (["lint", "a", "--version", "b", "--from", "c", "--to", "b"], "ferry lint: --version and --to exclude"),
        (["lint", "a", "--format", "xml"], "ferry lint: --format takes one of text, json, sarif"),
        (["infer", "--from", "b"], "ferry infer: --models PATH is missing"),
        (["inspect", "a", "b"], "ferry inspect: unexpected \"b\""),
    ])
    func aWrongCommandLineEndsWithStatus64(words: [String], message: String) throws {
        let run = try ToolProcess.ferry(words)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix(message), "\(run.errors)")
        #expect(run.errors.contains("--help"))
    }

    @Test(arguments: [
        (["inspect", "missing.sqlite"], "there is no such file"),
        (["inspect", "text.sqlite"], "this is not an SQLite database"),
        (["inspect", "plain.sqlite"], "this SQLite database is not a Core Data store"),
        (["migrate", ".", "--models", company], "this is a folder"),
        (["migrate", "Company.sqlite", "--models", "missing"], "missing: there is no such file or folder"),
        (["migrate", "Company.sqlite", "--models", company, "--to", "Five"], "known versions: Company, Company 2"),
        (["migrate", "Company.sqlite", "--models", Samples.models("Ledger")], "no version has any of its entities"),
        (["migrate", "Company.sqlite", "--models", company, "--output", "text.sqlite"], "it exists already"),
        (["migrate", "Company.sqlite", "--models", company, "--output", "missing/new"], "there is no such folder"),
        (["migrate", "Company.sqlite", "--models", company, "--report", "missing/r"], "cannot write missing/r"),
        (["migrate", "Company.sqlite", "--models", company, "--report", "."], "it is a folder"),
        (["infer", "--models", company, "--from", "Company", "-o", "missing/m.yaml"], "cannot write missing/m.yaml"),
    ])
    func whatCannotBeDoneEndsWithStatus2AndChangesNothing(words: [String], message: String) throws {
        let directory = try TemporaryDirectory()
        _ = try Samples.buildStore("Company", in: directory)
        try directory.write("no database", to: "text.sqlite")
        let made = try ToolProcess.run(
            "/usr/bin/env", ["sqlite3", directory.file("plain.sqlite"), "CREATE TABLE t (a)"])
        #expect(made.status == 0)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(words, in: directory.path)
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("ferry: "))
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(try FolderState(of: directory.path) == before)
    }

    @Test func aModelWithNothingInCommonIsRefused() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", Self.company, "--models", Samples.models("Ledger"), "--to", "Ledger"])
        #expect(run.status == 2)
        #expect(run.errors.contains("[no-common-entity"))
        #expect(try FolderState(of: directory.path) == before)
    }

    @Test func aDryRunSaysWhatIsDropped() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let run = try ToolProcess.ferry(["migrate", store, "--models", Self.company, "--dry-run"])
        #expect(run.output.contains("note: ParkingPlace: the entity is removed"))
        #expect(run.output.contains("[objects-dropped; 7 found]"))
        // Once, though Manager inherits them.
        #expect(run.output.contains("note: Employee: without a place in the destination, and dropped: level, "))
        #expect(!run.output.contains("note: Manager:"))
    }

    @Test func valuesThatWereNeverThereAreNotCalledDropped() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let emptied = try ToolProcess.run(
            "/usr/bin/env",
            [
                "sqlite3", store,
                "UPDATE ZPERSON SET ZLEVEL = NULL, ZSENIORITY = NULL, ZPARKINGPLACE = NULL; DELETE FROM ZPARKINGPLACE",
            ])
        try #require(emptied.status == 0, "\(emptied.summary)")
        let run = try ToolProcess.ferry(["migrate", store, "--models", Self.company, "--dry-run"])
        #expect(run.status == 0, "\(run.summary)")
        #expect(!run.output.contains("dropped ["))
        #expect(!run.output.contains("[values-dropped"))
    }

    @Test func aFolderWithHashesButWithoutModelsIsRefused() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("App.momd"), withIntermediateDirectories: true)
        try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>NSManagedObjectModel_CurrentVersionName</key><string>App</string>
            <key>NSManagedObjectModel_VersionHashes</key><dict><key>App</key><dict><key>Event</key>
            <data>VDHARtMOfzLCzJgJlYrdHnV5rRBKo6r8hG6X1684ug8=</data></dict></dict>
            </dict></plist>
            """, to: "App.momd/VersionInfo.plist")
        let run = try ToolProcess.ferry(["inspect", directory.file("App.momd")])
        #expect(run.status == 2, "\(run.summary)")
        #expect(run.errors.contains("the current version \"App\" is not in the bundle"), "\(run.summary)")
    }

    @Test func aRefusalPrintsItsPlanAsJSONToo() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Ledger", in: directory)
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", Samples.models("Ledger"), "--to", "Ledger unique", "--json"])
        #expect(run.status == 2)
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        #expect(document?["verdict"] as? String == "refused; nothing would change")
    }

    @Test func findingsNameTheirSubjectOnce() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Ledger", in: directory)
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", Samples.models("Ledger"), "--to", "Ledger required", "--dry-run"])
        #expect(run.output.contains("error: Booking.text: the attribute"))
        #expect(!run.output.contains("Booking.text: Booking.text"))
    }

    @Test func progressNeverExceedsItsTotal() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let run = try ToolProcess.ferry(["migrate", store, "--models", Self.company, "--progress", "json"])
        var seen = 0
        for line in run.errors.split(separator: "\n") {
            let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let rows = document?["rows"] as? Int, let total = document?["total"] as? Int else { continue }
            #expect(rows <= total)
            seen += 1
        }
        #expect(seen > 0)
    }
}
