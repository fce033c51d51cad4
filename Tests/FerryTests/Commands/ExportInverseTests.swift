import Foundation
import TestSupport
import Testing

/// What an export with a mapping writes, the import with that mapping makes into the same objects.
@Suite struct ExportInverseTests {
    private let directory: TemporaryDirectory
    private static let mappings = Samples.path + "/../Mappings"

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var trip: ExportRoundTrip { ExportRoundTrip(directory: directory) }

    private func ferry(_ words: [String]) throws -> ToolProcess.Result { try trip.ferry(words) }

    // MARK: The examples

    struct Example: Sendable, CustomTestStringConvertible {
        let model: String
        let mapping: String
        let sources: [String]
        let formats: [String?]
        var testDescription: String { mapping }
    }

    @Test(
        .long,
        arguments: [
            Example(
                model: "Company", mapping: "directory",
                sources: ["divisions.csv", "employees.csv", "projects.csv", "team.csv"],
                formats: [nil, "csv", "ndjson", "json", "xml"]),
            Example(
                model: "Company", mapping: "legacy", sources: ["legacy.sql"], formats: ["csv", "ndjson", "json", "xml"]),
            Example(
                model: "Recipes", mapping: "recipes-json", sources: ["recipes.json"],
                formats: [nil, "ndjson", "json", "xml"]),
            Example(
                model: "Recipes", mapping: "recipes-xml", sources: ["recipes.xml"],
                formats: [nil, "ndjson", "json", "xml"]),
        ])
    func everyExampleComesBackInAllFormatsThatCanHoldIt(example: Example) throws {
        let models = Samples.models(example.model)
        let mapping = "\(Self.mappings)/\(example.model)/\(example.mapping).yaml"
        var sources = example.sources.map { "\(Samples.path)/\(example.model)/import/\($0)" }
        if sources[0].hasSuffix(".sql") {
            let made = try ToolProcess.run(
                "/usr/bin/env", ["sqlite3", directory.file("legacy.sqlite"), ".read '\(sources[0])'"])
            #expect(made.status == 0)
            sources = ["legacy.sqlite"]
        }
        let first = try ferry(
            ["import"] + sources
                + ["--mapping", mapping, "--models", models, "--store", "a.sqlite", "--progress", "none"])
        #expect(first.status == 0, "\(first.summary)")
        for format in example.formats {
            try? FileManager.default.removeItem(atPath: directory.file("again.sqlite"))
            try? FileManager.default.removeItem(atPath: directory.file("out"))
            try FileManager.default.createDirectory(atPath: directory.file("out"), withIntermediateDirectories: true)
            // The models have attributes that the mappings do not, and no object has values of them.
            try trip.expectInverse("a.sqlite", models, mapping, format, status: 0)
        }
    }

    /// A mapping that only fills objects needs another one that makes them.
    @Test(.long, arguments: [nil, "ndjson", "json", "xml", "csv"])
    func whatOnlyFillsObjectsFillsThemAgain(format: String?) throws {
        let models = Samples.models("Recipes")
        let (recipes, chefs) = ("\(Self.mappings)/Recipes/recipes-json.yaml", "\(Self.mappings)/Recipes/chefs.yaml")
        func importing(_ file: String, _ mapping: String, _ store: String) throws {
            let run = try ferry(
                ["import", file, "--mapping", mapping, "--models", models, "--store", store, "--progress", "none"])
            #expect(run.status == 0, "\(run.summary)")
        }
        try importing("\(Samples.path)/Recipes/import/recipes.json", recipes, "a.sqlite")
        try importing("\(Samples.path)/Recipes/import/chefs.ndjson", chefs, "a.sqlite")
        let whole = try ferry([
            "export", "a.sqlite", "--models", models, "--mapping", recipes, "--output", "recipes.json",
        ])
        let options = format.map { ["--format", $0, "--write-mapping", "written.yaml"] } ?? []
        let name = "chefs." + (format ?? "ndjson")
        let more = try ferry(
            ["export", "a.sqlite", "--models", models, "--mapping", chefs, "--output", name] + options)
        #expect(whole.status == 1 && more.status == 1 && more.errors.contains("nothing comes into an empty store"))
        try importing("recipes.json", recipes, "b.sqlite")
        // The mapping's own files are called as they were, others by the entity.
        let read = name.hasSuffix("ndjson") ? name : "Chef." + (format ?? "")
        if read != name {
            try FileManager.default.moveItem(atPath: directory.file(name), toPath: directory.file(read))
        }
        try importing(read, format == nil ? chefs : "written.yaml", "b.sqlite")
        #expect(try trip.objects("a.sqlite", models) == trip.objects("b.sqlite", models))
    }

