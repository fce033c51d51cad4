import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// Stores of parts of a model, and of models that are merged.
@Suite struct ConfigurationStoreTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try write("App", "App", attribute: "")
        try write("App", "App 2", attribute: #"<attribute name="mail" optional="YES" attributeType="String"/>"#)
        try directory.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>
            """, to: "App.xcdatamodeld/.xccurrentversion")
        try directory.write("name\nAda\nGrace\n", to: "people.csv")
        try directory.write("text\nseen\n", to: "notes.csv")
    }

    private func write(_ bundle: String, _ version: String, attribute: String, note: String = "String") throws {
        let folder = "\(bundle).xcdatamodeld/\(version).xcdatamodel"
        try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        try directory.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="Note"><attribute name="text" optional="YES" attributeType="\(note)"/></entity>
                <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>\(attribute)</entity>
                <configuration name="Cloud"><memberEntity name="Person"/></configuration>
                <configuration name="Local"><memberEntity name="Note"/></configuration>
            </model>
            """, to: folder + "/contents")
    }

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    private func tables(_ store: String) throws -> [String] {
        try Connection(path: directory.file(store), access: .readOnly)
            .rows("SELECT Z_NAME FROM Z_PRIMARYKEY ORDER BY Z_ENT").compactMap { $0[0].string }
    }

    private func importPart(_ configuration: String, _ entity: String, from source: String, into store: String) throws {
        let run = try ferry(
            "import", source, "--store", store, "--models", "App.xcdatamodeld", "--version", "App", "--configuration",
            configuration, "--entity", entity)
        #expect(run.status == 0, "\(run.summary)")
    }

    private func objects(_ store: String) throws -> [String] {
        try Connection(path: directory.file(store), access: .readOnly)
            .rows("SELECT 'Note', count(*) FROM ZNOTE UNION ALL SELECT 'Person', count(*) FROM ZPERSON")
            .map { "\($0[0].string ?? "") \($0[1].integer ?? 0)" }
    }

    /// Not that no version has the store's hashes.
    @Test(arguments: ["migrate", "edit", "verify"])
    func aMisspeltConfigurationIsNamedWithTheNearest(command: String) throws {
        try importPart("Cloud", "Person", from: "people.csv", into: "people.sqlite")
        let words =
            switch command {
            case "migrate": ["migrate", "people.sqlite", "--output", "New.sqlite"]
            case "edit": ["edit", "people.sqlite", "--delete", "Person", "--where", "TRUEPREDICATE"]
            default: [command, "people.sqlite"]
            }
        let run = try ToolProcess.ferry(
            words + ["--models", "App.xcdatamodeld", "--configuration", "Clowd"], in: directory.path)
        #expect(run.status == 2, "\(run.summary)")
        #expect(
            run.errors.contains(
                "App has no configuration \"Clowd\"; did you mean Cloud? name another with --configuration: Cloud, Local"
            ),
            "\(run.summary)")
    }

    /// As Core Data's: only the objects are limited.
    @Test func storesOfConfigurationsHaveTheWholeModel() throws {
        try importPart("Cloud", "Person", from: "people.csv", into: "cloud.sqlite")
        try importPart("Local", "Note", from: "notes.csv", into: "local.sqlite")
        for (store, rows) in [("cloud.sqlite", ["Note 0", "Person 2"]), ("local.sqlite", ["Note 1", "Person 0"])] {
            #expect(try tables(store) == ["Note", "Person"])
            #expect(try objects(store) == rows)
            let run = try ferry("inspect", store, "--models", "App.xcdatamodeld")
            #expect(run.status == 0 && run.output.contains("version    App ("), "\(run.summary)")
            let sound = try ferry("verify", store, "--models", "App.xcdatamodeld")
            #expect(sound.status == 0, "\(sound.summary)")
        }
        let migrated = try ferry("migrate", "cloud.sqlite", "--models", "App.xcdatamodeld", "--configuration", "Cloud")
        #expect(migrated.status == 0, "\(migrated.summary)")
        #expect(try tables("cloud.sqlite") == ["Note", "Person"])
        let rows = try Connection(path: directory.file("cloud.sqlite"), access: .readOnly)
            .rows("SELECT ZNAME, ZMAIL FROM ZPERSON ORDER BY 1").map { $0[0].string }
        #expect(rows == ["Ada", "Grace"])
    }

    @Test func objectsOfOtherEntitiesAreRefused() throws {
        let run = try ferry(
            "import", "notes.csv", "--store", "cloud.sqlite", "--models", "App.xcdatamodeld", "--configuration",
            "Cloud",
            "--entity", "Note")
        #expect(run.status == 2 && run.errors.contains("not of the configuration"), "\(run.summary)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("cloud.sqlite")))
    }

    @Test func fixturesAndConversionsHaveTheWholeModel() throws {
        let made = try ferry(
            "fixture", "--models", "App.xcdatamodeld", "--version", "App", "--configuration", "Cloud", "--rows", "3",
            "--output", "made.sqlite")
        #expect(made.status == 0 && !made.output.contains("Note"), "\(made.summary)")
        #expect(try tables("made.sqlite") == ["Note", "Person"])
        #expect(try objects("made.sqlite") == ["Note 0", "Person 3"])
        let whole = try ferry(
            "fixture", "--models", "App.xcdatamodeld", "--version", "App", "--rows", "3", "--output", "whole.sqlite")
        #expect(whole.status == 0, "\(whole.summary)")
        let converted = try ferry(
            "convert", "whole.sqlite", "--models", "App.xcdatamodeld", "--configuration", "Local", "--output",
            "notes.sqlite")
        #expect(converted.output.contains("outside-configuration"), "\(converted.summary)")
        #expect(try tables("notes.sqlite") == ["Note", "Person"])
        #expect(try objects("notes.sqlite") == ["Note 3", "Person 0"])
    }

    /// Those that hold fewer entities are read as they are, and a migration completes them.
    @Test func aFormerStoreOfAConfigurationIsReadAndCompleted() throws {
        let folder = "Part.xcdatamodeld/Part.xcdatamodel"
        try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        try directory.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/></entity>
            </model>
            """, to: folder + "/contents")
        let made = try ferry(
            "import", "people.csv", "--store", "part.sqlite", "--models", "Part.xcdatamodeld", "--entity", "Person")
        #expect(made.status == 0, "\(made.summary)")
        #expect(try tables("part.sqlite") == ["Person"])
        for words in [["inspect"], ["verify"]] {
            let run = try ToolProcess.ferry(
                words + ["part.sqlite", "--models", "App.xcdatamodeld"], in: directory.path)
            #expect(run.status == 0, "\(run.summary)")
        }
        let inspected = try ferry("inspect", "part.sqlite", "--models", "App.xcdatamodeld")
        #expect(inspected.output.contains("App, configuration Cloud"), "\(inspected.output)")
        let converted = try ferry("convert", "part.sqlite", "--models", "App.xcdatamodeld", "--output", "new.sqlite")
        #expect(converted.status < 2, "\(converted.summary)")
        #expect(try tables("new.sqlite") == ["Note", "Person"])
        for version in ["App", "App 2"] {
            let copy = "copy of \(version).sqlite"
            try FileManager.default.copyItem(atPath: directory.file("part.sqlite"), toPath: directory.file(copy))
            let migrated = try ferry("migrate", copy, "--models", "App.xcdatamodeld", "--to", version)
            #expect(migrated.status == 0, "\(migrated.summary)")
            #expect(try tables(copy) == ["Note", "Person"])
            #expect(try objects(copy) == ["Note 0", "Person 2"])
            let after = try ferry("inspect", copy, "--models", "App.xcdatamodeld")
            #expect(after.output.contains("version    \(version) ("), "\(after.output)")
        }
    }

    /// Each has only the entities of its configuration; together they are a store of the whole model.
    @Test func formerStoresOfTwoConfigurationsAreJoined() throws {
        for (name, entity, attribute, source) in [
            ("One", "Person", "name", "people.csv"), ("Two", "Note", "text", "notes.csv"),
        ] {
            let folder = "\(name).xcdatamodeld/\(name).xcdatamodel"
            try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
            try directory.write(
                """
                <model type="com.apple.IDECoreDataModeler.DataModel">
                    <entity name="\(entity)">
                        <attribute name="\(attribute)" optional="YES" attributeType="String"/>
                    </entity>
                </model>
                """, to: folder + "/contents")
            let made = try ferry(
                "import", source, "--store", "\(name).sqlite", "--models", "\(name).xcdatamodeld", "--entity", entity)
            #expect(made.status == 0, "\(made.summary)")
            #expect(try tables("\(name).sqlite") == [entity])
        }
        for stores in [["One.sqlite", "Two.sqlite"], ["Two.sqlite", "One.sqlite"]] {
            let output = "joined-\(stores[0])"
            let run = try ToolProcess.ferry(
                ["convert"] + stores + ["--models", "App.xcdatamodeld", "--output", output], in: directory.path)
            #expect(run.status < 2, "\(run.summary)")
            #expect(try tables(output) == ["Note", "Person"])
            #expect(try objects(output) == ["Note 1", "Person 2"])
            let sound = try ferry("verify", output, "--models", "App.xcdatamodeld", "--version", "App")
            #expect(sound.status == 0, "\(sound.summary)")
        }
        // A store of another version is still refused.
        let migrated = try ferry("migrate", "One.sqlite", "--models", "App.xcdatamodeld", "--to", "App 2")
        #expect(migrated.status == 0, "\(migrated.summary)")
        let run = try ferry(
            "convert", "One.sqlite", "Two.sqlite", "--models", "App.xcdatamodeld", "--output", "no.sqlite")
        #expect(run.status == 2 && run.errors.contains("migrate one of them first"), "\(run.summary)")
    }

    @Test func hashesOfAPartAreThoseOfTheWhole() throws {
        let part = try ferry("hashes", "App.xcdatamodeld", "--version", "App", "--configuration", "Cloud")
        let whole = try ferry("hashes", "App.xcdatamodeld", "--version", "App")
        #expect(part.status == 0 && whole.status == 0)
        let line = try #require(part.output.split(separator: "\n").first { $0.contains("Person") })
        #expect(whole.output.contains(line))
        #expect(!part.output.contains("Note "))
        let unknown = try ferry("hashes", "App.xcdatamodeld", "--version", "App", "--configuration", "Other")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("Other"))
    }

    /// A second model to merge: with an entity of its own and others.
    private func writeExtras(_ entities: String = "") throws {
        let folder = "Extras.xcdatamodeld/Extras.xcdatamodel"
        try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        try directory.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                \(entities)
                <entity name="Extra"><attribute name="size" optional="YES" attributeType="Double"/></entity>
            </model>
            """, to: folder + "/contents")
    }

    @Test func aStoreOfMergedModelsIsRecognised() throws {
        try writeExtras(#"<entity name="Note"><attribute name="text" optional="YES" attributeType="String"/></entity>"#)
        let imported = try ferry(
            "import", "people.csv", "--store", "all.sqlite", "-m", "App.xcdatamodeld", "-m", "Extras.xcdatamodeld",
            "--merge", "--entity", "Person")
        #expect(imported.status == 0, "\(imported.summary)")
        #expect(try tables("all.sqlite") == ["Extra", "Note", "Person"])
        let inspected = try ferry(
            "inspect", "all.sqlite", "-m", "App.xcdatamodeld", "-m", "Extras.xcdatamodeld", "--merge")
        #expect(inspected.status == 0, "\(inspected.summary)")
        #expect(inspected.output.contains("version    App 2 + Extras ("))
        let folder = try ferry("inspect", "all.sqlite", "-m", ".", "--merge")
        #expect(folder.status == 0 && folder.output.contains("version    App 2 + Extras ("), "\(folder.summary)")
        let alternatives = try ferry("inspect", "all.sqlite", "-m", "App.xcdatamodeld", "-m", "Extras.xcdatamodeld")
        #expect(alternatives.status == 1)
        let hashes = try ferry("hashes", "App.xcdatamodeld", "Extras.xcdatamodeld", "--merge")
        #expect(hashes.status == 0)
        #expect(hashes.output.contains("Version App 2 + Extras, current"))
    }

    @Test func aStoreOfMergedFormerVersionsMigratesToTheMergeOfTheCurrentOnes() throws {
        try writeExtras()
        let models = ["-m", "App.xcdatamodeld", "-m", "Extras.xcdatamodeld", "--merge"]
        let made = try ToolProcess.ferry(
            [
                "fixture", "-m", "App.xcdatamodeld/App.xcdatamodel", "-m", "Extras.xcdatamodeld", "--merge", "--rows",
                "3", "-o", "old.sqlite",
            ],
            in: directory.path)
        #expect(made.status == 0, "\(made.summary)")
        // One made before the extras were there, of the former version of the app's own model.
        let alone = try ferry(
            "fixture", "-m", "App.xcdatamodeld", "--version", "App", "--rows", "3", "-o", "alone.sqlite")
        #expect(alone.status == 0, "\(alone.summary)")
        for (store, version) in [("old.sqlite", "App + Extras"), ("alone.sqlite", "App")] {
            let inspected = try ToolProcess.ferry(["inspect", store] + models, in: directory.path)
            #expect(inspected.output.contains("version    \(version) ("), "\(inspected.output)")
            let migrated = try ToolProcess.ferry(["migrate", store] + models, in: directory.path)
            #expect(migrated.status == 0, "\(migrated.summary)")
            #expect(try tables(store) == ["Extra", "Note", "Person"])
            let after = try ToolProcess.ferry(["inspect", store] + models, in: directory.path)
            #expect(after.output.contains("App 2 + Extras"), "\(after.output)")
            let rows = try Connection(path: directory.file(store), access: .readOnly).rows(
                "SELECT Z_PK, ZMAIL FROM ZPERSON")
            #expect(rows.count == 3)
        }
    }

    @Test func differentEntitiesOfOneNameAreRefusedInCoreDatasWords() throws {
        try write("Old", "Old", attribute: "", note: "Date")
        try importPart("Cloud", "Person", from: "people.csv", into: "cloud.sqlite")
        let migration = try ferry(
            "migrate", "cloud.sqlite", "-m", "App.xcdatamodeld", "-m", "Old.xcdatamodeld", "--merge")
        #expect(migration.status == 2)
        #expect(migration.errors.contains("Can't merge models with two different entities named 'Note'"))
        let run = try ferry("hashes", "App.xcdatamodeld", "Old.xcdatamodeld", "--merge")
        #expect(run.status == 2)
        #expect(run.errors.contains("Can't merge models with two different entities named 'Note'"))
    }
}
