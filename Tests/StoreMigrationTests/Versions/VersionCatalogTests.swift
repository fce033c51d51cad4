import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Which version a store was made with and where it goes, among models in files.
@Suite struct VersionCatalogTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The elements of a model's contents.
    private static func contents(_ entities: [String], configurations: [String: [String]] = [:]) -> String {
        let parts = configurations.sorted { $0.key < $1.key }.map { name, members in
            "<configuration name=\"\(name)\">" + members.map { "<memberEntity name=\"\($0)\"/>" }.joined()
                + "</configuration>"
        }
        return "<?xml version=\"1.0\"?><model>" + entities.joined() + parts.joined() + "</model>"
    }

    private static func entity(_ name: String, _ attributes: String...) -> String {
        "<entity name=\"\(name)\">"
            + attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
            + "</entity>"
    }

    /// Writes a bundle and returns its path.
    @discardableResult
    private func bundle(_ name: String, current: String, _ versions: [String: String]) throws -> String {
        for (version, contents) in versions {
            try FileSystem.createDirectory(directory.file("\(name).xcdatamodeld/\(version).xcdatamodel"))
            try directory.write(contents, to: "\(name).xcdatamodeld/\(version).xcdatamodel/contents")
        }
        try directory.write(
            "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(current).xcdatamodel</string></dict></plist>",
            to: "\(name).xcdatamodeld/.xccurrentversion")
        return directory.file("\(name).xcdatamodeld")
    }

    /// A store of a version, or of one configuration of it.
    private func store(of path: String, configuration: String? = nil) throws -> SQLiteStore {
        let catalog = try VersionCatalog(paths: [path])
        let whole = try catalog.versionedModel(catalog.versions[0])
        let version = try configuration.map { try whole.restricted(to: $0) } ?? whole
        let file = directory.file("Store.sqlite")
        try TestStore.create(file, of: version, rows: "", usesLog: false)
        return try SQLiteStore(path: file)
    }

    private static let old = contents([entity("Note", "text")])
    private static let new = contents([entity("Note", "date", "text")])

    // MARK: - Warnings and models that cannot be read

    @Test func aListOfHashesWarnsOfAllVersions() throws {
        let strange = Self.old.replacing("<entity", with: "<novelty/><entity")
        let path = try bundle("App", current: "2", ["1": strange, "2": Self.new, "0": strange])
        let catalog = try VersionCatalog(paths: [path])
        for _ in 0..<2 { #expect(try HashListing(catalog).versions.map(\.entities.count) == [1, 1, 1]) }
        #expect(catalog.warnings.count == 2)
    }

    @Test func aStoreOfOneConfigurationOfFormerVersionsIsFoundAmongMergedModels() throws {
        func model(_ name: String, _ attributes: String, isInCloud: Bool) throws -> String {
            let configurations = isInCloud ? ["Cloud": [name]] : ["Local": [name + "Log"]]
            func version(_ extra: String) -> String {
                Self.contents(
                    [Self.entity(name, attributes + extra), Self.entity(name + "Log", "line" + extra)],
                    configurations: configurations)
            }
            return try bundle(name, current: "2", ["1": version(""), "2": version("New")])
        }
        let paths = [
            try model("Note", "text", isInCloud: true), try model("Photo", "image", isInCloud: true),
            try model("Setting", "value", isInCloud: false),
        ]
        let former = try ManagedObjectModel.merging(
            try paths.map { try ModelVersions(path: $0).version("1").model() })
        let part = try VersionedModel(name: "old", path: "", model: ResolvedModel(former)).restricted(to: "Cloud")
        let file = directory.file("Cloud.sqlite")
        try TestStore.create(file, of: part, rows: "", usesLog: false)
        let catalog = try VersionCatalog(merging: paths)
        let source = try catalog.sourceVersion(of: SQLiteStore(path: file), named: nil)
        #expect(source.name == "1 + 1 + 2")
        #expect(source.configuration == "Cloud")
        #expect(source.model.entities.map(\.name).sorted() == ["Note", "Photo"])
    }

    @Test func onlyWhatIsUsedIsWarnedOf() throws {
        let strange = Self.old.replacing("<entity", with: "<novelty/><entity")
        let path = try bundle(
            "App", current: "2", ["1": Self.old, "2": Self.new, "0": strange.replacing("text", with: "x")])
        let store = try store(of: path + "/1.xcdatamodel")
        let catalog = try VersionCatalog(paths: [path])
        let source = try catalog.sourceVersion(of: store, named: nil)
        _ = try catalog.destinationVersion(named: nil, for: source)
        #expect(catalog.warnings == [])
        _ = try catalog.sourceVersion(of: store, named: "0")
        #expect(catalog.warnings.count == 1)
    }

    @Test func aModelThatCannotBeReadDoesNotHideThatTheVersionIsUnknown() throws {
        let path = try bundle("App", current: "2", ["1": Self.old, "2": Self.new])
        let store = try store(of: path + "/1.xcdatamodel")
        let other = try bundle("Other", current: "2", ["1": "<model", "2": Self.new])
        let error = #expect(throws: MigrationError.self) {
            _ = try VersionCatalog(paths: [other]).sourceVersion(of: store, named: nil)
        }
        let text = error?.description ?? ""
        #expect(text.contains("The model used to open the store is incompatible with the one used to create the store"))
        #expect(text.contains("Note has another version hash") && text.contains("a version could not be read"))
        #expect(text.contains("Other.xcdatamodeld/1.xcdatamodel"))
        // It does not matter to a store whose version is there.
        #expect(try VersionCatalog(paths: [other, path]).sourceVersion(of: store, named: nil).name == "1")
    }

    @Test func whereNoModelCanBeReadThatIsTheError() throws {
        let path = try bundle("App", current: "1", ["1": Self.old])
        let store = try store(of: path)
        let broken = try bundle("Broken", current: "1", ["1": "<model"])
        #expect(throws: ModelError.self) {
            _ = try VersionCatalog(paths: [broken]).sourceVersion(of: store, named: nil)
        }
    }

    @Test func modelsOfAnotherAppAreNotCalledNear() throws {
        let store = try store(of: try bundle("App", current: "1", ["1": Self.old]))
        let other = try bundle("Other", current: "1", ["1": Self.contents([Self.entity("Invoice", "number")])])
        let catalog = try VersionCatalog(paths: [other])
        let error = #expect(throws: MigrationError.self) { _ = try catalog.sourceVersion(of: store, named: nil) }
        #expect(error?.description.contains("no version has any of its entities") ?? false)
        let match = try StoreInspection.match(store, in: catalog)
        #expect(match.nearest == nil && match.differences == [])
    }

    // MARK: - Names and paths

    @Test func amongVersionsOfEqualHashesTheBundleOfTheDestinationCounts() throws {
        let first = try bundle("First", current: "2", ["1": Self.old, "2": Self.new])
        let second = try bundle("Second", current: "2", ["1": Self.old, "2": Self.new])
        let store = try store(of: first + "/1.xcdatamodel")
        let catalog = try VersionCatalog(paths: [first, second])
        let source = try catalog.sourceVersion(of: store, named: nil)
        #expect(source.path.hasPrefix(first) && source.alternatives == [second + "/1.xcdatamodel"])
        #expect(try catalog.destinationVersion(named: nil, for: source).path.hasPrefix(first))
        // A name that both have is meant in the source's bundle.
        #expect(try catalog.destinationVersion(named: "2", for: source).path.hasPrefix(first))
        let other = try catalog.sourceVersion(of: store, named: nil, towards: second + "/2.xcdatamodel")
        #expect(other.path.hasPrefix(second))
        let plan = try MigrationPlanner(
            store: store, from: source, to: catalog.destinationVersion(named: nil, for: source), options: .init()
        ).plan()
        #expect(plan.findings.first { $0.code == "several-versions" }?.message.contains(second) ?? false)
    }

    @Test func onePathIsOneVersionHoweverItIsWritten() throws {
        let path = try bundle("App", current: "2", ["1": Self.old, "2": Self.new])
        let link = directory.file("Link.xcdatamodeld")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let folder = FileSystem.directory(of: path)
        let catalog = try VersionCatalog(paths: [path, folder + "/./App.xcdatamodeld/"])
        #expect(catalog.versions.count == 2)
        for name in ["/1", "/1.xcdatamodel", "/1.xcdatamodel/contents", "/1.xcdatamodel/"] {
            for start in [path, link, folder + "/./App.xcdatamodeld", folder + "//App.xcdatamodeld"] {
                #expect(try catalog.version(named: start + name).name == "1", "\(start + name)")
            }
        }
        #expect(catalog.versions.count == 2)
    }

    @Test func versionsMayLieOutsideTheModelsThatAreNamed() throws {
        let inside = try bundle("App", current: "2", ["2": Self.new])
        let outside = try bundle("Old", current: "1", ["1": Self.old, "0": Self.contents([Self.entity("Other")])])
        let catalog = try VersionCatalog(paths: [inside])
        #expect(try catalog.version(named: outside + "/0.xcdatamodel").name == "0")
        #expect(try catalog.version(named: outside).name == "1")
        #expect(throws: ModelError.self) { _ = try catalog.version(named: "3") }
    }

    // MARK: - Configurations

    private static let parts = ["Cloud": ["Note"], "Local": ["Cache"], "Everything": ["Cache", "Note"]]
    private static let oldParts = contents([entity("Cache", "key"), entity("Note", "text")], configurations: parts)
    private static let newParts = contents(
        [entity("Cache", "key", "size"), entity("Note", "date", "text")], configurations: parts)

    @Test func aStoreOfOneConfigurationIsMigratedWithItsEntities() throws {
        let path = try bundle("App", current: "2", ["1": Self.oldParts, "2": Self.newParts])
        let store = try store(of: path + "/1.xcdatamodel", configuration: "Cloud")
        #expect(Set(store.metadata.versionHashes.keys) == ["Note"])
        let catalog = try VersionCatalog(paths: [path])
        let match = try StoreInspection.match(store, in: catalog)
        #expect(match.version == "1" && match.configuration == "Cloud")
        let source = try catalog.sourceVersion(of: store, named: nil)
        let destination = try catalog.destinationVersion(named: nil, for: source)
        #expect(destination.name == "2" && Set(destination.hashes.keys) == ["Note"])
        let fingerprint = StoreFingerprint(of: store.files, isSettled: true)
        let plan = try MigrationPlanner(store: store, from: source, to: destination, options: .init()).plan()
        #expect(plan.description.contains("configuration Cloud"))
        _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
        let result = try SQLiteStore(path: store.files.path)
        #expect(result.entityNames == ["Note"])
        #expect(result.schema.table(named: "ZCACHE") == nil)
        #expect(result.metadata.versionHashes == destination.hashes)
        #expect(try StoreInspection.match(result, in: catalog).version == "2")
    }

    @Test func whatIsNamedOrNotThereIsSaid() throws {
        var parts = Self.parts
        parts["Cloud"] = nil
        let gone = Self.newParts.replacing("\"Cloud\"", with: "\"Sky\"")
        let path = try bundle("App", current: "2", ["1": Self.oldParts, "2": gone])
        let store = try store(of: path + "/1.xcdatamodel", configuration: "Cloud")
        let catalog = try VersionCatalog(paths: [path])
        let source = try catalog.sourceVersion(of: store, named: "1")
        #expect(source.configuration == "Cloud")
        let error = #expect(throws: MigrationError.self) { _ = try catalog.destinationVersion(named: nil, for: source) }
        #expect(error?.description.contains("Everything, Local, Sky") ?? false)
        #expect(throws: MigrationError.self) {
            _ = try catalog.sourceVersion(of: store, named: "1", configuration: "Nothing")
        }
    }

    @Test func aConfigurationWithoutWhatItsEntitiesNeedIsRefused() throws {
        let child = "<entity name=\"Page\" parentEntity=\"Note\"/>"
        let path = try bundle(
            "App", current: "1",
            ["1": Self.contents([Self.entity("Note", "text"), child], configurations: ["Pages": ["Page"]])])
        let catalog = try VersionCatalog(paths: [path])
        let version = try catalog.versionedModel(catalog.versions[0])
        let error = #expect(throws: MigrationError.self) { _ = try version.restricted(to: "Pages") }
        #expect(error?.description.contains("Page without Note") ?? false)
    }
}
