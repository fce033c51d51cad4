/// A store of a fleet, as its manifest has it.
public struct FleetStore: Sendable, Hashable {
    /// Its number in the manifest, from 1.
    public let number: Int64

    public let path: String

    /// Bytes of the store and its external data when the fleet was planned.
    public let bytes: Int64

    /// Where the new store goes; nil to work on the store itself.
    public let output: String?

    /// The folder that gets the old files; nil for none.
    public let backup: String?
}
