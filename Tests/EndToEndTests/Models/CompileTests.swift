import Foundation
import ManagedObjectModels
import TestSupport
import Testing

/// `ferry compile`, `decompile` and `hashes`, as users run them.
@Suite struct CompileTests {
    private let directory: TemporaryDirectory
    private static let company = Samples.models("Company")

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    private func listing() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
    }

    private func json(_ result: ToolProcess.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    }

    @Test func aBundleIsCompiledAndDecompiledToTheSame() throws {
        let compiled = try ferry("compile", Self.company, "--output", "Company.momd", "--module", "App")
        #expect(compiled.status == 0, "\(compiled.summary)")
        #expect(compiled.errors == "")
        let decompiled = try ferry("decompile", "Company.momd", "-o", "Back.xcdatamodeld")
        #expect(decompiled.status == 0, "\(decompiled.summary)")
        let again = try ferry("compile", "Back.xcdatamodeld", "-o", "Again.momd")
        #expect(again.status == 0, "\(again.summary)")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.file("Company.momd"))
        #expect(names.count == 5)
        for name in names {
            #expect(
                FileManager.default.contents(atPath: directory.file("Company.momd/\(name)"))
                    == FileManager.default.contents(atPath: directory.file("Again.momd/\(name)")), "\(name)")
        }
        let source = try ModelVersions(path: Self.company)
        let back = try ModelVersions(path: directory.file("Back.xcdatamodeld"))
        #expect(try back.current().name == source.current().name)
        for version in source.versions {
            let (one, other) = (try version.model(), try back.version(version.name).model())
            #expect(
                ModelHashes.hashes(of: try ResolvedModel(one)) == ModelHashes.hashes(of: try ResolvedModel(other)))
        }
    }

    @Test func hashesAreThoseOfTheStore() throws {
        let store = try Samples.buildStore("Company", in: directory)
        let ofStore = try json(try ferry("hashes", store, "--json"))
        let ofModel = try json(try ferry("hashes", Self.company, "--version", "Company", "--json"))
        let (one, other) = (ofStore["versions"] as? [[String: Any]], ofModel["versions"] as? [[String: Any]])
        #expect(one?.count == 1 && other?.count == 1)
        for key in ["digest", "checksum", "entities"] {
            let (stored, computed) = (one?.first?[key] as? NSObject, other?.first?[key] as? NSObject)
            #expect(stored != nil && stored == computed, "\(key)")
        }
        let text = try ferry("hashes", Self.company)
        #expect(text.status == 0)
        #expect(text.output.contains("Version Company 4, current"))
        #expect(text.output.contains(other?.first?["checksum"] as? String ?? "none"))
    }

    @Test func oneVersionIsCompiledToAFile() throws {
        let run = try ferry(
            "compile", Self.company, "-o", "Old.mom", "--version", "Company 2", "--module", "App", "--json")
        #expect(run.status == 0, "\(run.summary)")
        #expect(try CompiledModelReader.read(path: directory.file("Old.mom")).model.entities.count == 7)
        #expect(try listing() == ["Old.mom"])
        let report = try json(run)
        #expect((report["versions"] as? [[String: Any]])?.first?["name"] as? String == "Company 2")
    }

    @Test func nothingIsOverwrittenUnasked() throws {
        try directory.write("mine", to: "Company.mom")
        let refused = try ferry("compile", Self.company, "-o", "Company.mom")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("it exists already"))
        #expect(try String(contentsOfFile: directory.file("Company.mom"), encoding: .utf8) == "mine")
        let forced = try ferry("compile", Self.company, "-o", "Company.mom", "--force", "--module", "App")
        #expect(forced.status == 0, "\(forced.summary)")
        #expect(try listing() == ["Company.mom"])
    }

    @Test func anErrorNamesTheLineAndWritesNothing() throws {
        let folder = "App.xcdatamodeld/App.xcdatamodel"
        try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        try directory.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="A"/>
                <fetchRequest name="r" entity="A" predicateString="a == "/>
            </model>
            """, to: folder + "/contents")
        let run = try ferry("compile", "App.xcdatamodeld", "-o", "App.momd")
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("ferry: App.xcdatamodeld/App.xcdatamodel/contents:3: the predicate \"a == \""))
        let names = try listing()
        #expect(names.allSatisfy { !$0.contains("momd") })
    }

    /// Xcode names the current version only where the source has `.xccurrentversion`.
    @Test func aSourceThatNamesNoVersionGivesABundleThatNamesNone() throws {
        let folder = "App.xcdatamodeld/App.xcdatamodel"
        try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        try directory.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="A"/>
                <fetchRequest name="r" entity="A" fetchLimit="10"/>
            </model>
            """, to: folder + "/contents")
        func currentName(_ bundle: String) throws -> String? {
            let file = try #require(FileManager.default.contents(atPath: directory.file(bundle + "/VersionInfo.plist")))
            let list = try PropertyListSerialization.propertyList(from: file, format: nil) as? [String: Any]
            return list?["NSManagedObjectModel_CurrentVersionName"] as? String
        }
        let run = try ferry("compile", "App.xcdatamodeld", "-o", "App.momd")
        #expect(run.status == 0, "\(run.summary)")
        #expect(run.errors.contains("the fetch request \"r\""))
        #expect(try currentName("App.momd") == nil)
        #expect(try ModelVersions(path: directory.file("App.momd")).current().name == "App")
        let back = try ferry("decompile", "App.momd", "-o", "Back.xcdatamodeld")
        #expect(back.status == 0, "\(back.summary)")
        #expect(try listing().contains("Back.xcdatamodeld/App.xcdatamodel/contents"))
        #expect(try !listing().contains("Back.xcdatamodeld/.xccurrentversion"))
        let named = try ferry("compile", "App.xcdatamodeld", "-o", "Named.momd", "--version", "App")
        #expect(named.status == 0, "\(named.summary)")
        #expect(try currentName("Named.momd") == "App")
    }

    @Test func whatIsNotEstablishedIsAFinding() throws {
        try FileManager.default.createDirectory(
            atPath: directory.file("App.xcdatamodel"), withIntermediateDirectories: true)
        try directory.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
                <entity name="A" representedClassName=".A"/>
            </model>
            """, to: "App.xcdatamodel/contents")
        let run = try ferry("compile", "App.xcdatamodel", "-o", "App.mom")
        #expect(run.status == 1)
        #expect(run.errors.contains("App.xcdatamodel/contents:2: entity A: the class .A"))
        #expect(try listing().contains("App.mom"))
    }

    @Test func textsAreCarriedAlong() throws {
        for folder in ["App.xcdatamodeld/App.xcdatamodel", "App.xcdatamodeld/de.lproj", "en.lproj", "out"] {
            try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        }
        try directory.write(
            #"<model type="com.apple.IDECoreDataModeler.DataModel"/>"#, to: "App.xcdatamodeld/App.xcdatamodel/contents")
        try directory.write(#""Entity/A" = "An A";"#, to: "en.lproj/AppModel.strings")
        try directory.write(#""Entity/A" = "Ein A";"#, to: "App.xcdatamodeld/de.lproj/AppModel.strings")
        let run = try ferry("compile", "App.xcdatamodeld", "-o", "out/App.momd")
        #expect(run.status == 0, "\(run.summary)")
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: directory.file("out")).sorted() == [
                "App.momd", "App.momd/App.mom", "App.momd/VersionInfo.plist", "App.momd/de.lproj",
                "App.momd/de.lproj/AppModel.strings", "en.lproj", "en.lproj/AppModel.strings",
            ])
        let back = try ferry("decompile", "out/App.momd", "-o", "back/App.xcdatamodeld")
        #expect(back.status == 2, "no such folder: \(back.summary)")
        let beside = try ferry("decompile", "out/App.momd", "-o", "out/App.xcdatamodeld")
        #expect(beside.status == 0, "\(beside.summary)")
        #expect(
            try String(
                contentsOfFile: directory.file("out/App.xcdatamodeld/de.lproj/AppModel.strings"), encoding: .utf8)
                == #""Entity/A" = "Ein A";"#)
    }

    @Test(arguments: [
        (["compile", "a", "-o", "b.mo"], "--output takes a path that ends in .momd or .mom"),
        (["compile", "a"], "--output PATH is missing"),
        (["decompile", "a", "-o", "b.mom"], "--output takes a path that ends in .xcdatamodeld or .xcdatamodel"),
        (["hashes"], "MODEL|STORE... is missing"),
    ])
    func wrongCommandLines(words: [String], message: String) throws {
        let run = try ToolProcess.ferry(words, in: directory.path)
        #expect(run.status == 64)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    /// Between two renames the bundle would be under no name that anybody looks for.
    @Test(.enabled(if: FaultLibrary.shared != nil, "no C compiler is installed"))
    func aBundleThatIsReplacedIsThereAtEveryMoment() throws {
        let faults = try #require(FaultLibrary.shared)
        #expect(try ferry("compile", Self.company, "-o", "Company.momd").status == 0)
        let before = try FolderState(of: directory.file("Company.momd"))
        let path = directory.file("Company.momd")
        let again = try ToolProcess.ferry(
            ["compile", Self.company, "-o", path, "--version", "Company", "--force"],
            environment: faults.killed(beforeRenamingTo: path))
        #expect(again.status == 0 && again.signal == nil, "\(again.summary)")
        #expect(try FolderState(of: path).byteDifferences(from: before) != [])
        #expect(try listing().filter { $0.contains("staging") } == [])
    }

    @Test func aStoreWithoutAModelIsRefused() throws {
        let store = try Samples.buildStore("Company", in: directory)
        let run = try ferry("decompile", store, "-o", "C.xcdatamodeld")
        #expect(run.status == 2)
        #expect(run.errors.contains("the store carries no model"))
    }
}
