import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// `ferry export` as a user runs it, and `ferry import` of what it writes.
@Suite struct ExportCommandTests {
    private let directory: TemporaryDirectory
    private let store: String
    private static let models = Samples.models("Company")

    /// A store whose values imports take: URIs of today, beside decimals that are not numbers and infinite reals.
    init() throws {
        directory = try TemporaryDirectory()
        store = try Samples.buildStore("Company", in: directory)
        try SQLiteSession(on: store).run(
            """
            UPDATE ZPERSON SET ZHOMEPAGE = 'https://example.org/';
            UPDATE ZPERSON SET ZSENIORITY = -9e999 WHERE ZSENIORITY = 0.1;
            UPDATE ZPROJECT SET ZTITLE = ZTITLE || ' ' || Z_PK; PRAGMA wal_checkpoint(TRUNCATE);
            """)
    }

    private func export(_ words: [String], of store: String? = nil) throws -> ToolProcess.Result {
        try ToolProcess.ferry(["export", store ?? self.store, "--models", Self.models] + words, in: directory.path)
    }

    private func importing(_ files: [String], _ mapping: String, into name: String) throws -> ToolProcess.Result {
        try ToolProcess.ferry(
            ["import"] + files + [
                "--mapping", mapping, "--store", name, "--models", Self.models, "--version", "Company",
            ]
                + ["--progress", "none"], in: directory.path)
    }

    /// All values of a table but keys, as a sorted list: sqlite3's own words, which know nothing of this tool.
    private func values(_ table: String, _ path: String) throws -> [String] {
        let connection = try Connection(path: path, access: .readOnly)
        let columns = try connection.rows("PRAGMA table_info(\(table))").compactMap { $0[1].string }.filter { name in
            !name.hasPrefix("Z_")
                && !["ZDEPARTMENT", "ZMANAGER", "ZPARKINGPLACE", "ZASSISTANT", "ZOWNER", "ZLEAD"].contains(name)
                && !name.hasPrefix("Z4_") && name != "ZPHOTO"
        }.sorted()
        return try connection.rows("SELECT Z_ENT, \(columns.joined(separator: ", ")) FROM \(table)").map { "\($0)" }
            .sorted()
    }

    @Test(.long, arguments: ["csv", "ndjson", "json"])
    func whatIsExportedComesBackThroughTheMappingThatIsWrittenWithIt(format: String) throws {
        let exported = try export(["--all", "--format", format, "--output", "out", "--write-mapping", "m.yaml"])
        #expect(exported.status == 0, "\(exported.summary)")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.file("out")).map { "out/" + $0 }
        let imported = try importing(files, "m.yaml", into: "new.sqlite")
        #expect(imported.status == 0, "\(imported.summary)")
        for table in ["ZDEPARTMENT", "ZPARKINGPLACE", "ZPERSON", "ZPROJECT"] {
            #expect(try values(table, directory.file("new.sqlite")) == values(table, store), "\(table)")
        }
        // Relationships in their order, and external data.
        for (entity, columns) in [
            ("Department", "name,employees.employeeID"), ("Project", "title,lead.employeeID"),
            ("Employee", "employeeID,department.name,manager.employeeID,parkingPlace.number,photo,projects.@count"),
            ("Manager", "employeeID,assistant.employeeID,directReports.@count,ledProjects.@count"),
        ] {
            let words =
                ["--models", Self.models, "--entity", entity, "--columns", columns, "--format", "csv"]
                + ["--sort", columns.split(separator: ",").first.map(String.init) ?? ""]
            let (first, second) = (
                try ToolProcess.ferry(["fetch", store] + words),
                try ToolProcess.ferry(["fetch", directory.file("new.sqlite")] + words)
            )
            #expect(first.status == 0 && first.output == second.output, "\(first.summary)\n\(second.summary)")
        }
    }

