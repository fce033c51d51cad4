import ManagedObjectModels
import PersistentStores

/// What all policies of a migration share: both stores' tables, and the rules that lead from one's objects to the
/// other's.
struct PolicyProgram: Sendable {
    /// The rules of one entity mapping, as queries of keys and entity numbers.
    struct Association: Sendable {
        let mapping: String
        let source: Int
        let destination: Int
        /// The destination objects of the source key ?1.
        let forward: String
        /// The source keys of the destination key ?1.
        let backward: String
        /// The table of pairs, where policies associate objects.
        let table: String?
    }

    let source: StoreLayout
    let destination: StoreLayout
    let naming: SourceNaming
    let storeUUID: String
    let now: Double
    let associations: [Association]
    /// The first key of each root's table that no mapping gives.
    let firstFreeKeys: [Int: Int64]
    /// What becomes of objects that lack what the model requires.
    let invalidObjects: InvalidObjectPolicy

    var isStrict: Bool { invalidObjects == .refuse }
}
