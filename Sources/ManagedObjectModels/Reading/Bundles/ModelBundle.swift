/// A folder that holds the versions of one model: an `.xcdatamodeld`, or a compiled `.momd`.
public struct ModelBundle: Sendable, Hashable {
    /// The name without its extension.
    public let name: String
    public let path: String

    /// The name of the version that the bundle calls current; nil if it calls none so.
    public let currentVersionName: String?

    /// Whether a file of the bundle says so: Xcode names the current version only where there was a choice.
    public let namesCurrentVersion: Bool
}