    /// Objects without any property do not come back, which is said; the others do.
    @Test func aMappingLeavesOutWhatHasNothingToSay() throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("Bare.xcdatamodel"), withIntermediateDirectories: true)
        try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\
            <entity name="Bare" syncable="YES"/><entity name="Note" syncable="YES">\
            <attribute name="text" optional="YES" attributeType="String"/></entity></model>
            """, to: "Bare.xcdatamodel/contents")
        let models = ["--models", "Bare.xcdatamodel"]
        func ferry(_ words: [String]) throws -> ToolProcess.Result {
            try ToolProcess.ferry(words + models, in: directory.path)
        }
        #expect(try ferry(["fixture", "--rows", "3", "--output", "bare.sqlite"]).status < 2)
        let exported = try ferry(["export", "bare.sqlite", "--all", "--output", "bare", "--write-mapping", "bare.yaml"])
        #expect(exported.status == 1, "\(exported.summary)")
        #expect(exported.errors.contains("Bare.csv: its records say nothing of their objects"), "\(exported.errors)")
        let imported = try ferry([
            "import", "bare/Note.csv", "--mapping", "bare.yaml", "--store", "again.sqlite", "--progress", "none",
        ])
        #expect(imported.status < 2 && imported.output.contains("Note"), "\(imported.summary)")
    }

    /// The text that means NULL where nothing else is said: as a value, as a key, and as a key in a list.
    @Test(arguments: ["csv", "ndjson", "json", "xml"])
    func aTextThatMeansNullElsewhereComesBackAsOne(format: String) throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("Tags.xcdatamodel"), withIntermediateDirectories: true)
        try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\
            <entity name="Item" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/>\
            <relationship name="first" optional="YES" maxCount="1" destinationEntity="Tag" deletionRule="Nullify"/>\
            <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" deletionRule="Nullify" \
            inverseName="items" inverseEntity="Tag"/></entity>\
            <entity name="Tag" syncable="YES"><attribute name="code" optional="YES" attributeType="String"/>\
            <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" deletionRule="Nullify" \
            inverseName="tags" inverseEntity="Item"/></entity></model>
            """, to: "Tags.xcdatamodel/contents")
        try directory.write(#"[{"code": "\\N"}, {"code": "b"}]"#, to: "tags.json")
        try directory.write(
            #"[{"name": "\\N", "first": "\\N", "tags": ["\\N", "b"]}, {"name": null, "tags": ["\\N"]}]"#,
            to: "items.json")
        let plain = """
            import: 1
            sources:
              - {files: tags.FORMAT, entity: Tag, key: code, attributes: [code]}
              - {files: items.FORMAT, RECORDS entity: Item, attributes: [name], relationships: {
                  first: {by: code, from: first}, tags: {by: code, from: LIST}}}
            """
        func mapping(_ format: String, list: String) -> String {
            plain.replacing("FORMAT", with: format).replacing("LIST", with: list).replacing("RECORDS", with: "")
        }
        try directory.write(mapping("json", list: "'tags[*]'"), to: "plain.yaml")
        func ferry(_ words: [String]) throws -> ToolProcess.Result {
            try ToolProcess.ferry(words + ["--models", "Tags.xcdatamodel"], in: directory.path)
        }
        func importing(_ files: [String], _ mapping: String, _ store: String) throws {
            let run = try ferry(
                ["import"] + files + ["--mapping", mapping, "--store", store, "--progress", "none"])
            #expect(run.status == 0, "\(run.summary)")
        }
        func content(_ store: String) throws -> [String] {
            try Connection(path: directory.file(store), access: .readOnly).rows(
                """
                SELECT i.ZNAME, f.ZCODE, (SELECT group_concat(ZCODE, ' ') FROM (SELECT t.ZCODE FROM Z_1TAGS j \
                JOIN ZTAG t ON t.Z_PK = j.Z_2TAGS WHERE j.Z_1ITEMS = i.Z_PK ORDER BY 1)) FROM ZITEM i \
                LEFT JOIN ZTAG f ON f.Z_PK = i.ZFIRST ORDER BY 2
                """
            ).map { row in row.map { $0.string ?? "NULL" }.joined(separator: "|") }
        }
        try importing(["tags.json", "items.json"], "plain.yaml", "a.sqlite")
        #expect(try content("a.sqlite") == ["NULL|NULL|\\N", "\\N|\\N|\\N b"])

        let all = try ferry([
            "export", "a.sqlite", "--all", "--format", format, "--output", "all", "--write-mapping", "all.yaml",
        ])
        #expect(all.status == 0, "\(all.summary)")
        try importing(["all/Tag.\(format)", "all/Item.\(format)"], "all.yaml", "b.sqlite")
        #expect(try content("b.sqlite") == content("a.sqlite"))

        // A mapping of one's own is written for the format, too.
        let own = try ferry([
            "export", "a.sqlite", "--mapping", "plain.yaml", "--format", format, "--output", "own/", "--write-mapping",
            "own.yaml",
        ])
        guard format != "csv" else {
            // What it says of lists loses them, which is said before anything is written.
            #expect(own.status == 2 && own.errors.contains("set nullTokens: []"), "\(own.summary)")
            return
        }
        #expect(own.status == 0, "\(own.summary)")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("own")).map { "own/" + $0 }
        try importing(names, "own.yaml", "c.sqlite")
        #expect(try content("c.sqlite") == content("a.sqlite"))
    }

    @Test func nullAndTheEmptyTextDifferAndSeparatorsAreQuoted() throws {
        try SQLiteSession(on: store).run(
            "UPDATE ZPROJECT SET ZTITLE = CASE Z_PK WHEN 1 THEN NULL WHEN 2 THEN '' WHEN 3 THEN '\\N' WHEN 5 THEN 'a,\"b\"' END;"
        )
        let run = try export([
            "--entity", "Project", "--columns", "title", "--where", "title = NULL OR lead = NULL OR TRUEPREDICATE",
        ])
        #expect(run.output.hasPrefix("title\n\\N\n\"\"\n\"\\N\"\n\"a,\"\"b\"\"\"\n"), "\(run.summary)")
    }

    @Test func aMappingIsInverted() throws {
        let mapping = """
            import: 1
            files: people.csv
            delimiter: ;
            where: {Art: Angestellt}
            entity: Employee
            key: employeeID
            settings: {decimalSeparator: ',', date: seconds2001}
            attributes:
              employeeID: ID
              firstName: Vorname
              lastName: Name
              isActive: {from: Aktiv, yes: ja, no: nein}
              salary: Gehalt
              hired: Eintritt
            """
        try directory.write(mapping, to: "m.yaml")
        let run = try export(["--mapping", "m.yaml", "--output", "people.csv"])
        #expect(
            run.status == 1 && run.errors.contains("not in the mapping, and so not exported: badge"), "\(run.summary)")
        let text = try String(contentsOfFile: directory.file("people.csv"), encoding: .utf8)
        #expect(text.hasPrefix("ID;Vorname;Name;Aktiv;Gehalt;Eintritt;Art\n"))
        #expect(text.contains("E-0092;Frida;Brandt;nein;3037,05;"))
        let imported = try importing(["people.csv"], "m.yaml", into: "new.sqlite")
        #expect(imported.status == 0, "\(imported.summary)")
        let again = try export(["--mapping", "m.yaml", "--sort", "employeeID"], of: "new.sqlite")
        #expect(again.output == (try export(["--mapping", "m.yaml", "--sort", "employeeID"]).output))
    }

    @Test func aMappingWithoutAnInverseIsRefusedWithAllReasonsBeforeAnythingIsWritten() throws {
        let mapping = """
            import: 1
            files: people.csv
            entity: Employee
            attributes:
              lastName: {text: '{First} {First}'}
              notes: {constant: x}
              level: {expression: a + b}
            """
        try directory.write(mapping, to: "m.yaml")
        let run = try export(["--mapping", "m.yaml", "--output", "people.csv"])
        #expect(run.status == 2)
        for reason in [
            "notes: all 26 objects have a value other than the constant", "level: a + b is computed from a, b",
        ] {
            #expect(run.errors.contains(reason), "\(reason) is not in \(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: directory.file("people.csv")))
    }

    @Test(
        .long,
        arguments: [
            (["--entity", "Person"], Int32(64), "Employee, Manager"), (["--all"], 64, "--output FOLDER"),
            ([], 64, "--entity ENTITY, --all or --mapping FILE"),
            (["--entity", "Nobody"], 2, "the model has no entity Nobody"),
            (["--entity", "Project", "--output", "Company.sqlite"], 2, "it exists already"),
            (["--entity", "Employee", "--format", "xml"], 1, "control character"),
        ])
    func whatCannotBeExportedIsExplained(words: [String], status: Int32, message: String) throws {
        let run = try export(words)
        #expect(run.status == status && run.errors.contains(message), "\(run.summary)")
    }

    /// The sample import, its objects exported through the same mapping, and imported again.
    @Test(arguments: [("recipes-json.yaml", "recipes.json")])
    func partsOfRecordsComeBack(mapping: String, file: String) throws {
        let models = Samples.models("Recipes")
        let mapping = Samples.path + "/../Mappings/Recipes/" + mapping
        let common = ["--mapping", mapping, "--models", models]
        let source = Samples.path + "/Recipes/import/" + file
        let first = try ToolProcess.ferry(
            ["import", source, "--store", "a.sqlite", "--progress", "none"] + common, in: directory.path)
        #expect(first.status < 2, "\(first.summary)")
        let exported = try ToolProcess.ferry(["export", "a.sqlite", "--output", file] + common, in: directory.path)
        #expect(exported.status < 2, "\(exported.summary)")
        let second = try ToolProcess.ferry(
            ["import", file, "--store", "b.sqlite", "--progress", "none"] + common, in: directory.path)
        #expect(second.status == 0, "\(second.summary)")
        for (entity, columns) in [
            ("Recipe", "identifier,name,servings,created,source,ingredients.name,steps.text,variants.identifier"),
            ("Recipe", "identifier,authors.name,categories.name,image.data,image.photographer.name"),
            ("Chef", "name,email,birthYear"), ("Ingredient", "name,amount,unit,recipe.identifier"),
            ("Photographer", "name,agency"), ("Category", "name"),
        ] {
            let words =
                ["--models", models, "--entity", entity, "--columns", columns, "--format", "csv", "--sort"]
                + [columns.split(separator: ",").first.map(String.init) ?? ""]
            let results = try ["a.sqlite", "b.sqlite"].map {
                try ToolProcess.ferry(["fetch", $0] + words, in: directory.path)
            }
            #expect(results[0].status == 0 && results[0].output.count > columns.count + 3, "\(results[0].summary)")
            #expect(results[0].output == results[1].output, "\(entity)")
        }
    }

    /// Real stores that carry their model, and whose objects have keys.
    @Test(
        .long, .enabled(if: Corpus.isPresent, "the corpus is not beside the project"),
        arguments: [
            "apptentive__apptentive-kit-ios/Tests/ApptentiveKit/Unit Tests/Migration/Legacy Anonymous Pending Data/ATDataModel.sqlite",
            "objcio__core-data/Migrations/MigrationsTests/Moody 5.moody",
            "wibosco__CoreDataMigration-Example/CoreDataMigration-ExampleTests/Resources/SQLite/CoreDataMigration_Example_WAL.sqlite",
        ])
    func realStoresComeBack(name: String) throws {
        let original = try #require(Corpus.path) + "/3_stores/" + name
        func files(of store: String, _ folder: String, _ more: [String] = []) throws -> [String: [String]] {
            let run = try ToolProcess.ferry(
                ["export", store, "--models", original, "--all", "--output", folder] + more, in: directory.path)
            #expect(run.status == 0, "\(run.summary)")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.file(folder))
            return try Dictionary(
                uniqueKeysWithValues: names.map { file in
                    let text = try String(contentsOfFile: directory.file(folder + "/" + file), encoding: .utf8)
                    return (file, text.split(separator: "\n").map(String.init).sorted())
                })
        }
        let before = try files(of: original, "before", ["--write-mapping", "m.yaml"])
        let imported = try ToolProcess.ferry(
            ["import"] + before.keys.sorted().map { "before/" + $0 } + ["--mapping", "m.yaml", "--store", "new.sqlite"]
                + ["--models", original, "--progress", "none"], in: directory.path)
        #expect(imported.status == 0, "\(imported.summary)")
        #expect(try files(of: "new.sqlite", "after") == before)
        #expect(before.values.reduce(0) { $0 + $1.count } > before.count)
    }
}
