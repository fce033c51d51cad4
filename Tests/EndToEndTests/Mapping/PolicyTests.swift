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
        #expect(result.status == 1, "\(result.summary)")
        #expect(result.output.contains("PolicyTransfer") && result.output.contains("sh policy.sh"))
        // What the program answers is known when it has run.
        #expect(result.output.contains("[data-not-checked]") && result.output.contains("Verdict: not known"))
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    /// The program is run on a scratch store: what it answers is known, and nothing is written.
    @Test func aRehearsalRunsTheProgram() throws {
        let directory = try TemporaryDirectory()
        let (result, old, new) = try migrate(
            Self.mapping, ["Company.LevelPolicy=sh '\(Self.script)'"], in: directory, ["--dry-run", "--rehearse"])
        #expect(result.status == 0 && result.output.contains("Verdict: would succeed\n"), "\(result.summary)")
        #expect(!FileManager.default.fileExists(atPath: new))
        let failing = try ToolProcess.ferry([
            "migrate", old, "--models", Samples.models("Company"), "--to", "Company 2", "--mapping", Self.mapping,
            "--policy", "Company.LevelPolicy=sh -c 'exit 3'", "--dry-run", "--rehearse",
        ])
        #expect(failing.status == 2 && failing.output.contains("ended with status 3"), "\(failing.summary)")
        let alone = try ToolProcess.ferry(["migrate", old, "--models", Samples.models("Company"), "--rehearse"])
        #expect(alone.status == 64, "\(alone.summary)")
    }

    struct Failure: CustomTestStringConvertible {
        let program: String
        let message: String
        var testDescription: String { message }
    }

    private static let first = #"read -r hello; read -r line; s=${line#*:\"}; s=${s%%\"*}; "#

    /// Answers every record; what follows says what to.
    private static let each =
        #"read -r hello; while read -r line; do case $line in '{"end"'*) echo "$line"; continue;; "#
        + #"esac; s=${line#*:\"}; s=${s%%\"*}; "#

    /// Answers that give the department of every record.
    private static func department(_ json: String) -> String {
        each + #"echo "{\"source\":\"$s\",\"attributes\":{\"vacationDays\":25},"#
            + #"\"relationships\":{\"department\":"# + json + #"}}"; done"#
    }

    private static func attribute(_ json: String) -> String {
        first + #"echo "{\"source\":\"$s\",\"attributes\":{"# + json + #"}}"; exec cat >/dev/null"#
    }

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
            Failure(
                program: attribute(#"\"rating\":1e400"#), message: "rating is of type Double, and the number 1e400"),
            Failure(program: attribute(#"\"seniority\":-1e39"#), message: "cannot take the real -1e+39"),
            Failure(program: attribute(#"\"seniority\":1e39"#), message: "of its answer, for x-coredata://"),
            Failure(program: attribute(#"\"steps\":9223372036854775808"#), message: "9223372036854775808 is too large"),
            Failure(program: attribute(#"\"hired\":-1e999"#), message: "hired is of type Date, and the number -1e999"),
            Failure(program: department(#"[\"$s\",\"$s\"]"#), message: "leads to one object, and not to 2"),
            Failure(program: department(#"\"$s\""#), message: "no mapping makes these of objects of Employee"),
            Failure(
                program: department(#"\"x-coredata://A/Department/p1\""#), message: "is an object of another store"),
            Failure(
                program: department(#"\"${s%/*/*}/Nobody/p1\""#), message: "the old model has no entity \"Nobody\""),
            Failure(
                program: department(#"\"${s%/*/*}/Department/p9999\""#),
                message: "Department/p9999, and there is no such source object"),
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

    /// A run that was killed between the last step and its own end: the same command ends it.
    @Test func aRunThatIsDoneCanBeRepeatedWithItsStagesAndPolicies() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let stages = try directory.write(
            "stages: 1\nmigration:\n- {from: Company, to: Company 2, mapping: \"\(Self.mapping)\"}\n", to: "stages.yaml"
        )
        func migrate() throws -> ToolProcess.Result {
            try ToolProcess.ferry([
                "migrate", store, "--models", Samples.models("Company"), "--to", "Company 2", "--stages", stages,
                "--policy", "Company.LevelPolicy=sh '\(Self.script)'", "--progress", "none", "--resume",
            ])
        }
        let first = try migrate()
        #expect(first.status == 0, "\(first.summary)")
        let hidden = "." + (store as NSString).lastPathComponent
        try directory.write("the old store", to: hidden + ".ferry-staging")
        try FileManager.default.createDirectory(
            atPath: directory.file(hidden + ".ferry-chain"), withIntermediateDirectories: false)
        let second = try migrate()
        #expect(second.status == 0, "\(second.summary)")
        #expect(second.output.contains("nothing to do"), "\(second.summary)")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.contains("ferry-") } == [])
    }

    // MARK: - Batches in flight

    /// Answers each batch when the next one is there, and the last one at the end of its input.
    private static let late = #"""
        newline='
        '
        while IFS= read -r line; do
            case $line in
            '{"ferry":'*) echo '{"protocol":2}' ;;
            '{"end":'*)
                printf '%s' "$held"
                held="$now{\"end\":\"batch\"}$newline" now= ;;
            *)
                source=${line#'{"source":"'}
                source=${source%%'"'*}
                now="$now{\"source\":\"$source\",\"attributes\":{\"vacationDays\":7}}$newline" ;;
            esac
        done
        printf '%s' "$held"
        """#

    @Test(.long, arguments: ["1", "3", "7", "1000"])
    func aProgramOfVersionTwoMayAnswerLater(rows: String) throws {
        let directory = try TemporaryDirectory()
        let program = try directory.write(Self.late, to: "late.sh")
        let (result, old, new) = try migrate(
            Self.mapping, ["Company.LevelPolicy=sh \(program)"], in: directory,
            ["--batch-rows", rows, "--policy-timeout", "20"])
        // Of one batch there is none behind it, but the end of the input.
        #expect(result.status == 0, "\(result.summary)")
        #expect(try StoreRows.of(new, "SELECT DISTINCT ZVACATIONDAYS FROM ZPERSON") == [["7"]])
        let names = "SELECT Z_PK, ZFIRSTNAME, ZLASTNAME, ZMANAGER FROM ZPERSON ORDER BY 1"
        #expect(try StoreRows.of(new, names) == StoreRows.of(old, names))
        try StoreRows.expectSound(new, Samples.models("Company") + "/Company 2.xcdatamodel")
    }

    @Test(.long, arguments: [1, 2])
    func aProgramMaySayAsMuchAsItLikesOnStandardError(version: Int) throws {
        let directory = try TemporaryDirectory()
        let loud = try directory.write(
            """
            head -c 3000000 /dev/zero | tr '\\0' 'x' >&2
            exec sed -u -e '1s/.*/{"protocol":\(version)}/' \\
              -e 's/^\\({"source":"[^"]*"\\).*/\\1,"attributes":{"vacationDays":7}}/'
            """, to: "loud.sh")
        let (result, _, new) = try migrate(
            Self.mapping, ["Company.LevelPolicy=sh \(loud)"], in: directory, ["--batch-rows", "3"])
        #expect(result.status == 0 && result.errors.utf8.count >= 3_000_000)
        #expect(try StoreRows.of(new, "SELECT DISTINCT ZVACATIONDAYS FROM ZPERSON") == [["7"]])
    }

    private static let two = "read -r hello; echo '{\"protocol\":2}'; "
    private static let answer =
        #"case $line in '{"end'*) echo '{"end":"batch"}' ;; *) s=${line#*:\"}; s=${s%%\"*}; "#
        + #"echo "{\"source\":\"$s\",\"attributes\":{\"vacationDays\":7}}" ;; esac"#

    /// Batches of three records, several of which are on their way.
    @Test(
        .long,
        arguments: [
            Failure(program: two + "read -r line; read -r line; exit 3", message: "ended with status 3"),
            Failure(
                program: two + "n=0; while read -r line; do \(answer); n=$((n + 1)); [ $n = 9 ] && kill -9 $$; done",
                message: "was ended by signal 9"),
            Failure(
                program: two + "read -r line; while read -r line; do \(answer); done; exit 0",
                message: "without an answer to x-coredata://"),
            Failure(
                program: two + "while read -r line; do \(answer); done; echo '{\"end\":\"batch\"}'",
                message: "it wrote something after the last batch"),
            Failure(
                program: two + "read -r line; \(answer); echo '{\"end\":\"batch\"}'; exec cat >/dev/null",
                message: "without an answer to x-coredata://"),
            Failure(
                program: two + "n=0; while read -r line; do \(answer); n=$((n + 1)); [ $n = 6 ] && exec sleep 4; done",
                message: "written nothing for 1 seconds"),
            Failure(
                program: "read -r hello; echo '{\"protocol\":3}'; exec cat >/dev/null", message: "there are 1 and 2"),
            Failure(
                program: two + "echo '{\"protocol\":2}'; exec cat >/dev/null", message: "\"protocol\" is unknown"),
        ])
    func aProgramOfVersionTwoThatFailsLeavesNothing(failure: Failure) throws {
        let directory = try TemporaryDirectory()
        let program = try directory.write(failure.program + "\n", to: "program.sh")
        let (result, _, new) = try migrate(
            Self.mapping, ["Company.LevelPolicy=sh \(program)"], in: directory,
            ["--policy-timeout", "1", "--batch-rows", "3"])
        #expect(result.status == 2 && result.errors.contains(failure.message), "\(result.summary)")
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    /// A mapping of employees and managers whose policy is given values of other objects.
    private func mapping(related: String, in directory: TemporaryDirectory) throws -> String {
        let text = try String(contentsOfFile: Self.mapping, encoding: .utf8)
            .replacing(
                "    policy: Company.LevelPolicy\n",
                with: "    policy: Company.LevelPolicy\n    userInfo: {ferry.related: '\(related)'}\n")
        return try directory.write(text, to: "related.yaml")
    }

    /// To-one, to-one of to-one, to-many, to-one of to-many, and to-many of to-many; the store's path.
    @Test func aProgramGetsValuesOfRelatedObjectsAndTheStoresPath() throws {
        let directory = try TemporaryDirectory()
        let noted = directory.file("noted.jsonl")
        let program = try directory.write(
            "tee -a '\(noted)' | sh '\(Self.script)'\n", to: "program.sh")
        let paths = [
            "department.name", "manager.department.code", "projects.title", "projects.lead.lastName",
            "directReports.projects.title",
        ]
        let mapping = try mapping(related: paths.joined(separator: ", "), in: directory)
        let (result, old, new) = try migrate(
            mapping, ["Company.LevelPolicy=sh \(program)"], in: directory, ["--batch-rows", "3"])
        #expect(result.status == 0, "\(result.summary)")
        try expectLevels(old, new)
        let expected = try StoreRows.of(
            old,
            """
            SELECT p.Z_PK, json_array(
              (SELECT d.ZNAME FROM ZDEPARTMENT d WHERE d.Z_PK = p.ZDEPARTMENT),
              (SELECT d.ZCODE FROM ZPERSON m JOIN ZDEPARTMENT d ON d.Z_PK = m.ZDEPARTMENT WHERE m.Z_PK = p.ZMANAGER),
              (SELECT json_group_array(j.ZTITLE) FROM (SELECT * FROM Z_4PROJECTS l JOIN ZPROJECT j
                ON j.Z_PK = l.Z_6PROJECTS WHERE l.Z_4MEMBERS = p.Z_PK ORDER BY j.Z_PK) j),
              (SELECT json_group_array(l.ZLASTNAME) FROM (SELECT e.ZLASTNAME FROM Z_4PROJECTS l JOIN ZPROJECT j
                ON j.Z_PK = l.Z_6PROJECTS JOIN ZPERSON e ON e.Z_PK = j.ZLEAD
                WHERE l.Z_4MEMBERS = p.Z_PK ORDER BY j.Z_PK) l),
              (SELECT json_group_array(r.ZTITLE) FROM (SELECT j.ZTITLE FROM ZPERSON e JOIN Z_4PROJECTS l
                ON l.Z_4MEMBERS = e.Z_PK JOIN ZPROJECT j ON j.Z_PK = l.Z_6PROJECTS WHERE e.ZMANAGER = p.Z_PK
                ORDER BY e.Z_PK, j.Z_PK) r))
            FROM ZPERSON p ORDER BY 1
            """)
        var found: [Int: NSArray] = [:]
        for line in try String(contentsOfFile: noted, encoding: .utf8).split(separator: "\n") {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            if object["ferry"] != nil { #expect(object["store"] as? String == old) }
            guard let source = object["source"] as? String,
                let key = source.split(separator: "/p").last.flatMap({ Int($0) })
            else { continue }
            let related = try #require(object["related"] as? [String: Any])
            #expect(related.keys.sorted() == paths.sorted())
            found[key] = paths.map { related[$0] ?? "missing" } as NSArray
        }
        #expect(found.count == expected.count && found.count > 20)
        for row in expected {
            let values = try JSONSerialization.jsonObject(with: Data(row[1].utf8)) as? NSArray
            #expect(found[Int(row[0]) ?? 0] == values, "\(row)")
        }
        #expect(expected.contains { !$0[1].contains("[]") })
    }

    @Test(arguments: [
        ("department", "not a path over a relationship"), ("department.size", "no stored attribute \"size\""),
        ("office.name", "Employee has no stored relationship \"office\""), ("name", "not a path"),
    ])
    func aPathThatLeadsNowhereIsRefused(path: String, message: String) throws {
        let directory = try TemporaryDirectory()
        let mapping = try mapping(related: path, in: directory)
        let (result, _, new) = try migrate(mapping, ["Company.LevelPolicy=sh '\(Self.script)'"], in: directory)
        #expect(result.status == 2 && (result.output + result.errors).contains(message), "\(result.summary)")
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
