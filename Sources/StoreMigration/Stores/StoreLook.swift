import PersistentStores

/// The plan of a store's migration, and the state of the store before the plan was computed.
struct StoreLook {
    let plan: ChainPlan
    let fingerprint: StoreFingerprint

    /// The hashes in the metadata, by entity.
    let versionHashes: [String: [UInt8]]
}
