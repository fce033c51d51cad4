/// How the records lie in a property list.
struct PropertyListOptions: Equatable, Sendable {
    /// The keys that lead from the root to the array of records: `people`, `data.items`; nil for the root.
    ///
    /// With `*` at the end the members of a dictionary are the records.
    var recordPath: String?
    var limits = RecordLimits()
    /// The largest binary property list, in bytes: its objects are found from its end, so all of it is held.
    var largestBinary = 128 << 20
    /// Containers inside each other in a binary property list, so that one which contains itself comes to an end.
    var largestDepth = 512
}
