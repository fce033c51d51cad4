/// The objects that violate a rule: the number of new violations, the number of earlier ones, and examples of the new
/// ones.
struct InvalidObjects {
    var count: Int64 = 0
    var copied: Int64 = 0

    /// The URIs of the examples.
    var examples: [String] = []

    /// The values of the examples, as SQL literals; for a relationship, the number of destinations.
    var values: [String] = []

    mutating func add(isCopied: Bool, value: String, example: () -> String) {
        if isCopied {
            copied += 1
            return
        }
        count += 1
        guard examples.count < ConcernedObjects.exampleCount else { return }
        examples.append(example())
        values.append(value)
    }
}