    // MARK: Values

    private func company(_ sql: String, _ mapping: String) throws -> String {
        let store = try Samples.buildStore("Company", in: directory)
        try SQLiteSession(on: store).run(sql + "; PRAGMA wal_checkpoint(TRUNCATE);")
        try directory.write("import: 1\n" + mapping, to: "m.yaml")
        return store
    }

    private func exporting(_ store: String, _ words: [String] = ["--output", "out.csv"]) throws -> ToolProcess.Result {
        try ferry(["export", store, "--models", Samples.models("Company"), "--mapping", "m.yaml"] + words)
    }

    private func fetched(_ store: String, _ entity: String, _ columns: String) throws -> String {
        let run = try ferry([
            "fetch", store, "--models", Samples.models("Company"), "--version", "Company", "--entity", entity,
            "--no-subentities", "--columns", columns, "--format", "csv", "--sort",
            columns.split(separator: ",").first.map(String.init) ?? "",
        ])
        #expect(run.status == 0, "\(run.summary)")
        return run.output
    }

    private func importing(_ file: String) throws {
        let run = try ferry([
            "import", file, "--mapping", "m.yaml", "--models", Samples.models("Company"), "--version", "Company",
            "--store", "b.sqlite", "--progress", "none",
        ])
        #expect(run.status == 0, "\(run.summary)")
    }

