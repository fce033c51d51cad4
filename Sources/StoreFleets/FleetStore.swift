/// A store of a fleet, as its manifest has it.
public struct FleetStore: Sendable, Hashable {
    /// Its number in the manifest, from 1.
    public let number: Int64

    /// Its path, or its name for the commands that bring it.
    public let path: String

    /// The size of the store and its external data when the fleet was planned, in bytes.
    public let bytes: Int64

    /// Its version when the fleet was planned; nil if it was not known.
    public let version: String?

    /// Where what is made of it goes; nil to work on the store itself.
    public let output: String?

    /// The folder that gets the old files; nil for none.
    public let backup: String?

    /// The same store as a file elsewhere.
    func staged(at path: String) -> FleetStore {
        FleetStore(
            number: number, path: path, bytes: bytes, version: version, output: output, backup: backup)
    }
}
