import PersistentStores

/// The plan of a store's migration, and what the store looked like before it was planned.
struct StoreLook {
    let plan: ChainPlan
    let fingerprint: StoreFingerprint

    /// By entity, of the metadata.
    let versionHashes: [String: [UInt8]]
}
