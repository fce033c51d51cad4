/// The objects that break one rule: how many were made so, how many were so before, and some of the former.
struct InvalidObjects {
    var count: Int64 = 0
    var copied: Int64 = 0

    /// URIs.
    var examples: [String] = []

    /// The values of the examples, as SQL writes them; the number of destinations of a relationship.
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
