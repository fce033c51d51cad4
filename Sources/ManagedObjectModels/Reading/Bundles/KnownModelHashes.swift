/// The version hashes that a compiled bundle's `VersionInfo.plist` or a store lists for one version: a known answer.
public struct KnownModelHashes: Sendable, Hashable {
    /// The name of the version that the hashes are of.
    public let versionName: String

    /// The path of the `.momd`, or of the store.
    public let bundlePath: String

    /// Each entity's hash.
    public let hashes: [String: VersionHash]

    /// The checksum of all hashes in base 64, from Xcode 15 on; nil if it is not listed.
    public let checksum: String?

    /// Makes the hashes of a version, as something beside the model lists them.
    public init(versionName: String, bundlePath: String, hashes: [String: VersionHash], checksum: String?) {
        self.versionName = versionName
        self.bundlePath = bundlePath
        self.hashes = hashes
        self.checksum = checksum
    }
}
