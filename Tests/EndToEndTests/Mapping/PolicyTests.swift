import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Policies of mapping models: a tool of one's own in Swift, and programs.
@Suite struct PolicyTests {
    private static let mapping = Samples.path + "/../Mappings/Company/levels-by-policy.yaml"
    private static let script = Samples.path + "/../Mappings/Company/level-policy.sh"

    private func migrate(
        _ mapping: String, _ policies: [String], in directory: TemporaryDirectory, _ more: [String] = []
    ) throws -> (result: ToolProcess.Result, old: String, new: String) {
        let store = try Samples.buildStore("Company", in: directory)
        let output = directory.file("new.sqlite")
        let result = try ToolProcess.ferry(
            [
                "migrate", store, "--models", Samples.models("Company"), "--to", "Company 2", "--mapping", mapping,
                "--output", output, "--progress", "none",
            ] + policies.flatMap { ["--policy", $0] } + more)
        return (result, store, output)
    }

    /// What the policies of levels-by-policy.yaml have to make, in Swift and as a program.
    private func expectLevels(_ old: String, _ new: String) throws {
        let levels = try StoreRows.of(
            old, "SELECT DISTINCT 'Level ' || ZLEVEL FROM ZPERSON WHERE ZLEVEL NOT NULL ORDER BY 1")
        #expect(levels.count > 5)
        #expect(try StoreRows.of(new, "SELECT ZNAME FROM ZSKILL ORDER BY 1") == levels)
        let join = try #require(
            StoreRows.of(new, "SELECT name FROM sqlite_master WHERE name LIKE 'Z_%SKILLS' AND type = 'table'").first?
                .first)
        let columns = try StoreRows.of(new, "SELECT name FROM pragma_table_info('\(join)') ORDER BY cid").flatMap(
            \.self)
        let skill = try #require(columns.first { $0.contains("SKILLS") && !$0.contains("FOK") })
        let employee = try #require(columns.first { $0.contains("EMPLOYEES") && !$0.contains("FOK") })
        #expect(
            try StoreRows.of(
                new,
                "SELECT p.Z_PK, s.ZNAME FROM ZPERSON p LEFT JOIN \"\(join)\" j ON j.\"\(employee)\" = p.Z_PK "
                    + "LEFT JOIN ZSKILL s ON s.Z_PK = j.\"\(skill)\" ORDER BY 1")
                == StoreRows.of(old, "SELECT Z_PK, 'Level ' || ZLEVEL FROM ZPERSON ORDER BY 1"))
        let values =
            "SELECT Z_PK, ZFIRSTNAME, ZLASTNAME, ZNOTES, ifnull(ZVACATIONDAYS, 25), ZDEPARTMENT, ZMANAGER, ZHIRED, "
            + "hex(ZBADGE), ZSALARY, ZASSISTANT, ZBONUS, hex(ZPHOTO), hex(ZPREFERENCES) FROM ZPERSON ORDER BY Z_PK"
        #expect(
            try StoreRows.of(new, values.replacing("ZNOTES", with: "ZREMARKS")) == StoreRows.of(old, values))
        try StoreRows.expectSound(new, Samples.models("Company") + "/Company 2.xcdatamodel")
    }

    @Test func aToolOfOnesOwnMigratesWithAPolicyInSwift() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let tool = TestSettings.tools + "/company-policies"
        let output = directory.file("new.sqlite")
        let result = try ToolProcess.run(tool, [store, Samples.models("Company"), Self.mapping, output])
        #expect(result.status == 0, "\(result.summary)")
        #expect(result.output.contains("PolicyTransfer"))
        try expectLevels(store, output)
    }

    @Test(.long, arguments: [[], ["--batch-rows", "1"], ["--batch-rows", "3"]])
    func aProgramDoesTheWorkOfAPolicy(options: [String]) throws {
        let directory = try TemporaryDirectory()
        let (result, old, new) = try migrate(
            Self.mapping, ["Company.LevelPolicy=sh '\(Self.script)'"], in: directory, options)
        #expect(result.status == 0, "\(result.summary)")
        try expectLevels(old, new)
    }

    @Test func thePlanSaysWhichPolicyRunsWhat() throws {
        let directory = try TemporaryDirectory()
        let (result, _, new) = try migrate(
            Self.mapping, ["Company.LevelPolicy=sh policy.sh"], in: directory, ["--dry-run"])
        #expect(result.status == 0, "\(result.summary)")
        #expect(result.output.contains("PolicyTransfer") && result.output.contains("sh policy.sh"))
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    struct Failure: CustomTestStringConvertible {
        let program: String
        let message: String
        var testDescription: String { message }
    }

    private static let first = #"read -r hello; read -r line; s=${line#*:\"}; s=${s%%\"*}; "#

    /// Each is what a program may do wrong; nothing of it leaves a store, or a process.
    @Test(
        .long,
        arguments: [
            Failure(program: "exit 3", message: "ended with status 3"),
            Failure(program: "kill -9 $$", message: "was ended by signal 9"),
            Failure(program: "exec sleep 4", message: "written nothing for 1 seconds"),
            Failure(program: "exec <&-; exit", message: "ended with status 0 before it had answered"),
            Failure(program: "exec >&-; exec sleep 5", message: "closed its output before it had answered"),
            Failure(program: "echo '{\"source\"'; exec cat >/dev/null", message: "not JSON"),
            Failure(
                program: "echo '{\"source\":\"x-coredata://A/B/p1\"}'; exec cat >/dev/null",
                message: "not in the batch"),
            Failure(
                program: "echo '{\"end\":\"batch\"}'; exec cat >/dev/null",
                message: "without an answer to x-coredata://"),
            Failure(
                program: "echo '{\"error\":\"no more levels\"}'; exec cat >/dev/null",
                message: "it says: no more levels"),
            Failure(
                program: first + #"echo "{\"source\":\"$s\",\"entity\":\"Nobody\"}"; exec cat >/dev/null"#,
                message: "no entity \"Nobody\""),
            Failure(
                program: first
                    + #"echo "{\"source\":\"$s\",\"attributes\":{\"vacationDays\":\"x\"}}"; exec cat >/dev/null"#,
                message: "a whole number"),
            Failure(
                program: first
                    + #"echo "{\"source\":\"$s\",\"attributes\":{\"vacationDays\":99999}}"; exec cat >/dev/null"#,
                message: "cannot take"),
            Failure(
                program: first + #"echo "{\"source\":\"$s\",\"attributes\":{\"size\":1}}"; exec cat >/dev/null"#,
                message: "no stored attribute \"size\""),
            Failure(
                program: first + #"echo "{\"source\":\"$s\",\"attributes\":{\"lastName\":null}}"; exec cat >/dev/null"#,
                message: "mandatory destination attribute"),
            Failure(
                program: first + #"echo "{\"source\":\"$s\",\"extra\":1}"; exec cat >/dev/null"#,
                message: "\"extra\" is unknown"),
        ])
    func aProgramThatFailsIsNamedAndLeavesNothing(failure: Failure) throws {
        let directory = try TemporaryDirectory()
        let program = try directory.write(failure.program + "\n", to: "program.sh")
        let (result, _, new) = try migrate(
            Self.mapping, ["Company.LevelPolicy=sh \(program)"], in: directory, ["--policy-timeout", "1"])
        #expect(result.status == 2, "\(result.summary)")
        #expect(result.errors.contains(failure.message), "\(result.summary)")
        #expect(result.errors.contains("EmployeeToEmployee") && result.errors.contains("sh"), "\(result.summary)")
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test func aProgramThatIsNotThereIsNamed() throws {
        let directory = try TemporaryDirectory()
        let (result, _, _) = try migrate(Self.mapping, ["Company.LevelPolicy=/no/such/program"], in: directory)
        #expect(result.status == 2)
        #expect(result.errors.contains("/no/such/program cannot be started"), "\(result.summary)")
    }

    @Test(arguments: ["Policy", "=default", "Policy='open", "Policy="])
    func aPolicyThatCannotBeReadIsAnErrorOfUsage(argument: String) throws {
        let result = try ToolProcess.ferry(["migrate", "s", "--models", "m", "--policy", argument])
        #expect(result.status == 64, "\(result.summary)")
    }
}
