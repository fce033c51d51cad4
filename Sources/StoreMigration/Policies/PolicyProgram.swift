import ManagedObjectModels
import PersistentStores

/// The data that all policies of a migration share: the tables of both stores, and the rules that map source objects to
/// destination objects.
struct PolicyProgram: Sendable {
    /// The rules of one entity mapping, as queries for keys and entity numbers.
    struct Association: Sendable {
        let mapping: String
        let source: Int
        let destination: Int
        /// The query for the destination objects of the source key ?1.
        let forward: String
        /// The query for the source keys of the destination key ?1.
        let backward: String
        /// The table of pairs, if policies associate the objects; nil otherwise.
        let table: String?
    }

    let source: StoreLayout
    let destination: StoreLayout
    let naming: SourceNaming
    let storeUUID: String
    let now: Double
    let associations: [Association]
    /// For each root entity, the first key of its table that no mapping assigns.
    let firstFreeKeys: [Int: Int64]
    /// How the migration continues if objects lack required values.
    let invalidObjects: InvalidObjectPolicy

    var isStrict: Bool { invalidObjects == .refuse }
}
