import Foundation
import ManagedObjectModels
import PersistentStores
import StoreMigration
import TestSupport
import Testing

/// Every real store that carries its model is decompiled, and the result compiled again.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here")) struct CorpusDecompileTests {
    @Test(.long) func theModelsOfStoresComeBack() throws {
        let paths =
            Corpus.files(under: "3_stores") { _ in true } + Corpus.files(under: "../formats/hash-samples") { _ in true }
        var models = 0
        var losses: Set<String> = []
        for path in paths where FileSystem.isDatabase(path) {
            guard let store = try? SQLiteStore(path: path), try store.cachedModel() != nil else { continue }
            let own = try StoreModel.document(of: store)
            #expect(own.warnings == [], "\(path)")
            let source = try SourceModelBundle([("Model", own.document)], currentVersionName: "Model")
            let read = try ModelContentsReader.read(bytes: source.files[0].bytes, name: path)
            let hashes = ModelHashes.hashes(of: try ResolvedModel(read.model)).mapValues(\.bytes)
            #expect(hashes == store.metadata.versionHashes, "\(path)")
            let (one, other) = (
                try CompiledModelWriter(own.document.model).compile(), try CompiledModelWriter(read.model).compile()
            )
            if source.warnings.contains(where: \.isLoss) {
                losses.insert(FileSystem.name(of: path))
            } else {
                #expect(one.bytes == other.bytes, "\(path)")
            }
            models += 1
        }
        #expect(models > 60)
        // Sort orders and validation predicates made in code, which no source model can hold.
        #expect(losses.count < 5, "\(losses)")
    }
}
