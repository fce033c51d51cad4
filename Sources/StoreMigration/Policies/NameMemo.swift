/// Finds positions by name. If the same names are requested repeatedly in the same order, they are not hashed.
struct NameMemo {
    private let names: [String]
    private let positions: [String: Int]
    /// For each position, the position that was requested next the last time. The element after the last one is for the
    /// first request.
    private var successors: [Int]
    private var last: Int

    init(_ names: [String], _ positions: [String: Int]) {
        self.names = names
        self.positions = positions
        successors = [Int](repeating: -1, count: names.count + 1)
        last = names.count
    }

    init(_ names: [String]) {
        self.init(names, Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first }))
    }

    mutating func position(of name: String) -> Int? {
        let guess = successors[last]
        if guess >= 0, names[guess] == name {
            last = guess
            return guess
        }
        guard let found = positions[name] else { return nil }
        successors[last] = found
        last = found
        return found
    }
}
