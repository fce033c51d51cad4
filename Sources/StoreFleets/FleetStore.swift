/// A store of a fleet, from its manifest.
public struct FleetStore: Sendable, Hashable {
    /// The store's number in the manifest, from 1.
    public let number: Int64

    /// The store's path, or its name for fetch commands.
    public let path: String

    /// The size of the store and its external data at planning time, in bytes.
    public let bytes: Int64

    /// The store's version at planning time; nil if unknown.
    public let version: String?

    /// The path of its output; nil to change the store itself.
    public let output: String?

    /// The folder for its backup; nil for none.
    public let backup: String?

    /// Returns the store as a file at another path.
    func staged(at path: String) -> FleetStore {
        FleetStore(
            number: number, path: path, bytes: bytes, version: version, output: output, backup: backup)
    }
}
