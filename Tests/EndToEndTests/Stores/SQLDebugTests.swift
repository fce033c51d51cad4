import Foundation
import TestSupport
import Testing

/// `--sql-debug` and `FERRY_SQLDEBUG`, which every command heeds.
final class SQLDebugTests: CompanyStoreSuite {
    private func fetch(_ words: [String], _ environment: [String: String] = [:]) throws -> ToolProcess.Result {
        try ToolProcess.ferry(
            ["fetch", store, "--entity", "Department", "--where", "name = \"Design\" OR code = 4711"] + models + words,
            environment: environment)
    }

    @Test(arguments: [false, true])
    func eachLevelSaysMoreOnStandardError(byEnvironment: Bool) throws {
        let plain = try fetch([])
        #expect(plain.status == 0 && plain.errors.isEmpty, "\(plain.summary)")
        for level in 1...3 {
            let run =
                try byEnvironment ? fetch([], ["FERRY_SQLDEBUG": "\(level)"]) : fetch(["--sql-debug", "\(level)"])
            #expect(run.status == 0 && run.output == plain.output, "\(run.summary)")
            #expect(run.errors.contains("sql: SELECT "))
            #expect(run.errors.contains(" ms, ") == (level >= 2))
            #expect((run.errors.contains("4711")) == (level == 3))
            #expect(run.errors.split(separator: "\n").allSatisfy { !$0.isEmpty })
        }
    }

    @Test func commandsThatWriteShowTheirStatementsToo() throws {
        let run = try ToolProcess.ferry(
            ["edit", store, "--update", "Employee", "--where", "level < 3", "--set", "level=3", "--sql-debug", "1"]
                + models)
        #expect(run.status == 0 && run.errors.contains("COMMIT") && run.errors.contains("UPDATE "), "\(run.summary)")
    }

    @Test(arguments: [(["--sql-debug", "4"], [:]), (["--sql-debug"], [:]), ([], ["FERRY_SQLDEBUG": "much"])])
    func otherLevelsAreRefused(words: [String], environment: [String: String]) throws {
        let run = try fetch(words, environment)
        #expect(run.status == 64, "\(run.summary)")
    }
}
