import GeneratedStores
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// `--pragma` of the commands that change stores.
@Suite final class StorePragmaTests: CompanyStoreSuite {
    private func answers(_ path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        return [
            // A connection that only reads says nothing of the mode.
            try DatabaseFile(path: path).usesWriteAheadLog ? "wal" : "delete",
            String(try connection.value("PRAGMA page_size").integer ?? 0),
            String(try connection.value("PRAGMA auto_vacuum").integer ?? 0),
            try connection.value("PRAGMA integrity_check").string ?? "",
        ]
    }

    private static let all = [
        "--pragma", "journal_mode=WAL", "--pragma", "page_size=8192", "--pragma", "auto_vacuum=none",
        "--pragma", "synchronous=OFF", "--pragma", "fullfsync=1",
    ]

    /// One to a version that is reached by SQL in a copy, one by a new file, one by a chain; and a store that is there.
    @Test(
        .long,
        arguments: [
            ["--to", "Company 2"], ["--to", "Company 4"], ["--to", "Company 2", "--writer", "sqlite"],
            ["--to", "Company"],
        ])
    func aMigratedStoreHasThem(words: [String]) throws {
        let (plain, set) = (directory.file("Plain.sqlite"), directory.file("Set.sqlite"))
        let first = try ToolProcess.ferry(["migrate", store, "--output", plain] + models + words)
        let second = try ToolProcess.ferry(["migrate", store, "--output", set] + models + words + Self.all)
        #expect(first.status < 2 && second.status == first.status, "\(first.summary) \(second.summary)")
        #expect(try answers(set) == ["wal", "8192", "0", "ok"])
        #expect(try StoreDump(of: set) == StoreDump(of: plain))
        let replaced = try ToolProcess.ferry(["migrate", store] + models + words + Self.all)
        #expect(replaced.status == first.status, "\(replaced.summary)")
        // What is at the version already stays as it is.
        if words[1] != "Company" { #expect(try answers(store) == ["wal", "8192", "0", "ok"]) }
    }

    @Test(arguments: ["wal", "delete"])
    func aStoreMigratedInPlaceGetsAJournalMode(mode: String) throws {
        let words = ["migrate", store, "--in-place", "--to", "Company 2", "--pragma", "journal_mode=\(mode)"]
        let run = try ToolProcess.ferry(words + models + ["--pragma", "synchronous=EXTRA"])
        #expect(run.status < 2, "\(run.summary)")
        #expect(try answers(store)[0] == mode)
        #expect(try FolderState(of: directory.path).names.filter { $0.hasPrefix("Company.sqlite-") } == [])
    }

    @Test(arguments: ["page_size=8192", "auto_vacuum=none", "synchronous=off", "synchronous=NORMAL"])
    func whatAStoreInUseCannotHaveIsRefused(_ pragma: String) throws {
        let before = try FolderState(of: directory.path)
        let migrate = try ToolProcess.ferry(
            ["migrate", store, "--in-place", "--to", "Company 2", "--pragma", pragma] + models)
        let people = try TemporaryDirectory().write("firstName\nAda\n", to: "people.csv")
        let imported = try ToolProcess.ferry(
            ["import", people, "--store", store, "--entity", "Person", "--pragma", pragma] + models)
        for run in [migrate, imported] {
            let text = "the pragma \(pragma.split(separator: "=")[0])"
            #expect(run.status == 2 && run.errors.contains(text), "\(run.summary)")
        }
        #expect(try FolderState(of: directory.path).differences(from: before) == [])
    }

    @Test(arguments: [[], ["--commit", "batch"]])
    func anImportedStoreHasThem(words: [String]) throws {
        let source = try directory.write("{\"name\": \"A\"}\n", to: "chefs.ndjson")
        let new = directory.file("New.sqlite")
        let command = [
            "import", source, "--store", new, "--models", Samples.models("Recipes"), "--entity", "Chef", "--key",
            "name",
        ]
        let made = try ToolProcess.ferry(command + words + Self.all)
        #expect(made.status < 2, "\(made.summary)")
        #expect(try answers(new) == ["wal", "8192", "0", "ok"])
        let mode = ["--pragma", "journal_mode=delete"]
        #expect(try ToolProcess.ferry(command + words + mode + ["--dry-run"]).status < 2)
        #expect(try answers(new)[0] == "wal")
        let again = try ToolProcess.ferry(command + words + mode + ["--pragma", "synchronous=full"])
        #expect(again.status < 2, "\(again.summary)")
        #expect(try answers(new)[0] == "delete")
    }

    @Test func aRepairedStoreHasThem() throws {
        let connection = try Connection(path: store, access: .readWrite)
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
        try connection.close()
        let run = try ToolProcess.ferry(["repair", store, "--fix", "primary-key-behind"] + models + Self.all)
        #expect(run.status < 2, "\(run.summary)")
        #expect(try answers(store) == ["wal", "8192", "0", "ok"])
    }

    @Test(arguments: [
        ["convert", "--output", "New.xml"], ["repair", "--fix", "dangling-reference"],
        ["migrate", "--to", "Company 2"],
    ])
    func otherTypesHaveNoPragmas(words: [String]) throws {
        let xml = directory.file("Store.xml")
        #expect(try ToolProcess.ferry(["convert", store, "--output", xml] + models).status < 2)
        let run = try ToolProcess.ferry(
            [words[0], xml] + words.dropFirst() + models + ["--pragma", "journal_mode=wal"], in: directory.path)
        #expect(run.status == 64 && run.errors.contains("not SQLite"), "\(run.summary)")
    }

    @Test(arguments: [["import", "x.csv", "--store", "S.sqlite", "--entity", "E"], ["migrate", "S.sqlite"]])
    func aBatchHoldsSomething(words: [String]) throws {
        let run = try ToolProcess.ferry(words + models + ["--batch-bytes", "0"], in: directory.path)
        #expect(run.status == 64 && run.errors.contains("--batch-bytes"), "\(run.summary)")
    }
}
