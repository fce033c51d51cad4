/// Instances of a batch that have the key of an earlier one.
extension ObjectInstances {
    /// Marks each instance that has the key of an earlier one as a follower of the first instance with that key. Keys
    /// with NULL are not equal to anything.
    ///
    /// - Returns: the first instance with each key, in order.
    mutating func markFollowers() -> [Int] {
        var size = 16
        while size < keyed.count * 2 { size *= 2 }
        // The hash table, with open addressing: an index in `leaders` plus one, or 0 for a free slot.
        var slots = [Int32](repeating: 0, count: size)
        var leaders: [Int] = []
        leaders.reserveCapacity(keyed.count)
        for index in keyed.indices {
            let instance = Int(keyed[index])
            var slot = Int(truncatingIfNeeded: KeyHash.value(of: key(instance).span)) & (size - 1)
            while true {
                guard slots[slot] != 0 else {
                    leaders.append(instance)
                    slots[slot] = Int32(truncatingIfNeeded: leaders.count)
                    break
                }
                let leader = leaders[Int(slots[slot]) - 1]
                if key(leader).elementsEqual(key(instance)) {
                    states[instance] = .follower
                    self.leaders[instance] = Int32(truncatingIfNeeded: leader)
                    break
                }
                slot = (slot + 1) & (size - 1)
            }
        }
        return leaders
    }
}
