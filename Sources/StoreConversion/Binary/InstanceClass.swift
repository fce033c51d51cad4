/// A class of which an archive has instances: each has the same keys, and what stands before and behind its values is
/// the same for all of them once the first one is written.
final class InstanceClass {
    /// The name of the class, and those of the ones above it.
    let names: [String]
    /// The keys of an instance's values, without that of its class.
    let keys: [String]

    /// The marker of an instance, and the references to its keys; nil before the first one.
    @exclusivity(unchecked) var beginning: [UInt8]?
    /// The reference to the class, in four bytes.
    @exclusivity(unchecked) var type: UInt64 = 0

    init(_ names: [String], keys: [String] = []) {
        self.names = names
        self.keys = keys
    }
}
