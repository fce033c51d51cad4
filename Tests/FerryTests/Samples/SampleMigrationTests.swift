import Foundation
import TestSupport
import Testing

/// Migrates the sample stores with the built tool, and compares what they hold with what they should.
@Suite struct SampleMigrationTests {
    enum Placement: String, CaseIterable {
        case replace, output, inPlace
    }

    @Test(arguments: ["Company", "Recipes"], Placement.allCases)
    func aStoreOfTheFirstVersionHoldsWhatIsExpected(sample: String, placement: Placement) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore(sample, in: directory)
        let before = try FolderState(of: directory.path)
        var words = ["migrate", store, "--models", Samples.models(sample)]
        var result = store
        switch placement {
        case .replace: break
        case .output:
            try FileManager.default.createDirectory(atPath: directory.file("new"), withIntermediateDirectories: true)
            result = directory.file("new/\(sample).sqlite")
            words += ["--output", result]
        case .inPlace: words += ["--in-place"]
        }
        let run = try ToolProcess.ferry(words)
        #expect(run.status == 0, "\(run.summary)")
        if placement == .output {
            let after = try FolderState(of: directory.path)
            #expect(after.differences(from: before).filter { !$0.hasPrefix("new") } == [])
        }
        // Nothing of the work is left beside the store: only its main file and its external data.
        let folder = (result as NSString).deletingLastPathComponent
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.filter { $0 != "new" } == [".\(sample)_SUPPORT", "\(sample).sqlite"])
        #expect(try content(of: result, sample) == expected(sample))
    }

    @Test(arguments: ["Company", "Recipes"])
    func aDryRunSaysHowItWouldEndAndWritesNothing(sample: String) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore(sample, in: directory)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(["migrate", store, "--models", Samples.models(sample), "--dry-run"])
        // The entities of Recipes have other numbers then, and its persistent history follows.
        #expect(run.output.contains("history-renumbered") == (sample == "Recipes"), "\(run.summary)")
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("Verdict: would succeed"))
        #expect(run.errors.isEmpty)
        #expect(try FolderState(of: directory.path) == before)
    }

    @Test(arguments: ["Company", "Recipes"])
    func aSecondMigrationHasNothingToDo(sample: String) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore(sample, in: directory)
        let words = ["migrate", store, "--models", Samples.models(sample)]
        _ = try ToolProcess.ferry(words)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(words)
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("nothing to do"))
        #expect(try FolderState(of: directory.path) == before)
    }

    @Test func theBackupHoldsTheOldStore() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", Samples.models("Company"), "--backup", directory.file("old")])
        #expect(run.status == 0, "\(run.summary)")
        let old = try FolderState(of: directory.file("old"))
        #expect(old.byteDifferences(from: before) == [])
    }

    /// Version, the finding's code, and the property or entity that it names.
    private static let refusals = [
        ("Ledger type change", "attribute-type-changed", "Account.number"),
        ("Ledger to-one", "to-many-became-to-one", "Account.booking"),
        ("Ledger one hierarchy", "merged-hierarchies", "Entry"),
        ("Ledger required", "missing-required-value", "Booking.text"),
        ("Ledger unique", "uniqueness-violated", "Account"),
    ]

    @Test(.long, arguments: refusals, [[], ["--in-place"], ["--output", "New.sqlite"], ["--dry-run"]])
    func whatCannotBeInferredIsRefusedAndNothingChanges(
        refusal: (version: String, code: String, subject: String), options: [String]
    ) throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Ledger", in: directory)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(
            ["migrate", store, "--models", Samples.models("Ledger"), "--to", refusal.version] + options,
            in: directory.path)
        #expect(run.status == 2, "\(run.summary)")
        let text = options == ["--dry-run"] ? run.output : run.errors
        #expect(text.contains("[\(refusal.code)"))
        #expect(text.contains("error: \(refusal.subject)"))
        #expect(text.contains("Verdict: refused; nothing would change"))
        #expect(try FolderState(of: directory.path) == before)
    }

    private func expected(_ sample: String) throws -> String {
        try String(contentsOfFile: "\(Samples.path)/\(sample)/expected/migrated.txt", encoding: .utf8)
    }

    /// What the sample's query prints.
    private func content(of store: String, _ sample: String) throws -> String {
        let run = try ToolProcess.run(
            "/usr/bin/env", ["sqlite3", "-bail", "-readonly", store, ".read '\(Samples.path)/\(sample)/query.sql'"])
        #expect(run.status == 0, "\(run.summary)")
        return run.output
    }
}
