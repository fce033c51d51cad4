import Foundation
import PersistentStores
import TestSupport
import Testing

/// Swift sources as models, from the command line: the versions of stores, frozen hashes, and classes out of models.
@Suite struct SwiftDataTests {
    /// A folder with the sample's sources, after edits, and a store of its first version.
    private struct App {
        let directory: TemporaryDirectory
        let store: String

        init() throws {
            directory = try TemporaryDirectory()
            store = directory.file("Old.store")
            try edit()
            let run = try ToolProcess.ferry([
                "fixture", "--models", Samples.path + "/Trips", "--version", "TripsSchemaV1", "--rows", "20",
                "--output", store,
            ])
            try #require(run.status == 0, "\(run.summary)")
        }

        /// Writes the sources, with the first occurrence of a text replaced.
        func edit(_ old: String = "", _ new: String = "") throws {
            var text = try String(contentsOfFile: Samples.path + "/Trips/Trips.swift", encoding: .utf8)
            if !old.isEmpty { text.replaceSubrange(try #require(text.range(of: old)), with: new) }
            try FileManager.default.createDirectory(
                atPath: directory.file("App"), withIntermediateDirectories: true)
            try directory.write(text, to: "App/Trips.swift")
        }

        func ferry(_ words: String...) throws -> ToolProcess.Result {
            try ToolProcess.ferry(words, in: directory.path)
        }
    }

    @Test func theVersionOfAStoreIsNamed() throws {
        let app = try App()
        let before = try app.ferry("hashes", "--fit", "Old.store", "App")
        #expect(before.status == 0 && before.output == "Old.store has the version TripsSchemaV1\n", "\(before.summary)")
        let migration = try app.ferry("migrate", "Old.store", "--models", "App")
        #expect(migration.status == 0, "\(migration.summary)")
        let after = try app.ferry("hashes", "--fit", "Old.store", "App")
        #expect(after.status == 0 && after.output.contains("version TripsSchemaV2"), "\(after.summary)")
        let check = try app.ferry("verify", "Old.store", "--models", "App")
        #expect(check.status == 0 && check.output.contains("Verdict: sound"), "\(check.summary)")
    }

    /// Another target in the folder declares a class of the same name.
    @Test func theDeclarationsOfAnotherTargetAreToldByTheStoreAndLeftOut() throws {
        let app = try App()
        let other = "import SwiftData\n@Model class Trip { var title: String = \"\" }\n"
        let text = "import SwiftData\n@Model class Trip { var name: String = \"\" }\nlet s = Schema([Trip.self])\n"
        for (path, text) in [("Two/App/Trip.swift", text), ("Two/Tool/Trip.swift", other)] {
            let place = FileSystem.directory(of: app.directory.file(path))
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try app.directory.write(text, to: path)
        }
        let store = try app.ferry("fixture", "--models", "Two/App", "--rows", "2", "--output", "Two.store")
        #expect(store.status == 0, "\(store.summary)")
        let all = try app.ferry("verify", "Two.store", "--models", "Two")
        #expect(all.status != 0 && (all.output + all.errors).contains("--exclude PATH"), "\(all.summary)")
        let fit = try app.ferry("hashes", "--fit", "Two.store", "Two")
        #expect(fit.status == 1 && fit.output.hasSuffix("    --exclude Two/Tool/Trip.swift\n"), "\(fit.summary)")
        for words in [["hashes", "--fit", "Two.store", "Two"], ["verify", "Two.store", "--models", "Two"]] {
            let run = try ToolProcess.ferry(words + ["--exclude", "Two/Tool"], in: app.directory.path)
            #expect(run.status == 0, "\(run.summary)")
        }
    }

    @Test(arguments: [
        ("var name: String", "var name: String?", "name is required"),
        ("var nights = 1", "var nights: Int32 = 1", "nights is of the type Integer 64"),
        ("var end: Date?", "var end: Date?; var added: Bool?", "does not have added"),
        ("@Attribute(.unique) var name", "var name", "name is unique"),
    ])
    func theDeclarationThatDiffersIsNamedWhereverNoVersionFits(old: String, new: String, change: String) throws {
        let app = try App()
        try app.edit(old, new)
        let contents = try Data(contentsOf: URL(fileURLWithPath: app.store))
        let runs = [
            (try app.ferry("hashes", "--fit", "Old.store", "App"), Int32(1)),
            (try app.ferry("migrate", "Old.store", "--models", "App"), 2),
            (try app.ferry("verify", "Old.store", "--models", "App"), 1),
            (try app.ferry("fetch", "Old.store", "--entity", "Trip", "--models", "App"), 2),
            (try app.ferry("inspect", "Old.store", "--models", "App"), 1),
        ]
        for (place, (run, status)) in runs.enumerated() {
            let text = run.output + run.errors
            #expect(run.status == status && text.contains("in the store: \(change)"), "\(run.summary)")
            #expect(text.contains("TripsSchemaV1"), "\(run.summary)")
            if place > 0 { #expect(text.contains("ferry hashes --fit STORE App"), "\(run.summary)") }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: app.store)) == contents)
    }

    /// Two declarations of a store that carries no model are found by trying.
    @Test func allDeclarationsThatDifferAreNamed() throws {
        let app = try App()
        try app.edit("var name: String", "var name: String?; var added: Bool?")
        let runs: [(words: [String], option: String?)] = [
            (["migrate", "Old.store", "--models", "App"], "--from"),
            (["fetch", "Old.store", "--entity", "Trip", "--models", "App"], "--version"),
            (["export", "Old.store", "--entity", "Trip", "--models", "App", "--output", "out.csv"], "--version"),
            (["verify", "Old.store", "--models", "App"], "--version"),
            (["inspect", "Old.store", "--models", "App"], nil),
        ]
        for (words, option) in runs {
            let run = try ToolProcess.ferry(words, in: app.directory.path)
            let text = run.output + run.errors
            #expect(
                text.contains("(in the store: name is required, and does not have added)"), "\(run.summary)")
            for other in ["--from", "--version"] {
                #expect(text.contains("name one with \(other)") == (other == option), "\(run.summary)")
            }
        }
    }

    @Test func whatAStoreTellsIsKept() throws {
        let directory = try TemporaryDirectory()
        func ferry(_ words: String...) throws -> ToolProcess.Result {
            try ToolProcess.ferry(words, in: directory.path)
        }
        func write(_ type: String) throws {
            try directory.write(
                """
                @Model class Note { var tags: [UUID] = []; var size: \(type) = 0; var title: String = "" }
                let schema = Schema([Note.self])
                """, to: "Notes.swift")
        }
        try FileManager.default.createDirectory(
            atPath: directory.file("Told"), withIntermediateDirectories: true)
        // The app's store: what stands in the sources for it is certain.
        try directory.write(
            """
            @Model class Note { var tags: Data = Data(); var size: Int32 = 0; var title: String = "" }
            let schema = Schema([Note.self])
            """, to: "Told/Notes.swift")
        let store = try ferry("fixture", "--models", "Told", "--rows", "2", "--output", "App.store")
        try #require(store.status == 0, "\(store.summary)")
        try write("UInt16")
        let before = try ferry("migrate", "App.store", "--models", "Notes.swift", "--dry-run")
        #expect(before.status != 0, "\(before.summary)")
        let dependent = try ferry("hashes", "Notes.swift", "--save")
        #expect(dependent.status == 64, "\(dependent.summary)")
        let saved = try ferry("hashes", "--fit", "App.store", "--save", "Notes.swift")
        #expect(saved.status == 0 && saved.output.contains("Kept 2 rules in .ferry-swiftdata"), "\(saved.summary)")
        let file = try String(contentsOfFile: directory.file(".ferry-swiftdata"), encoding: .utf8)
        #expect(file.contains("  property size\n") && file.contains("    stored as Integer 32\n"), "\(file)")
        let hashes = try ferry("hashes", "Notes.swift")
        #expect(hashes.status == 0 && hashes.errors.isEmpty, "\(hashes.summary)")
        let verified = try ferry("verify", "App.store", "--models", "Notes.swift")
        #expect(verified.status == 0 && verified.output.contains("Verdict: sound"), "\(verified.summary)")
        // Another file holds instead of the one beside the sources.
        let elsewhere = try ferry(
            "hashes", "--fit", "App.store", "--save", "--swiftdata-rules", "rules", "Notes.swift")
        #expect(elsewhere.status == 0, "\(elsewhere.summary)")
        #expect(try String(contentsOfFile: directory.file("rules"), encoding: .utf8) == file)
        try FileManager.default.removeItem(atPath: directory.file(".ferry-swiftdata"))
        #expect(try ferry("hashes", "Notes.swift").status == 1)
        #expect(try ferry("hashes", "Notes.swift", "--swiftdata-rules", "rules").status == 0)
        #expect(try ferry("hashes", "Notes.swift", "--swiftdata-rules", "missing").status == 2)
        // Another store contradicts them.
        try directory.write(file.replacing("Integer 32", with: "Integer 16"), to: "rules")
        let refused = try ferry(
            "hashes", "--fit", "App.store", "--save", "--swiftdata-rules", "rules", "Notes.swift")
        #expect(refused.status == 2 && refused.errors.contains("Note.size"), "\(refused.summary)")
        let forced = try ferry(
            "hashes", "--fit", "App.store", "--save", "--force", "--swiftdata-rules", "rules", "Notes.swift")
        #expect(forced.status == 0, "\(forced.summary)")
        #expect(try String(contentsOfFile: directory.file("rules"), encoding: .utf8) == file)
        // The answer is for this declaration, and for no other.
        try write("UInt")
        let other = try ferry("hashes", "Notes.swift", "--swiftdata-rules", "rules")
        #expect(other.status == 1 && other.errors.contains("property size"), "\(other.summary)")
        #expect(!other.errors.contains("property tags"), "\(other.summary)")
    }

    @Test func whatKeepsSourcesFromFittingIsSaid() throws {
        let app = try App()
        try app.directory.write("struct Position: Codable {}\nstruct Place {}", to: "App/More.swift")
        try app.edit("var place: String", "var place: Unheard")
        let run = try app.ferry("hashes", "--fit", "Old.store", "App")
        #expect(run.status == 1 && run.errors.contains("Unheard"), "\(run.summary)")
        #expect(run.errors.contains("App/Trips.swift:25:13"), "\(run.summary)")
    }

    @Test func frozenVersionsAreKept() throws {
        let app = try App()
        let freeze = try app.ferry("freeze", "App", "--output", "shipped")
        #expect(freeze.status == 0 && freeze.output.contains("TripsSchemaV1, TripsSchemaV2"), "\(freeze.summary)")
        let kept = try app.ferry("lint", "App", "--frozen", "shipped")
        #expect(kept.status == 0 && !kept.output.contains("FM701"), "\(kept.summary)")
        try app.edit("var name: String", "var name: String?")
        let file = try String(contentsOfFile: app.directory.file("shipped"), encoding: .utf8)
        let refused = try app.ferry("freeze", "App", "--output", "shipped")
        #expect(refused.status == 2 && refused.errors.contains("TripsSchemaV1;"), "\(refused.summary)")
        #expect(try String(contentsOfFile: app.directory.file("shipped"), encoding: .utf8) == file)
        let text = try app.ferry("lint", "App", "--frozen", "shipped")
        #expect(text.status == 1, "\(text.summary)")
        #expect(text.output.contains("App/Trips.swift:11: error: Trip.name: "), "\(text.summary)")
        #expect(text.output.contains("[FM701]"), "\(text.summary)")
        let github = try app.ferry("lint", "App", "--frozen", "shipped", "--format", "github")
        #expect(github.status == 1, "\(github.summary)")
        #expect(
            github.output.contains("::error file=App/Trips.swift,line=11,title=FM701 shipped-version-changed::"),
            "\(github.summary)")
        let forced = try app.ferry("freeze", "App", "--output", "shipped", "--force")
        #expect(forced.status == 0, "\(forced.summary)")
        let again = try app.ferry("lint", "App", "--frozen", "shipped")
        #expect(again.status == 0, "\(again.summary)")
    }

    @Test func theReportOfFrozenVersionsPointsToTheDeclaration() throws {
        let app = try App()
        _ = try app.ferry("freeze", "App", "--output", "shipped")
        try app.edit("var name: String", "var name: String?")
        let run = try app.ferry("lint", "App", "--frozen", "shipped", "--format", "sarif")
        #expect(run.status == 1, "\(run.summary)")
        let log = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let results = try #require((log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
        let result = try #require(results.first { $0["ruleId"] as? String == "FM701" })
        let location = try #require((result["locations"] as? [[String: Any]])?.first)
        let physical = try #require(location["physicalLocation"] as? [String: Any])
        #expect((physical["region"] as? [String: Any])?["startLine"] as? Int == 11)
        #expect(result["level"] as? String == "error")
    }

    @Test func classesOutOfAModelHaveItsHashes() throws {
        let app = try App()
        let written = try app.ferry("decompile", "App", "--to", "swiftdata", "--output", "Out.swift")
        #expect(written.status == 0, "\(written.summary)")
        #expect(
            try app.ferry("freeze", "Out.swift").output == app.ferry("freeze", "App").output, "\(written.summary)")
        let fit = try app.ferry("hashes", "--fit", "Old.store", "Out.swift")
        #expect(fit.status == 0, "\(fit.summary)")
    }

