import Foundation
import TestSupport
import Testing

/// Values of transformable attributes: out of a store as JSON, into another one, and what `verify` says of them.
///
/// The archives are read and made by Python.
final class ArchivedValueTests: CompanyStoreSuite {
    private static let python = "/usr/bin/python3"
    private static var hasPython: Bool { FileManager.default.isExecutableFile(atPath: python) }

    /// Prints each employee's ID and value.
    private static let reading = """
        import plistlib, sqlite3, sys
        def decode(objects, value):
            if isinstance(value, plistlib.UID): value = objects[value.data]
            if value == "$null": return None
            if not isinstance(value, dict): return value
            name = objects[value["$class"].data]["$classname"]
            items = [decode(objects, x) for x in value.get("NS.objects", [])]
            if "Dictionary" in name: return dict(zip([decode(objects, k) for k in value["NS.keys"]], items))
            if "Array" in name: return items
            if "Set" in name: return ("set", sorted(items))
            if "Date" in name: return ("date", value["NS.time"])
            return (name, value.get("NS.string"))
        for number, data in sqlite3.connect(sys.argv[1]).execute(
                "SELECT ZEMPLOYEEID, ZPREFERENCES FROM ZPERSON WHERE ZEMPLOYEEID NOTNULL ORDER BY 1"):
            plist = plistlib.loads(data) if data else None
            print(number, decode(plist["$objects"], plist["$top"]["root"]) if plist else None)
        """

    private func values(of path: String) throws -> [String] {
        let run = try ToolProcess.run(Self.python, ["-c", Self.reading, path])
        try #require(run.status == 0, "\(run.summary)")
        return run.output.split(separator: "\n").map(String.init)
    }

    /// Gives employees values of each kind, by their levels.
    private func edit() throws {
        let values = [
            (3, "\"a \\\\N text\""), (4, "7"), (5, "[]"), (6, "\"\""), (7, "false"),
            (8, "[[null], 2.5, {\"a\": \"ä\"}]"),
        ]
        var script = "edits: 1\nsteps:\n- update: Employee\n  where: TRUEPREDICATE\n  setJSON: {preferences: '"
        script += """
            {"theme": "dark", "d": {"$date": 5.5}, "b": {"$data": "AQI="}, "s": {"$set": ["x"]}, \
            "q": {"$dictionary": {"$date": 3}}}'}\n- update: Employee\n  where: level < 3\n  setJSON: {preferences: 'null'}\n
            """
        for (level, json) in values {
            script += "- update: Employee\n  where: level = \(level)\n  setJSON: {preferences: '\(json)'}\n"
        }
        let run = try ToolProcess.ferry(
            ["edit", store, "--script", try directory.write(script, to: "edit.yaml")] + models)
        try #require(run.status == 0, "\(run.summary)")
    }

    @Test(.enabled(if: hasPython), arguments: ["csv", "json", "ndjson", "xml"])
    func whatIsExportedComesBack(format: String) throws {
        try edit()
        let (folder, mapping) = (directory.file("out"), directory.file("mapping.yaml"))
        let export = try ToolProcess.ferry(
            [
                "export", store, "--all", "--archives", "json", "--format", format, "--write-mapping", mapping,
                "--rejects", directory.file("left.json"), "--output", folder,
            ] + models)
        try #require(export.status < 2, "\(export.summary)")
        // Nothing is left out because of its archive.
        let left = try String(contentsOfFile: directory.file("left.json"), encoding: .utf8)
        #expect(!left.contains("preferences"), "\(left)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { folder + "/" + $0 }
        let copy = directory.file("Copy.sqlite")
        let imported = try ToolProcess.ferry(
            ["import", "--store", copy, "--mapping", mapping, "--version", "Company"] + files + models)
        try #require(imported.status < 2, "\(imported.summary)")
        let (old, new) = (try values(of: store), try values(of: copy))
        #expect(new.count > 20 && Set(new.map { $0.drop { $0 != " " } }).count > 6)
        #expect(Set(new).isSubset(of: old), "\(Set(new).subtracting(old))")
    }

