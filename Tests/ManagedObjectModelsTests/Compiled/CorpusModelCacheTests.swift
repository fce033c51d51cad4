import Foundation
import KeyedArchives
import ManagedObjectModels
import SQLiteAccess
import TestSupport
import Testing

/// The models that stores carry, against the hashes in their metadata.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here"))
struct CorpusModelCacheTests {
    private static let stores =
        Corpus.files(under: "3_stores") { _ in true } + Corpus.files(under: "../formats/hash-samples") { _ in true }

    /// The content of the model cache and of the metadata; nil for a file that is not a store with a model.
    private static func content(of path: String) throws -> (cache: [UInt8], metadata: [UInt8])? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
            FileHandle(forReadingAtPath: path)?.readData(ofLength: 15) == Data("SQLite format 3".utf8)
        else { return nil }
        guard let connection = try? Connection(path: path, access: .readOnly),
            let cache = try? connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE").first?.first,
            let metadata = try? connection.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first,
            case .blob(let model) = cache, case .blob(let list) = metadata
        else { return nil }
        return (model, list)
    }

    @Test(.long)
    func everyModelInAStoreLoadsAndHasTheHashesThatTheStoreLists() throws {
        var models = 0
        var entities = 0
        for path in Self.stores {
            guard let content = try Self.content(of: path) else { continue }
            let document = try ModelCacheReader.read(content.cache, name: path)
            let metadata = try PropertyListReader.value(from: content.metadata)
            let computed = ModelHashes.hashes(of: try ResolvedModel(document.model))
            let listed = try #require(metadata["NSStoreModelVersionHashes"]?.dictionary)
            for (name, hash) in listed {
                #expect(computed[name]?.bytes == hash.data, "\(path) \(name)")
                entities += 1
            }
            #expect(computed.count == listed.count, "\(path)")
            models += 1
        }
        #expect(models > 90)
        #expect(entities > 1500)
    }

    /// A round trip over all that Core Data itself has archived.
    @Test(.long)
    func everyModelInAStoreIsCompiledAndReadAgain() throws {
        for path in Self.stores {
            guard let content = try Self.content(of: path) else { continue }
            let model = try ModelCacheReader.read(content.cache, name: path).model
            let bytes = try CompiledModelWriter(model).compile().bytes
            #expect(try CompiledModelReader.read(bytes: bytes, name: path).model.compiledForm == model.compiledForm)
        }
    }
}
