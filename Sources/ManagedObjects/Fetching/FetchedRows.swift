/// The results of a source: objects in order, with their rows if requested, separately for each store.
struct FetchedRows {
    /// Consecutive objects of one table.
    struct Run {
        let table: Int32
        let keys: [Int64]
        /// The slots of their entities.
        let entities: [Int32]
        /// The block that has or awaits their rows, in the same order; nil if only the objects were requested.
        let block: SnapshotBlock?

        func key(_ row: Int) -> ObjectKey { ObjectKey(table: table, entity: entities[row], key: keys[row]) }

        /// Makes runs of objects without rows.
        static func runs(of keys: [ObjectKey]) -> [Run] {
            var runs: [Run] = []
            var start = 0
            for end in 1...max(1, keys.count) where end <= keys.count {
                guard end == keys.count || keys[end].table != keys[start].table else { continue }
                let part = keys[start..<end]
                runs.append(
                    Run(table: keys[start].table, keys: part.map(\.key), entities: part.map(\.entity), block: nil))
                start = end
            }
            return runs
        }
    }

    var lists: [[Run]] = []
}
