import Foundation
import TestSupport
import Testing

/// `ferry fetch` as a user runs it.
@Suite struct FetchCommandTests {
    /// The URI of an object of the sample.
    private static func uri(_ entity: String, _ key: Int) -> String {
        "x-coredata://8C7E2B54-3F0A-4B8E-9D57-2A6F1C0B9E31/\(entity)/p\(key)"
    }

    private static func company(_ words: [String], format: String = "csv") throws -> ToolProcess.Result {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let before = try FolderState(of: directory.path)
        let run = try ToolProcess.ferry(
            ["fetch", store, "--models", Samples.models("Company"), "--format", format] + words)
        // Whatever is asked, nothing is written.
        #expect(try FolderState(of: directory.path) == before)
        return run
    }

    @Test(arguments: [
        (
            ["--entity", "Department", "--columns", "code,name", "--sort=-code", "--limit", "1"],
            "code,name\n999,Nobody\n"
        ),
        (["--entity", "Employee", "--where", "department.code = 10", "--count"], "count\n9\n"),
        (
            [
                "--entity", "Department", "--where", "ANY employees.manager.lastName = $NAME", "--columns", "code",
                "--set", "NAME=Lovelace",
            ], "code\n10\n"
        ),
        (
            ["--entity", "Employee", "--group", "isActive", "--count", "--sort", "isActive"],
            "isActive,count\n0,6\n1,24\n"
        ),
        (
            [
                "--entity", "Employee", "--where", "employeeID = 'E-0008'", "--columns", "hired,notes", "--dates",
                "seconds2001",
            ],
            "hired,notes\n601000000.5,before\0after\n"
        ),
    ])
    func resultsAreExact(words: [String], output: String) throws {
        let run = try Self.company(words)
        #expect(run.status == 0 && run.output == output, "\(run.summary)")
    }

    @Test(arguments: [
        (["--entity", "Employee", "--where", "firstName = "], Int32(64), "\n  firstName = \n              ^\n"),
        (["--entity", "Employee", "--where", "nick = 1"], 2, "keypath nick not found in entity Employee"),
        (["--entity", "Employee", "--sort", "firstName:weigh:"], 2, "unsupported NSSortDescriptor selector"),
        (["--entity", "Employee", "--where", "1 + \"a\" = 2"], 2, "CAST one of them"),
        (["--entity", "Nobody"], 2, "the model has no entity Nobody"),
        (["--template", "nobody"], 2, "the model has no fetch request nobody"),
        (["--limit", "3"], 64, "--entity ENTITY or --template NAME"),
        (["--entity", "Employee", "--having", "count > 1"], 64, "--having"),
    ])
    func whatCannotBeFetchedIsExplained(words: [String], status: Int32, message: String) throws {
        let run = try Self.company(words)
        #expect(run.status == status && run.output.isEmpty, "\(run.summary)")
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    /// What `--id` cannot find.
    private static let wrongIDs: [(ids: [String], words: [String], message: String)] = [
        (["hello"], [], "hello is not the ID of a saved object"),
        (["x-coredata://OTHER/Department/p1"], [], "is an object of another store; this one is"),
        ([uri("Nobody", 1)], [], "the model has no such entity"),
        ([uri("Department", 999)], [], "the store has no object x-coredata://"),
        ([uri("Department", 1), uri("Project", 1)], [], "the objects are of Department, Project"),
        ([uri("Department", 1)], ["--entity", "Project"], "Department is neither Project nor inherits from it"),
    ]

    @Test(arguments: wrongIDs.indices)
    func anObjectThatIsNotThereIsAnError(index: Int) throws {
        let (ids, words, message) = Self.wrongIDs[index]
        let run = try Self.company(ids.flatMap { ["--id", $0] } + words)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(message), "\(run.summary)")
    }

    @Test func anObjectIsFoundByItsURI() throws {
        let two = ["--id", Self.uri("Department", 2), "--id", Self.uri("Department", 1)]
        #expect(try Self.company(two + ["--columns", "code", "--sort", "code"]).output == "code\n10\n20\n")
        let manager = try Self.company(
            ["--id", Self.uri("Manager", 1), "--entity", "Person", "--columns", "firstName"])
        #expect(manager.output == "firstName\nAda\n")
        let conflict = try Self.company(["--id", Self.uri("Department", 1), "--template", "x"])
        #expect(conflict.status == 64)
    }

    /// Plain SQL counts 9 employees of department 1, 18 of others, and 3 of none.
    @Test func objectsAreComparedWithURIs() throws {
        let uri = Self.uri("Department", 1)
        for (predicate, count) in [
            ("department = '\(uri)'", 9), ("department != '\(uri)'", 18), ("department IN {'\(uri)'}", 9),
        ] {
            let run = try Self.company(["--entity", "Employee", "--where", predicate, "--count"])
            #expect(run.output == "count\n\(count)\n", "\(predicate): \(run.summary)")
        }
        let run = try Self.company(["--entity", "Employee", "--where", "department = 'hello'"])
        #expect(run.status == 2 && run.errors.contains("an object is compared with a string"), "\(run.summary)")
    }

    @Test func theSQLIsShownWithItsValuesAndWhatSwiftDoes() throws {
        let run = try Self.company(
            [
                "--entity", "Employee", "--where", "lastName = 'Abel' AND salary * 2 > 1", "--columns",
                "lastName,projects.title", "--sql",
            ])
        #expect(run.status == 0, "\(run.summary)")
        for part in [
            "t.\"ZLASTNAME\" = 'Abel'", "Query plan", "SQL of projects.title",
            "decimals are computed exactly, in Swift",
        ] {
            #expect(run.output.contains(part), "\(part) is not in \(run.output)")
        }
    }

    @Test func aReaderThatHasSeenEnoughIsNoFailure() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        let words = "fetch '\(store)' -m '\(Samples.models("Company"))' -e Employee"
        let run = try ToolProcess.run(
            "/bin/bash",
            ["-c", "set -o pipefail; for i in 1 2 3; do '\(ToolProcess.ferry)' \(words); done | head -n 1"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.summary)")
    }

    /// A view under a table's name would run what it likes for whoever reads it.
    @Test func aViewIsNoTableOfTheModel() throws {
        let directory = try TemporaryDirectory()
        let store = try Samples.buildStore("Company", in: directory)
        try SQLiteSession(on: store).run(
            "ALTER TABLE ZDEPARTMENT RENAME TO hidden; CREATE VIEW ZDEPARTMENT AS SELECT *, load_extension('x') FROM hidden;"
        )
        let run = try ToolProcess.ferry([
            "fetch", store, "--models", Samples.models("Company"), "--entity", "Department",
        ])
        #expect(run.status == 2 && run.errors.contains("the store has no table for Department"), "\(run.summary)")
    }
}
