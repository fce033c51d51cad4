import Foundation
import PersistentStores
import TestSupport
import Testing

/// Commands that take stores take those of all types.
@Suite struct AnyTypeTests {
    private static let types = ["xml", "binary"]

    /// The sample store as another type, and the same migrated to the newest version.
    private static func store(_ type: String) throws -> (directory: TemporaryDirectory, path: String, sqlite: String) {
        let directory = try TemporaryDirectory()
        let sqlite = try Samples.buildStore("Company", in: directory)
        let path = directory.file("Company." + type)
        let run = try ToolProcess.ferry(["convert", sqlite, "--output", path] + models)
        guard run.status == 0 else { throw CocoaError(.fileReadUnknown) }
        return (directory, path, sqlite)
    }

    private static let models = ["--models", Samples.models("Company")]

    private func counts(_ path: String) throws -> [String: Int] {
        let run = try ToolProcess.ferry(["inspect", path, "--json"] + Self.models)
        #expect(run.status == 0, "\(run.summary)")
        let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        let entities = object?["entities"] as? [[String: Any]] ?? []
        return Dictionary(
            entities.map { ($0["name"] as? String ?? "", $0["rows"] as? Int ?? $0["objects"] as? Int ?? -1) },
            uniquingKeysWith: { first, _ in first })
    }

    @Test(.long, arguments: types)
    func aStoreIsMigratedInItsOwnType(_ type: String) throws {
        let (directory, path, sqlite) = try Self.store(type)
        defer { withExtendedLifetime(directory) {} }
        let run = try ToolProcess.ferry(["migrate", path, "--backup", directory.file("old")] + Self.models)
        #expect(run.status < 2, "\(run.summary)")
        #expect(try StoreType(ofStoreAt: path).rawValue.lowercased() == type)
        #expect(try ToolProcess.ferry(["migrate", sqlite] + Self.models).status < 2)
        #expect(try counts(path) == counts(sqlite))
        #expect(FileSystem.exists(directory.file("old/Company." + type)))
        #expect(try FileSystem.names(in: FileSystem.directory(of: path)).allSatisfy { !$0.contains("ferry-staging") })
    }

    @Test(arguments: types)
    func aDryRunOfAMigrationWritesNothing(_ type: String) throws {
        let (directory, path, _) = try Self.store(type)
        defer { withExtendedLifetime(directory) {} }
        let before = try FolderState(of: FileSystem.directory(of: path))
        #expect(try ToolProcess.ferry(["migrate", path, "--dry-run"] + Self.models).status < 2)
        #expect(try FolderState(of: FileSystem.directory(of: path)).differences(from: before).isEmpty)
    }

    @Test(arguments: types)
    func recordsBecomeObjectsOfANewStoreAndOfOneThatIsThere(_ type: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("Recipes")
        let models = ["--models", Samples.models("Recipes"), "--entity", "Chef", "--key", "name"]
        let file = try directory.write("{\"name\":\"Ann\"}\n{\"name\":\"Bo\"}\n", to: "chefs.ndjson")
        let more = try directory.write("{\"name\":\"Cy\"}\n", to: "more.ndjson")
        let first = try ToolProcess.ferry(["import", file, "--store", path, "--store-type", type] + models)
        #expect(first.status < 2, "\(first.summary)")
        #expect(first.output.hasPrefix("Imported into \(path)\n"), "\(first.summary)")
        let second = try ToolProcess.ferry(["import", more, "--store", path] + models)
        #expect(second.status < 2, "\(second.summary)")
        #expect(try StoreType(ofStoreAt: path).rawValue.lowercased() == type)
        let run = try ToolProcess.ferry(["inspect", path, "--json", "--models", Samples.models("Recipes")])
        #expect(run.output.contains("\"objects\" : 3"), "\(run.summary)")
    }

    /// What is worked on lies in a folder for temporary files, of which no one is told.
    @Test(.long, arguments: types)
    func whatIsSaidOfAStoreNamesItAndNotTheOneThatStandsForIt(_ type: String) throws {
        let (directory, path, _) = try Self.store(type)
        defer { withExtendedLifetime(directory) {} }
        let folder = directory.file("temporary")
        try FileSystem.createDirectory(folder)
        let broken = try directory.write("name,budget\nA,none\n", to: "departments.csv")
        let (page, plan) = (directory.file("page.html"), directory.file("plan.json"))
        let importing = ["import", broken, "--store", path, "--entity", "Department", "--key", "name"]
        let other = ["--models", Samples.models("Recipes")]
        for (words, isNamed) in [
            (["migrate", path, "--dry-run"] + Self.models, true),
            (["migrate", path, "--dry-run", "--json"] + Self.models, true),
            (["migrate", path, "--dry-run", "--report", page] + Self.models, true),
            (["migrate", path, "--dry-run", "--report", plan] + Self.models, true),
            (["migrate", path, "--output", path] + Self.models, true), (["migrate", path] + other, true),
            (importing + Self.models, true), (importing + ["--dry-run", "--json"] + Self.models, true),
            (importing + other, true), (["fetch", path, "--entity", "Department", "--count"] + other, true),
            (["fetch", path, "--entity", "Department", "--format", "json"] + Self.models, false),
            (["migrate", path, "--output", directory.file("new." + type), "--json"] + Self.models, true),
        ] {
            let run = try ToolProcess.ferry(words, environment: ["TMPDIR": folder])
            var said = run.output + run.errors
            for file in [page, plan] where words.contains(file) {
                said += try String(contentsOfFile: file, encoding: .utf8)
            }
            said = said.replacing("\\/", with: "/")
            #expect(!said.contains(folder) && !said.contains("ferry-store-"), "\(run.summary)")
            if isNamed { #expect(said.contains(path), "\(run.summary)") }
        }
    }

    @Test func whatAKilledRunLeftAmongTheTemporaryFilesGoesWithTheNextRun() throws {
        let (directory, path, _) = try Self.store("xml")
        defer { withExtendedLifetime(directory) {} }
        let folder = directory.file("temporary")
        for name in ["ferry-store-dEad00", "ferry-store-aLive0", "other"] {
            try FileSystem.createDirectory(folder + "/" + name)
            try FileSystem.writeFile([1], to: folder + "/" + name + "/Company.xml")
        }
        // A run that lives holds a lock on its folder.
        let living = open(folder + "/ferry-store-aLive0", O_RDONLY | O_DIRECTORY)
        defer { close(living) }
        #expect(flock(living, LOCK_EX | LOCK_NB) == 0)
        let run = try ToolProcess.ferry(
            ["fetch", path, "--entity", "Employee", "--count"] + Self.models, environment: ["TMPDIR": folder])
        #expect(run.status == 0, "\(run.summary)")
        #expect(try FileSystem.names(in: folder).sorted() == ["ferry-store-aLive0", "other"])
    }
}
