/// The version hashes that a compiled bundle's `VersionInfo.plist` lists for one version: an answer that is known.
public struct KnownModelHashes: Sendable, Hashable {
    public let versionName: String

    /// The path of the `.momd`.
    public let bundlePath: String

    /// Each entity's hash.
    public let hashes: [String: VersionHash]

    /// The checksum of all hashes in base 64, from Xcode 15 on.
    public let checksum: String?
}
