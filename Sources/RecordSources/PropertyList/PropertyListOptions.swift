/// How the records are arranged in a property list.
struct PropertyListOptions: Equatable, Sendable {
    /// The keys that lead from the root to the array of records, such as `people` or `data.items`; nil for the root.
    ///
    /// With `*` at the end, the members of a dictionary are the records.
    var recordPath: String?
    var limits = RecordLimits()
    /// The size of the largest binary property list in bytes. Its objects are found from its end, so all of it is in
    /// memory.
    var largestBinary = 128 << 20
    /// The depth of nested containers in a binary property list, so that a container that contains itself ends.
    var largestDepth = 512
}
