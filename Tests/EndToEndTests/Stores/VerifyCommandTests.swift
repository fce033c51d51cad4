import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// What is wrong with a store is found and mended with the built tool.
@Suite final class VerifyCommandTests: CompanyStoreSuite {
    private func breakLink() throws {
        // As a store, since the triggers call functions of Core Data.
        let opened = try SQLiteStore(path: store, access: .readWrite)
        defer { try? opened.connection.close() }
        try opened.connection.execute(
            "UPDATE ZPERSON SET ZDEPARTMENT = 4711 WHERE Z_PK = (SELECT min(Z_PK) FROM ZPERSON WHERE ZDEPARTMENT NOT NULL)"
        )
    }

    @Test func aSoundStoreHasNoFindings() throws {
        let run = try ToolProcess.ferry(["verify", store] + models)
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.output.contains("Verdict: sound"))
    }

    @Test func aFaultIsFoundNamedAndRepaired() throws {
        try breakLink()
        let found = try ToolProcess.ferry(["verify", store] + models)
        #expect(found.status == 1, "\(found.summary)")
        #expect(found.output.contains("dangling-reference"))
        let json = try ToolProcess.ferry(["verify", store, "--json", "--limit", "1"] + models)
        #expect(json.status == 1)
        #expect(json.output.contains("x-coredata://"))
        let other = try ToolProcess.ferry(["verify", store, "--rule", "primary-key-behind"] + models)
        #expect(other.status == 0, "\(other.summary)")

        let repair = ["repair", store, "--fix", "dangling-reference"] + models
        let before = try bytes()
        let tried = try ToolProcess.ferry(repair + ["--dry-run", "--sql"])
        #expect(tried.output.contains("UPDATE"), "\(tried.summary)")
        #expect(try bytes() == before)
        let mended = try ToolProcess.ferry(repair)
        #expect(mended.signal == nil)
        #expect(try bytes() != before, "\(mended.summary)")
        #expect(try StoreRows.of(store, "SELECT 1 FROM ZPERSON WHERE ZDEPARTMENT = 4711").isEmpty)
        let again = try ToolProcess.ferry(["verify", store, "--rule", "dangling-reference"] + models)
        #expect(again.status == 0, "\(again.summary)")
    }

    @Test(arguments: [
        ["verify", "nothing.sqlite"], ["verify", "Company.sqlite", "--rule", "no-such-rule"],
        ["repair", "Company.sqlite", "--fix", "no-such-rule"], ["repair", "Company.sqlite"],
    ])
    func whatCannotBeDoneIsSaid(_ words: [String]) throws {
        let run = try ToolProcess.run(ToolProcess.ferry, words + models, in: directory.path)
        #expect(run.status == 2 || run.status == 64, "\(run.summary)")
        #expect(!run.errors.isEmpty)
    }

    /// Three departments of one name; the first has the highest budget.
    @Test(arguments: [("first", "1"), ("last", "3"), ("newest:budget", "1")])
    func theObjectThatIsAskedForIsKept(_ which: String, _ key: String) throws {
        let connection = try Connection(path: store, access: .readWrite)
        connection.setTriggersEnabled(false)
        try connection.execute(
            "DROP INDEX Z_Department_UNIQUE_name; UPDATE ZDEPARTMENT SET ZNAME = 'X' WHERE Z_PK IN (1, 2, 3)")
        try connection.close()
        // The employees of those that go have no department then.
        let fixes = ["uniqueness-violated", "dangling-reference"].flatMap { ["--fix", $0] }
        let repair = ["repair", store, "--keep", which] + fixes + models
        let run = try ToolProcess.ferry(repair + ["--json", "--limit", "1"])
        #expect(run.status < 2 && run.output.contains("uniqueness-violated"), "\(run.summary)")
        #expect(try StoreRows.of(store, "SELECT Z_PK FROM ZDEPARTMENT WHERE ZNAME = 'X'") == [[key]])
    }

    private func bytes() throws -> [[String]] {
        try StoreRows.of(store, "SELECT Z_PK, ZDEPARTMENT, Z_OPT FROM ZPERSON ORDER BY Z_PK")
    }
}