    /// Of a value in JSON, JSON itself; of others the text.
    @Test func fetchedValuesAreJSON() throws {
        try edit()
        func fetch(_ words: String...) throws -> ToolProcess.Result {
            try ToolProcess.ferry(["fetch", store, "--entity", "Employee", "--archives", "json"] + words + models)
        }
        let columns = ["--columns", "preferences", "--where", "level = 8", "--limit", "1"]
        let value = "[[null],2.5,{\"a\":\"ä\"}]"
        #expect(
            try ToolProcess.ferry(
                ["fetch", store, "--entity", "Employee", "--archives", "json", "--format", "ndjson"] + columns + models
            ).output == "{\"preferences\":\(value)}\n")
        let text = try ToolProcess.ferry(
            ["fetch", store, "--entity", "Employee", "--archives", "json"] + columns + models)
        #expect(text.output.contains(value), "\(text.summary)")
        // Also those of other objects; whole objects have them, too.
        let manager = try fetch(
            "--columns", "manager.preferences", "--where", "manager.preferences != nil", "--limit", "1",
            "--format", "json")
        #expect(manager.status == 0 && manager.output.contains("\"manager.preferences\":{"), "\(manager.summary)")
        let lists = try ToolProcess.ferry(
            [
                "fetch", store, "--entity", "Department", "--archives", "json", "--format", "ndjson", "--columns",
                "employees.preferences", "--where", "ANY employees.level = 4", "--limit", "1",
            ] + models)
        #expect(lists.output.contains(",7") || lists.output.contains("[7"), "\(lists.summary)")
        let objects = try fetch("--where", "level = 4", "--limit", "1", "--format", "json")
        #expect(objects.output.contains("\"preferences\":7,"), "\(objects.summary)")
    }

    /// A value that JSON has no form for is an error in a fetch, and left out of an export.
    @Test(.enabled(if: hasPython)) func whatJSONHasNoFormForIsNamed() throws {
        try plant("level = 4")
        let fetch = try ToolProcess.ferry(
            ["fetch", store, "--entity", "Employee", "--archives", "json", "--format", "json"] + models)
        #expect(fetch.status == 2 && fetch.errors.contains("AppColor"), "\(fetch.summary)")
        let text = try ToolProcess.ferry(
            ["fetch", store, "--entity", "Employee", "--archives", "json", "--where", "level = 4"] + models)
        #expect(text.status == 0 && text.output.contains("not JSON"), "\(text.summary)")
        let rejects = directory.file("left.json")
        let export = try ToolProcess.ferry(
            [
                "export", store, "--entity", "Employee", "--archives", "json", "--format", "json", "--write-mapping",
                directory.file("m.yaml"), "--rejects", rejects, "--output", directory.file("employees.json"),
            ] + models)
        #expect(export.status == 1, "\(export.summary)")
        #expect(try String(contentsOfFile: rejects, encoding: .utf8).contains("AppColor"))
        #expect(try !String(contentsOfFile: directory.file("employees.json"), encoding: .utf8).contains("AppColor"))
    }

    /// Gives employees an archive of a class of the app, which a secure transformer does not allow.
    private func plant(_ filter: String) throws {
        let program = """
            import plistlib, sqlite3, sys
            from plistlib import UID
            data = plistlib.dumps({"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": UID(1)},
                "$objects": ["$null", {"$class": UID(2), "red": 1},
                    {"$classname": "AppColor", "$classes": ["AppColor", "NSObject"]}]}, fmt=plistlib.FMT_BINARY)
            store = sqlite3.connect(sys.argv[1])
            store.execute("UPDATE ZPERSON SET ZPREFERENCES = ? WHERE " + sys.argv[2], (data,))
            store.commit()
            """
        let run = try ToolProcess.run(
            Self.python, ["-c", program, store, filter.replacing("level", with: "ZLEVEL")])
        try #require(run.status == 0, "\(run.summary)")
    }

    @Test(.enabled(if: hasPython), arguments: ["sqlite", "xml"]) func wrongClassesAreFindings(type: String) throws {
        try plant("level = 4")
        var path = store
        if type != "sqlite" {
            path = directory.file("Company.\(type)")
            let converted = try ToolProcess.ferry(["convert", store, "--output", path, "--to", type] + models)
            try #require(converted.status < 2, "\(converted.summary)")
        }
        let run = try ToolProcess.ferry(["verify", path, "--rule", "archived-class-wrong", "--json"] + models)
        #expect(run.status == 1, "\(run.summary)")
        #expect(run.output.contains("Employee.preferences") && run.output.contains("found AppColor"))
        #expect(run.output.contains("x-coredata://") && run.output.contains("NSUUID"), "\(run.summary)")
        let other = try ToolProcess.ferry(["verify", path, "--rule", "undecodable-value"] + models)
        #expect(other.status == 0, "\(other.summary)")
    }

    @Test func anXMLStoreIsHeldAgainstItsDocumentType() throws {
        let path = directory.file("Company.xml")
        let converted = try ToolProcess.ferry(["convert", store, "--output", path, "--to", "xml"] + models)
        try #require(converted.status < 2, "\(converted.summary)")
        let sound = try ToolProcess.ferry(["verify", path, "--rule", "document-invalid"] + models)
        #expect(sound.status == 0, "\(sound.summary)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("<databaseInfo>", with: "<databaseInfo kind=\"a\">").write(
            toFile: path, atomically: true, encoding: .utf8)
        let run = try ToolProcess.ferry(["verify", path] + models)
        #expect(run.status == 1 && run.output.contains("document-invalid"), "\(run.summary)")
        #expect(run.output.contains("\"databaseInfo\" has no attribute \"kind\""), "\(run.summary)")
    }

    // MARK: Import

    private func load(_ archive: String, _ file: String, _ content: String, _ more: [String] = []) throws
        -> ToolProcess.Result
    {
        let mapping = """
            import: 1
            files: [\(file)]
            entity: Employee
            key: [employeeID]
            attributes:
              employeeID: id
              firstName: id
              lastName: id
              preferences: {from: value, archive: \(archive)}

            """
        let source = try directory.write(content, to: file)
        let copy = directory.file("Copy.sqlite")
        try? FileManager.default.removeItem(atPath: copy)
        let map = try directory.write(mapping, to: "mapping.yaml")
        return try ToolProcess.ferry(
            ["import", "--store", copy, "--mapping", map, "--version", "Company", source] + more + models)
    }

    private static let table = "id,value\n1,\"[1,2]\"\n2,\"{\"\"a\"\":1}\"\n3,2020-01-01\n4,7.5\n5,\n6,[1\n"

    @Test(
        .enabled(if: hasPython),
        arguments: [
            (
                "json", ["1 [1, 2]", "2 {'a': 1}", "4 7.5", "5 None"],
                ["column 11 is not JSON", "column 3 is not JSON"]
            ),
            (
                "array", ["1 [1, 2]", "5 None"],
                ["expected a list as JSON (value is \"{\\\"a\\\":1}\")", "expected a list"]
            ),
            ("dictionary", ["2 {'a': 1}", "5 None"], ["expected an object as JSON"]),
            ("string", ["1 [1,2]", "2 {\"a\":1}", "3 2020-01-01", "4 7.5", "5 None", "6 [1"], []),
            ("number", ["4 7.5", "5 None"], ["expected a number"]),
            ("date", ["3 ('date', 599529600.0)", "5 None"], ["not a date in the expected format"]),
        ])
    func textsAreRead(archive: String, values: [String], messages: [String]) throws {
        let run = try load(archive, "a.csv", Self.table)
        #expect(run.status == (messages.isEmpty ? 0 : 1), "\(run.summary)")
        for message in messages { #expect(run.output.contains(message), "\(run.summary)") }
        #expect(try self.values(of: directory.file("Copy.sqlite")) == values, "\(run.summary)")
    }

    /// In JSON and property lists a value is what it is.
    @Test(.enabled(if: hasPython)) func valuesWithTypesAreThemselves() throws {
        let json = """
            [{"id": 1, "value": "a text"}, {"id": 2, "value": ["x", {"y": null}]}, {"id": 3, "value": {}}, \
            {"id": 4, "value": 5}, {"id": 5, "value": null}, {"id": 6}, {"id": 7, "value": {"$date": 1.5}}, \
            {"id": 8, "value": {"$date": "x"}}, {"id": 9, "value": "  "}]
            """
        let run = try load("json", "a.json", json)
        #expect(run.status == 1 && run.output.contains("\"$date\" with the string \"x\""), "\(run.summary)")
        #expect(
            try values(of: directory.file("Copy.sqlite")) == [
                "1 a text", "2 ['x', {'y': None}]", "3 {}", "4 5", "5 None", "6 None", "7 ('date', 1.5)", "9   ",
            ])
        let plist = """
            <?xml version="1.0"?><plist version="1.0"><array><dict><key>id</key><integer>1</integer><key>value</key>
            <dict><key>when</key><date>2001-01-01T00:00:07Z</date><key>of</key><data>AQ==</data></dict></dict></array>
            </plist>
            """
        let list = try load("json", "a.plist", plist)
        #expect(list.status == 0, "\(list.summary)")
        #expect(
            try values(of: directory.file("Copy.sqlite")) == ["1 {'when': ('date', 7.0), 'of': b'\\x01'}"])
    }

    /// A list on the way has several values, and none is taken for the other.
    @Test func severalValuesAreNotOne() throws {
        let mapping = """
            import: 1
            files: [a.json]
            entity: Employee
            attributes: {employeeID: id, firstName: id, lastName: id, preferences: {from: list.value, archive: json}}

            """
        let source = try directory.write(
            "[{\"id\": 1, \"list\": [{\"value\": [1]}, {\"value\": [2]}]}]", to: "a.json")
        let run = try ToolProcess.ferry(
            [
                "import", "--store", directory.file("Copy.sqlite"), "--mapping",
                try directory.write(mapping, to: "m.yaml"), "--version", "Company", source,
            ] + models)
        #expect(run.status == 1 && run.output.contains("an object or list where a single value"), "\(run.summary)")
    }

    @Test func aProgramMakesTheData() throws {
        let program = try directory.write(
            """
            read -r greeting
            while read -r line; do
                case "$line" in
                *'"a"'*) echo '{"error": "no a here"}' ;;
                *) echo '{"data":"AQID"}' ;;
                esac
            done

            """, to: "label.sh")
        let run = try load(
            "json", "a.csv", "id,value\n1,[1]\n2,\"\"\"a\"\"\"\n",
            ["--transformer", "NSSecureUnarchiveFromData=sh '\(program)'"])
        #expect(run.status == 1 && run.output.contains("it says: no a here"), "\(run.summary)")
        let stored = try ToolProcess.run(
            "/usr/bin/env", ["sqlite3", directory.file("Copy.sqlite"), "SELECT hex(ZPREFERENCES) FROM ZPERSON"])
        #expect(stored.output == "010203\n")
    }

    @Test(arguments: [
        ("preferences: {from: v, archive: jsn}", "did you mean \"json\"?"),
        ("notes: {from: v, archive: json}", "\"archive\" is for transformable attributes"),
        ("preferences: {from: v, archive: json, binary: hex}", "\"binary\" and \"folder\" are for bytes"),
        ("preferences: {from: v, archive: json, date: iso8601}", "\"date\" is for dates"),
    ])
    func mistakesInMappingsAreNamed(attribute: String, message: String) throws {
        let mapping = try directory.write(
            "import: 1\nfiles: [a.csv]\nentity: Employee\nattributes:\n  employeeID: id\n  \(attribute)\n",
            to: "m.yaml")
        let source = try directory.write("id,v\n1,2\n", to: "a.csv")
        let run = try ToolProcess.ferry(
            [
                "import", "--store", directory.file("Copy.sqlite"), "--mapping", mapping, "--version", "Company",
                source,
            ] + models)
        #expect(run.status == 2 && run.errors.contains(message), "\(run.summary)")
    }

    @Test(arguments: [
        (["fetch", "--entity", "Employee", "--transformer", "A=cat"], "--archives json"),
        (["export", "--entity", "Employee", "--transformer", "A=cat"], "--archives json"),
        (["export", "--mapping", "m.yaml", "--archives", "json"], "--archives json"),
        (["fetch", "--entity", "Employee", "--columns", "level", "--result-type", "x=Double"], "--result-type"),
        (["fetch", "--entity", "Employee", "--columns", "level", "--result-type", "level=Number"], "Integer64"),
    ])
    func optionsThatDoNotFitAreRefused(words: [String], message: String) throws {
        let run = try ToolProcess.ferry([words[0], store] + words.dropFirst() + models)
        #expect(run.status == 64 && run.errors.contains(message), "\(run.summary)")
    }
}
