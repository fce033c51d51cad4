import SQLiteFileBuilder

/// The values that objects have of the parts of keys, on disk.
struct HeldValues {
    private let file: NumberFile
    private let width: Int64

    init(parts: Int, beside path: String, pages: Int) throws(BuildError) {
        file = try NumberFile(beside: path, pages: pages)
        // The entity and the number of an object come before its values.
        width = 2 * Int64(parts) + 2
    }

    func entity(of object: Int64) throws(BuildError) -> Int { Int(try file.number(at: object * width)) }

    /// The number of the objects that were there when it was made, itself among them.
    func number(of object: Int64) throws(BuildError) -> Int64 { try file.number(at: object * width + 1) }

    func add(_ object: Int64, entity: Int, number: Int64) throws(BuildError) {
        try file.set(Int64(entity), at: object * width)
        try file.set(number, at: object * width + 1)
    }

    /// Zeros stand for NULL, as no digest has them but by an accident.
    func value(_ part: Int, of object: Int64) throws(BuildError) -> KeyDigest? {
        let place = object * width + 2 + 2 * Int64(part)
        let digest = KeyDigest(
            high: UInt64(bitPattern: try file.number(at: place)),
            low: UInt64(bitPattern: try file.number(at: place + 1)))
        return digest == KeyDigest(high: 0, low: 0) ? nil : digest
    }

    /// Takes what a row says of a part.
    ///
    /// - Parameter rule: what becomes of an object that is there; nil for a new one.
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
        try file.set(Int64(bitPattern: digest?.high ?? 0), at: place)
        try file.set(Int64(bitPattern: digest?.low ?? 0), at: place + 1)
    }

    /// The digest of the key that an object has; nil if a part is NULL.
    func key(_ parts: [Int], of object: Int64) throws(BuildError) -> KeyDigest? {
        var key: KeyDigest?
        for part in parts {
            guard let value = try value(part, of: object) else { return nil }
            key = key?.joined(with: value) ?? value
        }
        return key
    }
}

/// The objects that have keys: each key has a heap on disk with the object that was made first at its top.
///
/// An object stays in the heap of a key that it has no more until it comes to the top.
final class KeyHolders {
    /// The tops of the heaps, by key with the entity that is looked for.
    private let tops: DigestTable
    /// Five numbers for each node of the heaps: the object, the nodes below it, of which the second one has the shorter
    /// way down, the length of that way, and when the object was made.
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

    /// - Parameter number: when it was made, among the others.
    func add(_ object: Int64, number: Int64, at place: Int64) throws(BuildError) {
        lastNode += 1
        try nodes.set(object, at: 5 * lastNode)
        try nodes.set(1, at: 5 * lastNode + 3)
        try nodes.set(number, at: 5 * lastNode + 4)
        try tops.entries.set(merge(tops.entries.number(at: place), lastNode), at: place)
    }

    /// Makes one heap of two, and returns its top. The way down to the right is short in each heap, and so is this.
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