    @Test func whatSwiftDataHasNoPlaceForIsNamed() throws {
        let app = try App()
        let run = try app.ferry("decompile", Samples.models("Company"), "--to", "swiftdata", "--output", "Out.swift")
        #expect(run.status == 1 && run.errors.contains("warning: "), "\(run.summary)")
        #expect(try app.ferry("inspect", "Out.swift").output.contains("Employee"))
    }

    @Test func sourcesAsTheyUsuallyAreHaveNoFindings() throws {
        let app = try App()
        let run = try app.ferry("lint", "App")
        #expect(run.status == 0 && run.output == "no findings\n", "\(run.summary)")
    }

    /// Rows that are there get the array's archive, as Core Data's transformer makes it; Python reads it.
    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "there is no python3"),
        arguments: ["[]", "[\"a\", \"b\"]"], [[], ["--in-place"]])
    func anArrayThatIsNewHasItsDefault(value: String, more: [String]) throws {
        let app = try App()
        try app.edit("var budget: Decimal = 0", "var budget: Decimal = 0; var tags: [String] = \(value)")
        let run = try ToolProcess.ferry(
            ["migrate", "Old.store", "--models", "App"] + more, in: app.directory.path)
        #expect(run.status == 0, "\(run.summary)")
        let check = try app.ferry("verify", "Old.store", "--models", "App")
        #expect(check.status == 0 && check.output.contains("Verdict: sound"), "\(check.summary)")
        let script = """
            import plistlib, sqlite3, sys
            rows = sqlite3.connect(sys.argv[1]).execute("SELECT ZTAGS FROM ZTRIP").fetchall()
            for row in rows:
                archive = plistlib.loads(row[0])
                objects = archive["$objects"]
                root = objects[archive["$top"]["root"].data]
                assert objects[root["$class"].data]["$classname"] == "NSArray"
                print([objects[element.data] for element in root["NS.objects"]])
            """
        let read = try ToolProcess.run("/usr/bin/python3", ["-c", script, app.store])
        let expected = value.replacing("\"", with: "'") + "\n"
        #expect(read.output == String(repeating: expected, count: 20), "\(read.summary)")
    }

    private static let lightweight = ".lightweight(fromVersion: TripsSchemaV1.self, toVersion: TripsSchemaV2.self)"

    private static func custom(_ from: String, _ to: String) -> String {
        ".custom(fromVersion: \(from).self, toVersion: \(to).self, willMigrate: nil) { _ in }"
    }

    @Test func aCustomStageIsAWarning() throws {
        let app = try App()
        try app.edit(Self.lightweight, Self.custom("TripsSchemaV1", "TripsSchemaV2"))
        let dry = try app.ferry("migrate", "Old.store", "--models", "App", "--dry-run")
        #expect(dry.status == 1 && dry.output.contains("[custom-stage-not-run]"), "\(dry.summary)")
        let run = try app.ferry("migrate", "Old.store", "--models", "App")
        #expect(run.status == 1 && run.output.contains("from TripsSchemaV1 to TripsSchemaV2"), "\(run.summary)")
    }

    /// Plans that part, meet, repeat stages or go round: each custom stage on a way is named once, others are not.
    @Test(arguments: [
        ("from A to B", [custom("A", "B"), ".lightweight(fromVersion: A.self, toVersion: A.self)"]),
        ("from A to B", [".lightweight(fromVersion: A.self, toVersion: C.self)", custom("A", "B"), custom("A", "B")]),
        ("from C to B", [lightweight, ".lightweight(fromVersion: A.self, toVersion: C.self)", custom("C", "B")]),
        ("", [lightweight, custom("A", "C"), custom("D", "B")]),
    ])
    func allWaysOfMigrationPlansAreFollowed(warned: String, stages: [String]) throws {
        func named(_ text: String) -> String {
            text.replacing("A.self", with: "TripsSchemaV1.self").replacing("B.self", with: "TripsSchemaV2.self")
                .replacing("from A", with: "from TripsSchemaV1").replacing("to B", with: "to TripsSchemaV2")
        }
        let app = try App()
        try app.edit(Self.lightweight, stages.map(named).joined(separator: ",\n"))
        let run = try app.ferry("migrate", "Old.store", "--models", "App", "--dry-run")
        let warnings = run.output.split(separator: "\n").filter { $0.contains("is code of the app") }
        #expect(warnings.count == (warned.isEmpty ? 0 : 1), "\(run.summary)")
        #expect(warnings.allSatisfy { $0.contains("the stage " + named(warned)) }, "\(run.summary)")
    }

    /// V1 to V3 cannot be inferred in one step: `x` is another attribute behind V2. A custom stage parts the way, and
    /// lightweight ones in a row are one step.
    @Test(arguments: [
        (["custom", "lightweight"], ["V1 to V2", "V2 to V3"]), (["lightweight", "custom"], ["V1 to V2", "V2 to V3"]),
        (["custom", "custom"], ["V1 to V2", "V2 to V3"]), (["lightweight", "lightweight"], []),
    ])
    func customStagesPartTheWay(kinds: [String], steps: [String]) throws {
        let directory = try TemporaryDirectory()
        let versions = zip(1..., ["var x: Int = 0", "", "var x: String = \"new\""]).map { number, property in
            """
            enum V\(number): VersionedSchema {
                static var versionIdentifier = Schema.Version(\(number), 0, 0)
                static var models: [any PersistentModel.Type] { [Part.self] }
                @Model class Part { var name: String = ""; \(property); init() {} }
            }
            """
        }
        let stages = zip(1..., kinds).map { number, kind in
            kind == "custom"
                ? Self.custom("V\(number)", "V\(number + 1)")
                : ".lightweight(fromVersion: V\(number).self, toVersion: V\(number + 1).self)"
        }
        try directory.write(
            """
            import SwiftData
            \(versions.joined(separator: "\n"))
            enum Plan: SchemaMigrationPlan {
                static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
                static var stages: [MigrationStage] { [\(stages.joined(separator: ", "))] }
            }
            """, to: "App.swift")
        func ferry(_ words: String...) throws -> ToolProcess.Result { try ToolProcess.ferry(words, in: directory.path) }
        let made = try ferry(
            "fixture", "--models", "App.swift", "--version", "V1", "--rows", "9", "--output", "a.store")
        try #require(made.status == 0, "\(made.summary)")
        let dry = try ferry("migrate", "a.store", "--models", "App.swift", "--dry-run")
        let run = try ferry("migrate", "a.store", "--models", "App.swift")
        guard !steps.isEmpty else {
            #expect(dry.status == 2 && run.status == 2, "\(dry.summary)\n\(run.summary)")
            #expect(dry.output.contains("--chain versions goes that way"), "\(dry.summary)")
            return
        }
        for step in steps { #expect(dry.output.contains(step), "\(dry.summary)") }
        #expect(dry.status == 1 && run.status == 1 && run.output.contains("[custom-stage-not-run]"), "\(run.summary)")
        let values = try ferry(
            "fetch", "a.store", "--models", "App.swift", "--entity", "Part", "--columns", "x", "--format", "csv")
        #expect(values.output == "x\n" + String(repeating: "new\n", count: 9), "\(values.summary)")
        let check = try ferry("verify", "a.store", "--models", "App.swift")
        #expect(check.output.contains("Verdict: sound"), "\(check.summary)")
    }
}
