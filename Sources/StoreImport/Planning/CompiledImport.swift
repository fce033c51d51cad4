import ManagedObjectModels
import PersistentStores

/// An import mapping made ready: sources with slots, and the look-ups that their relationships share.
struct CompiledImport {
    struct Resolver {
        let slot: Int
        let key: CompiledReferenceKey
        let table: EntityTable
        let defaults: [(column: String, value: ConvertedDefault)]
    }

    /// Files with the same mapping and the same columns share a source.
    var sources: [CompiledSource] = []
    /// By file, the index of its source.
    var files: [Int] = []
    var resolvers: [Resolver] = []
    /// What the model asks for and cannot be checked: sentences.
    var findings: [String] = []
}
