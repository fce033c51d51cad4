/// A class whose instances are in an archive. All instances have the same keys, and the bytes before and after their
/// values are the same once the first instance has been written.
final class InstanceClass {
    /// The names of the class and of its superclasses.
    let names: [String]
    /// The keys of an instance's values, without the key of its class.
    let keys: [String]

    /// The marker of an instance, and the references to its keys; nil before the first instance.
    @exclusivity(unchecked) var beginning: [UInt8]?
    /// The reference to the class, in four bytes.
    @exclusivity(unchecked) var type: UInt64 = 0

    init(_ names: [String], keys: [String] = []) {
        self.names = names
        self.keys = keys
    }
}
