/// The order keys of objects in an ordered relationship (docs/format/sqlite-store.md#order-keys).
enum OrderAssignment {
    /// The key before that of the first object, and the distance between objects that are appended.
    static let before: Int64 = 1024
    static let step: Int64 = 1024

    /// Returns ascending keys for a list that keep as many of the old ones as possible.
    ///
    /// - Parameter old: the key of each object; nil for one that has none yet.
    static func assign(_ old: [Int64?]) -> [Int64] {
        let kept = risingPlaces(old)
        var result = [Int64](repeating: 0, count: old.count)
        var previous = before
        var next = 0
        for bound in kept + [old.count] {
            let upper = bound < old.count ? old[bound] : nil
            let gap = bound - next
            if let upper {
                // The new objects before the next key that is kept share the space below it.
                let room = (upper - previous) / Int64(gap + 1)
                guard room >= 1, previous >= 0 else { return renumbered(old.count) }
                for offset in 0..<gap { result[next + offset] = previous + room * Int64(offset + 1) }
                result[bound] = upper
                previous = upper
            } else {
                let (last, overflows) = Int64(gap).multipliedReportingOverflow(by: step)
                guard !overflows, previous <= Int64.max - last else { return renumbered(old.count) }
                for offset in 0..<gap { result[next + offset] = previous + step * Int64(offset + 1) }
            }
            next = bound + 1
        }
        return result
    }

    private static func renumbered(_ count: Int) -> [Int64] { (0..<count).map { before + step * Int64($0 + 1) } }

    /// Returns the indexes of a longest ascending subsequence of the old keys that are not too low.
    private static func risingPlaces(_ old: [Int64?]) -> [Int] {
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: old.count)
        for (place, key) in old.enumerated() {
            guard let key, key > Self.before || place == 0 && key > 0 else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if (old[ends[middle]] ?? 0) < key { low = middle + 1 } else { high = middle }
            }
            before[place] = low > 0 ? ends[low - 1] : -1
            if low < ends.count { ends[low] = place } else { ends.append(place) }
        }
        var places: [Int] = []
        var place = ends.last ?? -1
        while place >= 0 {
            places.append(place)
            place = before[place]
        }
        return places.reversed()
    }
}
