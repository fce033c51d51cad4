/// The version hashes of one version that a compiled bundle's `VersionInfo.plist` or a store lists.
public struct KnownModelHashes: Sendable, Hashable {
    /// The name of the version.
    public let versionName: String

    /// The path of the `.momd`, or of the store.
    public let bundlePath: String

    /// Each entity's hash.
    public let hashes: [String: VersionHash]

    /// The checksum of all hashes in base 64; nil if it is not listed, as before Xcode 15.
    public let checksum: String?

    /// Makes the listed hashes of a version.
    public init(versionName: String, bundlePath: String, hashes: [String: VersionHash], checksum: String?) {
        self.versionName = versionName
        self.bundlePath = bundlePath
        self.hashes = hashes
        self.checksum = checksum
    }
}
