public import ManagedObjectModels

/// A model version with the hashes of a store.
public struct VersionMatch: Sendable {
    /// The version.
    public let version: ModelVersion

    /// The configuration whose entities the store contains; nil if it contains all.
    public let configuration: String?

    /// Other versions with the same hashes. They may differ in properties that do not affect the hashes, such as
    /// defaults.
    public let others: [ModelVersion]
}
