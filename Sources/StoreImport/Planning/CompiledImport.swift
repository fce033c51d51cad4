import ManagedObjectModels
import PersistentStores

/// A compiled import mapping: sources with slots, and the lookups that their relationships share.
struct CompiledImport {
    struct Resolver {
        let slot: Int
        let key: CompiledReferenceKey
        let table: EntityTable
        let defaults: [(column: String, value: ConvertedDefault)]
    }

    /// The sources. Files with the same mapping and the same columns share a source.
    var sources: [CompiledSource] = []
    /// For each file, the index of its source.
    var files: [Int] = []
    var resolvers: [Resolver] = []
    /// Sentences about rules of the model that cannot be checked.
    var findings: [String] = []
}
