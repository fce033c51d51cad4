/// The structure of the members of a JSON object within records, if they are objects with IDs as keys: `{"chapters":
/// {"c1": {...}, "c2": {...}}}`.
struct SampledMembers {
    private(set) var part: SampledPart
    private var largestCount = 0
    private var hasOthers = false
    /// The keys that all members have.
    private var common: Set<String>?

    /// The smallest number of similar members; fewer may be similar by chance.
    private static let leastCount = 3

    init(_ limits: DraftLimits) {
        part = SampledPart(isJSON: true, limits: limits)
    }

    /// Whether each member is a record.
    var areRecords: Bool { !hasOthers && largestCount >= Self.leastCount && common?.isEmpty == false }

    /// Adds an object; has no effect after a member that was not an object.
    mutating func add(node: Int, of batch: RecordBatch, depth: Int) {
        guard !hasOthers else { return }
        var count = 0
        var child = Int(batch.nodes[node].firstChild)
        while child >= 0 {
            guard batch.nodes[child].kind == .object else {
                hasOthers = true
                return
            }
            part.add(node: child, of: batch, depth: depth, isMember: true)
            var keys = Set<String>()
            var member = Int(batch.nodes[child].firstChild)
            while member >= 0, keys.count < part.limits.fields {
                keys.insert(batch.text(of: batch.nodes[member].name))
                member = Int(batch.nodes[member].nextSibling)
            }
            common = common.map { $0.intersection(keys) } ?? keys
            count += 1
            child = Int(batch.nodes[child].nextSibling)
        }
        largestCount = max(largestCount, count)
    }
}
