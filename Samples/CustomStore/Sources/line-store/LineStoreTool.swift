import Foundation
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreConversion
import StoreFetching
import StoreMigration
import StoreVerification

/// What a tool of one's own does with stores of its own type: the same as with all others, given the registry.
@main
struct LineStoreTool {
    private static let registry = PersistentStoreRegistry.standard.adding(LineStoreFormat())

    static func main() {
        do {
            try run(CommandLine.arguments)
        } catch {
            FileHandle.standardError.write(Data("line-store: \(error)\n".utf8))
            exit(2)
        }
    }

    private static func run(_ words: [String]) throws {
        guard words.count >= 4 else {
            print(
                """
                usage: line-store convert STORE MODELS NEW-STORE
                       line-store verify STORE MODELS
                       line-store fetch STORE MODELS ENTITY PREDICATE
                """)
            return
        }
        let (path, catalog) = (words[2], try VersionCatalog(paths: [words[3]]))
        let version = try version(of: path, in: catalog)
        switch words[1] {
        case "convert" where words.count == 5: try convert(path, to: words[4], version)
        case "verify": try verify(path, version)
        case "fetch" where words.count == 6: try fetch(path, words[4], words[5], version)
        default: print("there is no such work, or too little is said of it")
        }
    }

    private static func version(of path: String, in catalog: VersionCatalog) throws -> VersionedModel {
        guard let format = registry.format(of: try registry.type(at: path)) else {
            return try catalog.sourceVersion(of: SQLiteStore(path: path), named: nil)
        }
        return try catalog.sourceVersion(of: format.metadata(at: path), at: path, named: nil)
    }

    private static func convert(_ path: String, to new: String, _ version: VersionedModel) throws {
        var options = ConversionOptions()
        options.registry = registry
        // Keys of SQLite are counted by table, those of other stores are all different.
        options.keepsIDs = try registry.type(at: path) != .sqlite
        let report = try StoreConverter(
            sources: [.init(path: path, model: version.model)],
            target: .init(path: new, type: registry.type(ofNewStore: new), newStore: version.newStore), options: options
        ).convert()
        print(report)
    }

    private static func verify(_ path: String, _ version: VersionedModel) throws {
        print(try AtomicStoreVerifier(path: path, version.newStore, registry: registry).verify())
    }

    /// What works on SQLite works on a store that stands for the other one while it is read.
    private static func fetch(
        _ path: String, _ entity: String, _ predicate: String, _ version: VersionedModel
    ) throws {
        let working = try WorkingStore(of: path, version.newStore, registry: registry, keepsFaults: true)
        let store = try SQLiteStore(path: working.path)
        let layout = store.layout(for: version.model)
        let request = FetchRequest(entityName: entity, predicate: try FormatPredicate(format: predicate))
        let plan = try FetchCompiler.plan(request, layout: layout, storeUUID: store.metadata.uuid)
        let cursor = try FetchCursor(plan, store: store, layout: layout)
        var writer = CSVWriter(OutputBuffer { print(String(decoding: $0, as: UTF8.self), terminator: "") }, for: cursor)
        try writer.writeAll(cursor)
    }
}
