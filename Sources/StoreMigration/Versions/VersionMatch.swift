public import ManagedObjectModels

/// A model version that has the hashes of a store.
public struct VersionMatch: Sendable {
    /// The version.
    public let version: ModelVersion

    /// The configuration whose entities the store holds; nil if it holds all.
    public let configuration: String?

    /// Other versions with the same hashes: what does not enter a hash, such as defaults, may differ.
    public let others: [ModelVersion]
}
