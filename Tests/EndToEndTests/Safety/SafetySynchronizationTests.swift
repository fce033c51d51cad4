import Foundation
import GeneratedStores
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// A folder that the device does not take, once a new file has its name there: said, and nothing is lost by it.
@Suite(.enabled(if: FaultLibrary.shared != nil, "no C compiler is installed"))
struct SafetySynchronizationTests {
    private let directory: TemporaryDirectory
    private let store: String
    private let faults: FaultLibrary

    init() throws {
        faults = try #require(FaultLibrary.shared)
        directory = try TemporaryDirectory()
        store = try Samples.buildStore("Recipes", in: directory)
    }

    /// Runs the tool where the folder of a new file cannot be synchronized once that has its name.
    private func ferry(_ words: [String], naming path: String) throws -> ToolProcess.Result {
        let path = FileSystem.resolvingLinks(FileSystem.directory(of: path)) + "/" + FileSystem.name(of: path)
        let folder = FileSystem.directory(of: path)
        return try ToolProcess.ferry(
            words, environment: faults.folder(folder, failsToSynchronizeAfterNaming: path))
    }

    private func externalFiles(_ store: String) throws -> [String] {
        try FileSystem.names(in: StoreFiles(store).externalDataDirectory)
    }

    @Test(arguments: ["wal", "delete"])
    func aMoveKeepsWhatIsAtTheOldPlaceAndIsFinishedByTheNextRun(mode: String) throws {
        let connection = try Connection(path: store, access: .readWrite)
        _ = try connection.value("PRAGMA journal_mode = \(mode)")
        try connection.close()
        let whole = try StoreDump(of: store)
        let files = try externalFiles(store)
        #expect(!files.isEmpty)
        let new = FileSystem.resolvingLinks(directory.path) + "/New.sqlite"
        let run = try ferry(["move", store, new], naming: new)
        #expect(run.status == 1, "\(run.summary)")
        #expect(run.errors.contains("input/output error") && !run.errors.contains("nothing"), "\(run.summary)")
        #expect(try StoreDump(of: new) == whole)
        #expect(try externalFiles(new) == files)
        #expect(try externalFiles(store) == files)
        // What is copied stays until the copy is durable; what is renamed is at one place only.
        #expect(FileSystem.exists(store) == (mode == "wal"))
        let again = try ToolProcess.ferry(["move", store, new])
        #expect(again.status == 0, "\(again.summary)")
        #expect(try StoreDump(of: new) == whole)
        #expect(try FileSystem.names(in: directory.path).filter { $0.contains("Recipes") } == [])
        #expect(try DatabaseFile(path: new).usesWriteAheadLog == (mode == "wal"))
    }

    @Test(.enabled(if: MountedFolder.isPossible))
    func aMoveToAnotherFileSystemKeepsTheStoreWhereItIs() throws {
        let mounted = try MountedFolder(kilobytes: 4096)
        let whole = try StoreDump(of: store)
        let new = mounted.file("New.sqlite")
        let run = try ferry(["move", store, new], naming: new)
        #expect(run.status == 1, "\(run.summary)")
        #expect(try StoreDump(of: store) == whole && StoreDump(of: new) == whole)
        #expect(try externalFiles(store) == externalFiles(new))
        #expect(try ToolProcess.ferry(["move", store, new]).status == 0)
        #expect(!FileSystem.exists(store))
    }

    @Test func aCopyAndAConversionSayIt() throws {
        for words in [
            ["copy", store], ["convert", store, "--models", Samples.models("Recipes"), "--output"],
            ["convert", store, "--models", Samples.models("Recipes"), "--to", "xml", "--output"],
        ] {
            let new = directory.file("New \(words.count)")
            let run = try ferry(words + [new], naming: new)
            #expect(run.status == 1, "\(run.summary)")
            #expect((run.errors + run.output).contains("power fail"), "\(run.summary)")
            #expect(FileSystem.exists(new))
        }
    }

    /// An error says that nothing has changed: what was replaced is back, and what is new is gone.
    @Test func filesThatAreMadeAreTakenBack() throws {
        let models = Samples.models("Recipes")
        for (words, name) in [
            (["compile", models, "--output"], "Model.momd"), (["lint", models, "--report"], "report.json"),
            (["export", store, "--models", models, "--entity", "Recipe", "--output"], "Recipe.csv"),
        ] {
            let path = directory.file(name)
            let run = try ferry(words + [path], naming: path)
            #expect(run.status == 2 && run.errors.contains("input/output error"), "\(run.summary)")
            #expect(!FileSystem.exists(path))
            if name.hasSuffix(".momd") {
                try FileSystem.createDirectory(path)
                try FileSystem.writeFile([1], to: path + "/Old.mom")
            } else {
                try FileSystem.writeFile([1], to: path)
            }
            let again = try ferry(words + [path, "--force"], naming: path)
            #expect(again.status == 2 && again.errors.contains("input/output error"), "\(again.summary)")
            if name.hasSuffix(".momd") {
                #expect(try FileSystem.names(in: path) == ["Old.mom"])
            } else {
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1]))
            }
            #expect(try FileSystem.names(in: directory.path).filter { $0.contains("staging") } == [])
        }
    }

    @Test func aChangeOfMetadataSaysIt() throws {
        let xml = directory.file("Store.xml")
        let made = try ToolProcess.ferry(
            ["convert", store, "--models", Samples.models("Recipes"), "--to", "xml", "--output", xml])
        #expect(made.status < 2, "\(made.summary)")
        let run = try ferry(["metadata", xml, "set", "seen", "true"], naming: xml)
        #expect(run.status == 1, "\(run.summary)")
        #expect(run.errors.contains("power fails"), "\(run.summary)")
        #expect(try ToolProcess.ferry(["metadata", xml, "get", "seen"]).output == "true\n")
    }
}
