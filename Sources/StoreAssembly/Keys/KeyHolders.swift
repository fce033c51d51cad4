import SQLiteFileBuilder

/// The values of objects for the parts of keys, on disk.
struct HeldValues {
    private let file: NumberFile
    private let width: Int64

    init(parts: Int, beside path: String, pages: Int) throws(BuildError) {
        file = try NumberFile(beside: path, pages: pages)
        // The entity and the number of an object come before its values.
        width = 2 * Int64(parts) + 2
    }

    func entity(of object: Int64) throws(BuildError) -> Int { Int(try file.number(at: object * width)) }

    /// Returns the number of objects that existed when an object was created, including itself.
    func number(of object: Int64) throws(BuildError) -> Int64 { try file.number(at: object * width + 1) }

    func add(_ object: Int64, entity: Int, number: Int64) throws(BuildError) {
        try file.set(Int64(entity), at: object * width)
        try file.set(number, at: object * width + 1)
    }

    /// Returns the value of a part; nil for NULL, for which the file has zeros. It is practically impossible that a
    /// digest has only zeros.
    func value(_ part: Int, of object: Int64) throws(BuildError) -> KeyDigest? {
        let place = object * width + 2 + 2 * Int64(part)
        let (high, low) = (try file.number(at: place), try file.number(at: place + 1))
        return high == 0 && low == 0 ? nil : KeyDigest(high, low)
    }

    /// Applies the content of a row for a part.
    ///
    /// - Parameter rule: the rule by which the row changes an existing object; nil for a new object.
    func take(
        _ saying: ChangingKeys.Saying, _ digest: KeyDigest, at part: Int, of object: Int64,
        _ rule: ObjectForm.MatchRule?
    ) throws(BuildError) {
        var new = KeyDigest(high: 0, low: 0)
        switch (saying, rule) {
        case (.byDefault, nil), (.value, nil), (.value, .update): new = digest
        case (.null, .update): break
        case (.value, .fill):
            guard try value(part, of: object) == nil else { return }
            new = digest
        default: return
        }
        try set(new, at: part, of: object)
    }

    /// - Parameter digest: the digest of the value; nil for NULL.
    func set(_ digest: KeyDigest?, at part: Int, of object: Int64) throws(BuildError) {
        let place = object * width + 2 + 2 * Int64(part)
        let (high, low) = digest?.integers ?? (0, 0)
        try file.set(high, at: place)
        try file.set(low, at: place + 1)
    }

    /// Returns the digest of an object's key; nil if a part is NULL.
    func key(_ parts: [Int], of object: Int64) throws(BuildError) -> KeyDigest? {
        var key: KeyDigest?
        for part in parts {
            guard let value = try value(part, of: object) else { return nil }
            key = key?.joined(with: value) ?? value
        }
        return key
    }
}

/// The objects that have keys. Each key has a heap on disk, whose top is the object that was created first.
///
/// An object that loses a key stays in the heap of the key until it comes to the top.
final class KeyHolders {
    /// The tops of the heaps, by key and the entity that is looked up.
    private let tops: DigestTable
    /// The nodes of the heaps, with five numbers each: the object, the two nodes below it, the length of the shortest
    /// way down, which begins with the second of these nodes, and the number of the object in the order of creation.
    private let nodes: NumberFile
    @exclusivity(unchecked) private var lastNode: Int64 = 0

    init(count: Int, beside path: String, pages: Int) throws(BuildError) {
        tops = try DigestTable(count: count, beside: path, pages: pages)
        nodes = try NumberFile(beside: path, pages: pages)
    }

    /// Returns the place of the top of a key's heap, and adds an empty heap if there is none.
    func place(of digest: KeyDigest, _ key: Int, as entity: Int) throws(BuildError) -> Int64 {
        try tops.place(of: digest.of(entity: Int64(key) << Int64(KeyEntry.entityBits) | Int64(entity)))
    }

    /// Returns the first object of a heap that still has the key; those before it leave the heap.
    func first(at place: Int64, hasKey: (Int64) throws(BuildError) -> Bool) throws(BuildError) -> Int64? {
        while case let top = try tops.entries.number(at: place), top != 0 {
            let object = try nodes.number(at: 5 * top)
            if try hasKey(object) { return object }
            try tops.entries.set(merge(nodes.number(at: 5 * top + 1), nodes.number(at: 5 * top + 2)), at: place)
        }
        return nil
    }

    /// - Parameter number: the number of the object in the order of creation.
    func add(_ object: Int64, number: Int64, at place: Int64) throws(BuildError) {
        lastNode += 1
        try nodes.set(object, at: 5 * lastNode)
        try nodes.set(1, at: 5 * lastNode + 3)
        try nodes.set(number, at: 5 * lastNode + 4)
        try tops.entries.set(merge(tops.entries.number(at: place), lastNode), at: place)
    }

    /// Merges two heaps, and returns the top of the result. The heaps are leftist: the way down to the right is short,
    /// so the recursion is not deep.
    private func merge(_ one: Int64, _ other: Int64) throws(BuildError) -> Int64 {
        guard one != 0, other != 0 else { return max(one, other) }
        let isFirst = try nodes.number(at: 5 * one + 4) <= nodes.number(at: 5 * other + 4)
        let (top, rest) = isFirst ? (one, other) : (other, one)
        let merged = try merge(nodes.number(at: 5 * top + 2), rest)
        let left = try nodes.number(at: 5 * top + 1)
        let (leftLength, length) = (try length(left), try length(merged))
        try nodes.set(leftLength >= length ? left : merged, at: 5 * top + 1)
        try nodes.set(leftLength >= length ? merged : left, at: 5 * top + 2)
        try nodes.set(min(leftLength, length) + 1, at: 5 * top + 3)
        return top
    }

    private func length(_ node: Int64) throws(BuildError) -> Int64 {
        node == 0 ? 0 : try nodes.number(at: 5 * node + 3)
    }
}
