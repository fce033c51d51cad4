import SQLiteFileBuilder

/// The objects that have a value, and the moments until which they have it. The first of them is the one that was
/// created first.
///
/// The objects are in a binary heap in a file. Objects that no longer have the value are removed when they come to the
/// top. Moments must be queried in ascending order.
struct HolderHeap {
    /// An object that has the value.
    struct Holder {
        let created: RecordMoment
        let arrival: Int64
        /// The last moment at which the object has the value.
        let end: RecordMoment

        /// Returns whether the object was created before another object.
        func isBefore(_ other: Holder) -> Bool {
            (created, arrival) < (other.created, other.arrival)
        }
    }

    private let file: NumberFile
    private var count: Int64 = 0

    private static let width: Int64 = 5

    init(beside path: String, pages: Int) throws(BuildError) {
        file = try NumberFile(beside: path, pages: pages)
    }

    /// Removes all objects, before objects with another value are added.
    mutating func removeAll() { count = 0 }

    /// Adds an object that has the value from now on.
    mutating func add(_ holder: Holder) throws(BuildError) {
        // An object that was created after one that keeps the value forever is never the first one.
        if count > 0, case let top = try self.holder(at: 0), top.end == .never, top.isBefore(holder) { return }
        var place = count
        count += 1
        while place > 0 {
            let above = (place - 1) / 2
            let other = try self.holder(at: above)
            guard holder.isBefore(other) else { break }
            try set(other, at: place)
            place = above
        }
        try set(holder, at: place)
    }

    /// Returns the first object that has the value at a moment; nil if there is none.
    mutating func first(at moment: RecordMoment) throws(BuildError) -> Holder? {
        while count > 0 {
            let top = try holder(at: 0)
            if top.end >= moment { return top }
            count -= 1
            let last = try holder(at: count)
            var place: Int64 = 0
            while 2 * place + 1 < count {
                var below = 2 * place + 1
                var least = try holder(at: below)
                if below + 1 < count, case let other = try holder(at: below + 1), other.isBefore(least) {
                    (below, least) = (below + 1, other)
                }
                guard least.isBefore(last) else { break }
                try set(least, at: place)
                place = below
            }
            try set(last, at: place)
        }
        return nil
    }

    private func holder(at place: Int64) throws(BuildError) -> Holder {
        let start = place * Self.width
        return Holder(
            created: RecordMoment(
                record: try file.number(at: start), phase: try file.number(at: start + 1)),
            arrival: try file.number(at: start + 2),
            end: RecordMoment(record: try file.number(at: start + 3), phase: try file.number(at: start + 4)))
    }

    private func set(_ holder: Holder, at place: Int64) throws(BuildError) {
        let words = [
            holder.created.record, holder.created.phase, holder.arrival, holder.end.record, holder.end.phase,
        ]
        for (offset, word) in words.enumerated() { try file.set(word, at: place * Self.width + Int64(offset)) }
    }
}
