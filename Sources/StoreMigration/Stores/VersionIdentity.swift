/// The identity of a store's version. The way to another version depends on nothing else in the store.
struct VersionIdentity: Hashable {
    private let name: String
    private let path: String
    private let configuration: String?
    private let isPart: Bool
    private let hashes: [String: [UInt8]]
    private let alternatives: [String]

    init(_ version: VersionedModel) {
        (name, path, configuration) = (version.name, version.path, version.configuration)
        (isPart, hashes, alternatives) = (version.isPart, version.hashes, version.alternatives)
    }
}
