import Foundation
import GeneratedStores
import TestSupport
import Testing

/// `ferry edit` as a user runs it.
final class EditCommandTests: CompanyStoreSuite {
    private func edit(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(["edit", store] + models + words)
    }

    private func sql(_ text: String) throws -> String {
        try ToolProcess.run("/usr/bin/env", ["sqlite3", store, text]).output
    }

    @Test func theReportIsJSON() throws {
        let before = try StoreDump(of: store)
        let run = try edit("--delete", "Department", "--where", "code == 10", "--dry-run", "--json", "--limit", "2")
        #expect(run.status == 0, "\(run.summary)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let updated = try #require(report["updated"] as? [String: [String: Any]])
        #expect(updated["Employee"]?["count"] as? Int == 6)
        #expect((updated["Employee"]?["objects"] as? [String])?.count == 2)
        #expect((report["deleted"] as? [String: Any])?.keys.sorted() == ["Department"])
        #expect(
            (report["faults"] as? [Any])?.isEmpty == true && (report["inserted"] as? [String: Any])?.isEmpty == true)
        #expect(try StoreDump(of: store) == before)
    }

    @Test func whatIsEditedIsSound() throws {
        let run = try edit(
            "--update", "Employee", "--where", "level < 5", "--set", "level=level * 2", "--set", "notes=\"x\"")
        #expect(run.status == 0, "\(run.summary)")
        #expect(try sql("SELECT max(ZLEVEL), min(ZNOTES) FROM ZPERSON WHERE ZNOTES = 'x'") == "8|x\n")
        let deleted = try edit("--delete", "Project", "--where", "TRUEPREDICATE")
        #expect(deleted.status == 0, "\(deleted.summary)")
        let verified = try ToolProcess.ferry(["verify", store, "--rule", "dangling-join-row"] + models)
        #expect(verified.status == 0, "\(verified.summary)")
        if StoreChecker.isPresent {
            let verdict = try StoreChecker.check("integrity", store, Samples.models("Company"), "--version", "Company")
            #expect(verdict.text.contains("0 errors"), "\(verdict.text)")
        }
    }

    @Test func faultsAreAnError() throws {
        let before = try StoreDump(of: store)
        let run = try edit(
            "--update", "Employee", "--where", "TRUEPREDICATE", "--set", "level=11", "--set", "rating=6.0")
        #expect(run.status == 2 && run.output.contains("Employee.level") && run.output.contains("Employee.rating"))
        #expect(try StoreDump(of: store) == before)
    }

    @Test(arguments: [
        (["--delete", "Department"], Int32(64), "--where"),
        (["--delete", "Department", "--where", "code ="], 64, "--where: column"),
        (["--update", "Department", "--where", "code = 1"], 64, "--set"),
        (["--update", "Department", "--where", "code = 1", "--set", "code=1 +"], 64, "--set: column"),
        (["--delete", "Department", "--where", "code = 1", "--set", "code=1"], 64, "--set"),
        (["--relate", "Department", "--where", "code = 1", "--to", "code = 1"], 64, "ENTITY.RELATIONSHIP"),
        (["--delete", "A", "--insert", "B", "--where", "x = 1"], 64, "--script"),
        (
            ["--update", "Department", "--where", "TRUEPREDICATE", "--set", "code=1.00000000000000000001"], 2,
            "more digits"
        ),
        (
            ["--delete", "Department", "--where", "SELF = 'x-coredata://A/Department/1'"], 2,
            "not the ID of a saved object"
        ),
        (
            ["--update", "Department", "--where", "code = 1", "--set", "code=1", "--transformer", "A=cat"], 64,
            "--set-json"
        ),
        (["--delete", "Department", "--where", "code = 1", "--transformer", "A=cat"], 64, "--transformer"),
        (
            ["--update", "Department", "--where", "code = 1", "--set-json", "code=1", "--transformer", "cat"], 64,
            "NAME="
        ),
        (["--update", "Department", "--where", "code = 1", "--set-json", "code=1"], 2, "not transformable"),
        (["--update", "Employee", "--where", "level = 1", "--set-json", "preferences={"], 2, "is not JSON"),
        ([], 64, "--update"), (["--delete", "Nobody", "--where", "code = 1"], 2, "no entity Nobody"),
    ])
    func whatCannotBeEditedIsExplained(words: [String], status: Int32, message: String) throws {
        let run = try ToolProcess.ferry(["edit", store] + models + words)
        #expect(run.status == status && run.errors.contains(message), "\(run.summary)")
    }

    /// The archive is read by Python, if it is there.
    @Test(arguments: ["sqlite", "xml", "binary"])
    func valuesOfTransformableAttributesAreJSON(type: String) throws {
        var path = store
        if type != "sqlite" {
            path = directory.file("Company.\(type)")
            let converted = try ToolProcess.ferry(["convert", store, "--output", path, "--to", type] + models)
            try #require(converted.status < 2, "\(converted.summary)")
        }
        let script = try directory.write(
            """
            edits: 1
            steps:
            - update: Employee
              where: TRUEPREDICATE
              setJSON: {preferences: '{"theme": "dark", "sizes": [1, 2.5]}'}
            - update: Employee
              where: level < 3
              setJSON: {preferences: 'null'}

            """, to: "edit.yaml")
        let run = try ToolProcess.ferry(["edit", path, "--script", script] + models)
        #expect(run.status == 0, "\(run.summary)")
        if type != "sqlite" {
            let back = directory.file("Back.sqlite")
            let converted = try ToolProcess.ferry(["convert", path, "--output", back, "--to", "sqlite"] + models)
            try #require(converted.status < 2, "\(converted.summary)")
            path = back
        }
        let program = """
            import plistlib, sqlite3, sys
            for level, data in sqlite3.connect(sys.argv[1]).execute(
                    "SELECT DISTINCT ZLEVEL < 3, ZPREFERENCES FROM ZPERSON WHERE ZLEVEL NOTNULL ORDER BY 1"):
                objects = plistlib.loads(data)["$objects"] if data else []
                print(level, [x for x in objects if isinstance(x, (str, int, float)) and x != "$null"])
            """
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
        let read = try ToolProcess.run("/usr/bin/python3", ["-c", program, path])
        #expect(read.output == "0 ['theme', 'sizes', 'dark', 1, 2.5]\n1 []\n", "\(read.summary)")
    }

    @Test func aTransformerIsAProgram() throws {
        let program = try directory.write(
            "read -r greeting\nwhile read -r line; do echo '{\"data\":\"AQID\"}'; done\n", to: "label.sh")
        let words = ["--update", "Employee", "--where", "level < 3", "--set-json", "preferences=\"x\""]
        let name = "NSSecureUnarchiveFromData"
        let run = try ToolProcess.ferry(
            ["edit", store] + models + words + ["--transformer", "\(name)=sh '\(program)'"])
        #expect(run.status == 0, "\(run.summary)")
        #expect(try sql("SELECT DISTINCT hex(ZPREFERENCES) FROM ZPERSON WHERE ZLEVEL < 3") == "010203\n")
        let script = try directory.write(
            "edits: 1\nsteps:\n- update: Employee\n  where: level > 8\n  setJSON: {preferences: '7'}\n",
            to: "edit.yaml")
        let scripted = try ToolProcess.ferry(
            ["edit", store, "--script", script] + models + ["--transformer", "\(name)=sh '\(program)'"])
        #expect(scripted.status == 0, "\(scripted.summary)")
        #expect(try sql("SELECT DISTINCT hex(ZPREFERENCES) FROM ZPERSON WHERE ZLEVEL > 8") == "010203\n")
        let broken = try ToolProcess.ferry(
            ["edit", store] + models + words + ["--transformer", "\(name)=/nowhere/label"])
        #expect(broken.status == 2 && broken.errors.contains("/nowhere/label"), "\(broken.summary)")
    }

    @Test(arguments: ["xml", "binary"])
    func otherTypesOfStoresAreWrittenBack(type: String) throws {
        let path = directory.file("Company.\(type)")
        let converted = try ToolProcess.ferry(["convert", store, "--output", path, "--to", type] + models)
        try #require(converted.status < 2, "\(converted.summary)")
        let run = try ToolProcess.ferry(
            ["edit", path, "--backup", directory.file("old")] + models
                + ["--update", "Department", "--where", "code = 10", "--set", "name=\"Renamed\""])
        #expect(run.status == 0, "\(run.summary)")
        let fetched = try ToolProcess.ferry(
            ["fetch", path, "--entity", "Department", "--where", "code = 10", "--columns", "name", "--format", "csv"]
                + models)
        #expect(fetched.output == "name\nRenamed\n", "\(fetched.summary)")
        #expect(FileManager.default.fileExists(atPath: directory.file("old/Company.\(type)")))
    }

    private func ids(_ uris: [String]?) -> [String] {
        var words: [String] = []
        for uri in uris ?? [] { words += ["--id", uri] }
        return words
    }

    /// Objects of all entities have one numbering in these types, and the report names those that are new by it.
    @Test(arguments: ["xml", "binary"])
    func newObjectsHaveTheIDsOfTheReport(type: String) throws {
        let path = directory.file("Company.\(type)")
        let converted = try ToolProcess.ferry(["convert", store, "--output", path, "--to", type] + models)
        try #require(converted.status < 2, "\(converted.summary)")
        let script = directory.file("edit.yaml")
        try Data(
            """
            edits: 1
            steps:
            - insert: Department
              set: {name: "'First'", code: 901}
            - insert: ParkingPlace
              set: {number: 1001}
            - delete: ParkingPlace
              where: number != 1001
            - insert: Department
              set: {name: "'Second'", code: 902}

            """.utf8
        ).write(to: URL(fileURLWithPath: script))
        for words in [["--dry-run"], []] {
            let run = try ToolProcess.ferry(["edit", path, "--script", script, "--json"] + words + models)
            #expect(run.status == 0, "\(run.summary)")
            let report = try #require(
                JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            let inserted = try #require(report["inserted"] as? [String: [String: Any]])
            let uris = inserted.mapValues { $0["objects"] as? [String] ?? [] }
            #expect(uris["Department"]?.count == 2 && uris["ParkingPlace"]?.count == 1)
            #expect(Set(uris.values.joined().map { $0.split(separator: "/").last }).count == 3)
            guard words.isEmpty else { continue }
            let fetched = try ToolProcess.ferry(
                ["fetch", path] + ids(uris["Department"]) + ["--columns", "name", "--format", "csv"] + models)
            #expect(fetched.output == "name\nFirst\nSecond\n", "\(fetched.summary)")
            let place = try ToolProcess.ferry(
                ["fetch", path] + ids(uris["ParkingPlace"]) + ["--count", "--format", "csv"] + models)
            #expect(place.output == "count\n1\n", "\(place.summary)")
        }
    }

    @Test func aLockedStoreIsTemporary() throws {
        let session = try SQLiteSession(on: store, running: "BEGIN IMMEDIATE")
        defer { session.close() }
        let run = try edit("--delete", "Project", "--where", "TRUEPREDICATE", "--timeout", "0")
        #expect(run.status == 3, "\(run.summary)")
    }
}