    /// Texts that are made of others are taken apart, values that are computed are computed back.
    @Test func datesTemplatesAndExpressionsComeBack() throws {
        let store = try company(
            """
            UPDATE ZPERSON SET ZHIRED = CAST(ZHIRED / 60 AS INTEGER) * 60, ZNOTES = ZLASTNAME || ' [' || Z_PK || '/' ||
                ZEMPLOYEEID || '] ' || ZFIRSTNAME, ZEMAIL = NULL, ZSALARY = Z_PK * 3.25, ZSTEPS = Z_PK * 6 + 4,
                ZPHONE = upper(ZPHONE)
            """,
            """
            files: out.csv
            entity: Employee
            key: employeeID
            settings: {timeZone: Europe/Berlin, locale: de}
            attributes:
              employeeID: ID
              firstName: First
              lastName: Last
              hired: {from: Hired, date: 'EEEE, d. MMMM yyyy, HH:mm'}
              notes: {text: '{Last} [{Row}/{ID}] {First}'}
              salary: {expression: cents / 100.0}
              steps: {expression: (walked + 2) * 2}
              phone: {expression: 'uppercase:(phone)'}
            """)
        let run = try exporting(store)
        #expect(run.status == 1 && !run.errors.contains("left out"), "\(run.summary)")
        let text = try String(contentsOfFile: directory.file("out.csv"), encoding: .utf8)
        #expect(
            text.hasPrefix("ID,First,Last,Hired,Row,cents,walked,phone\n") && text.contains("tag, "),
            "\(text.prefix(300))")
        try importing("out.csv")
        let columns = "employeeID,firstName,lastName,hired,notes,salary,steps,phone"
        #expect(try fetched("b.sqlite", "Employee", columns) == fetched(store, "Employee", columns))
    }

    /// What a pattern or a filter would lose is left out, and named.
    @Test func whatWouldNotComeBackIsLeftOutWithItsURI() throws {
        let store = try company(
            """
            UPDATE ZPERSON SET ZHIRED = 86400 * Z_PK; UPDATE ZPERSON SET ZHIRED = ZHIRED + 0.5 WHERE Z_PK IN (2, 5);
            UPDATE ZPERSON SET ZNOTES = 'x' || Z_PK; UPDATE ZPERSON SET ZNOTES = NULL WHERE Z_PK = 3
            """,
            """
            files: out.csv
            entity: Employee
            where: {Notes: {present: true}}
            key: employeeID
            attributes: {employeeID: ID, firstName: F, lastName: L, hired: {from: Hired, date: dd.MM.yy}, notes: Notes}
            """)
        let run = try exporting(store)
        #expect(run.status == 1 && run.errors.contains("3 objects left out"), "\(run.summary)")
        for (key, reason) in [(2, "hired is 172800.5"), (5, "hired is 432000.5"), (3, "the mapping's filter")] {
            #expect(run.errors.contains("/Employee/p\(key): \(reason)"), "\(run.errors)")
        }
        try importing("out.csv")
        let (old, new) = (
            try fetched(store, "Employee", "employeeID,hired,notes"),
            try fetched("b.sqlite", "Employee", "employeeID,hired,notes")
        )
        let missing = old.split(separator: "\n").filter { !new.contains($0) }
        #expect(
            missing.count == 3 && old.count > new.count && new.split(separator: "\n").allSatisfy { old.contains($0) })
    }

    @Test func severalObjectsOfOneRecordAreFoundThroughToOneRelationships() throws {
        let store = try company(
            "UPDATE ZDEPARTMENT SET ZBUDGET = 1 WHERE ZBUDGET IS NULL",
            """
            files: out.csv
            objects:
              - id: department
                entity: Department
                key: code
                where: {Department: {present: true}}
                attributes: {code: Department, name: Department name, budget: Budget}
              - entity: Employee
                key: employeeID
                attributes: {employeeID: ID, lastName: Name, firstName: First}
                relationships: {department: {object: department}}
            """)
        let run = try exporting(store)
        #expect(run.status == 1, "\(run.summary)")
        try importing("out.csv")
        let columns = "employeeID,lastName,department.code,department.name,department.budget"
        #expect(try fetched("b.sqlite", "Employee", columns) == fetched(store, "Employee", columns))
    }

    @Test(arguments: [
        "relationships: {members: {by: employeeID, from: Member, add: true}}",
        "relationships: {members: {object: member, add: true}}",
    ])
    func aTableOfPairsHasARecordForEach(relationships: String) throws {
        let isObject = relationships.contains("object")
        let store = try company(
            """
            UPDATE ZPROJECT SET ZTITLE = ZTITLE || ' ' || Z_PK;
            DELETE FROM Z_4PROJECTS WHERE Z_4MEMBERS IN (SELECT Z_PK FROM ZPERSON WHERE Z_ENT <> 4)
            """,
            """
            sources:
              - files: people.csv
                entity: Employee
                key: employeeID
                attributes: {employeeID: ID, lastName: Last, firstName: First}
              - files: projects.csv
                entity: Project
                key: title
                attributes: {title: Title}
              - files: members.csv
                objects:
            \(isObject ? "      - {id: member, entity: Employee, key: employeeID, onMissing: error, attributes: {employeeID: Member}}" : "")
                  - entity: Project
                    key: title
                    onMissing: error
                    attributes: {title: Project}
                    \(relationships)
            """)
        let run = try exporting(store, ["--output", "out"])
        #expect(run.status == 1 && run.output.contains("pairs of members of Project"), "\(run.summary)")
        let imported = try ferry([
            "import", "out/people.csv", "out/projects.csv", "out/members.csv", "--mapping", "m.yaml", "--models",
            Samples.models("Company"), "--version", "Company", "--store", "b.sqlite", "--progress", "none",
        ])
        #expect(imported.status == 0, "\(imported.summary)")
        let pairs = "title,members.@count,members.employeeID"
        func sets(_ store: String) throws -> [[String]] {
            // The order of what is unordered is that of primary keys.
            try fetched(store, "Project", pairs).split(separator: "\n").map {
                $0.split(separator: ",").map(String.init).sorted()
            }
        }
        #expect(try sets("b.sqlite") == sets(store))
    }

    // MARK: Refusals

    @Test(
        .long,
        arguments: [
            ("lastName: {expression: 'TERNARY(x == \"a\", \"b\", \"c\")'}", "has no inverse in x"),
            ("lastName: {expression: a + b}", "is computed from a, b, which one value cannot give back"),
            ("hired: {expression: now()}", "it is the time of the import"),
            ("lastName: {text: '{A}{A}'}", "a column occurs twice in its template"),
            ("notes: {constant: x}", "a value other than the constant \"x\""),
        ])
    func whatHasNoInverseIsSaidOfTheColumnBeforeAnythingIsWritten(attribute: String, reason: String) throws {
        try expectRefusal(of: attribute, ["--output", "out.csv"], reason)
    }

    @Test func filesOfValuesNeedAFolder() throws {
        try expectRefusal(of: "photo: {from: Photo, binary: file}", [], "--output PATH")
    }

    private func expectRefusal(of attribute: String, _ words: [String], _ reason: String) throws {
        let store = try company("SELECT 1", "files: out.csv\nentity: Employee\nattributes:\n  \(attribute)\n")
        let run = try exporting(store, words)
        #expect(run.status >= 2 && run.errors.contains(reason), "\(run.summary)")
        #expect(run.output.isEmpty && !FileManager.default.fileExists(atPath: directory.file("out.csv")))
    }

    /// `in`, `all` and `no` are words of the language of predicates.
    @Test func namesThatArePredicatesWordsAreLookedAtToo() throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("M.xcdatamodel"), withIntermediateDirectories: true)
        try directory.write(
            """
            <model documentVersion="1.0">
                <entity name="Box"><attribute name="no" optional="YES" attributeType="String"/>
                    <relationship name="all" optional="YES" toMany="YES" destinationEntity="Item" inverseName="in"/>
                </entity>
                <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>
                    <relationship name="in" optional="YES" maxCount="1" destinationEntity="Box" inverseName="all"/>
                </entity>
            </model>
            """, to: "M.xcdatamodel/contents")
        try directory.write(
            """
            import: 1
            sources:
              - {files: boxes.csv, entity: Box, key: "no", attributes: {"no": "no"}}
              - files: items.csv
                entity: Item
                attributes: {name: name}
                relationships: {in: {by: "no", from: box}}
            """, to: "m.yaml")
        try directory.write("no\nA\nB\n", to: "boxes.csv")
        try directory.write("name,box\none,A\ntwo,\n", to: "items.csv")
        let words = ["--mapping", "m.yaml", "--models", "M.xcdatamodel"]
        let made = try ferry(["import", "boxes.csv", "items.csv", "--store", "a.sqlite", "--progress", "none"] + words)
        #expect(made.status == 0, "\(made.summary)")
        let whole = try ferry(["export", "a.sqlite", "--output", "out/"] + words)
        #expect(whole.status == 0, "\(whole.summary)")
        try SQLiteSession(on: directory.file("a.sqlite")).run("UPDATE ZBOX SET ZNO = NULL WHERE ZNO = 'A'")
        let run = try ferry(["export", "a.sqlite", "--output", "again/"] + words)
        #expect(
            run.status >= 2 && run.errors.contains("1 object related to objects whose key no is NULL"), "\(run.summary)"
        )
    }

    @Test func sourcesOfOneFileNeedFiltersThatTellTheirRecordsApart() throws {
        let store = try company(
            "SELECT 1",
            """
            sources:
              - {files: a.csv, entity: Employee, attributes: {lastName: Name}}
              - {files: a.csv, entity: Project, where: {Kind: project}, attributes: {title: Name}}
            """)
        let run = try exporting(store)
        #expect(
            run.status == 2 && run.errors.contains("takes the records of Project too; give it a where"),
            "\(run.summary)")
    }
}
