/// What a source has found: objects in order, with their rows where those were asked for, from each store by itself.
struct FetchedRows {
    /// Neighbours of one table.
    struct Run {
        let table: Int32
        let keys: [Int64]
        /// The slots of their entities.
        let entities: [Int32]
        /// What has their rows, or awaits them, in the same order; nil if only the objects were asked for.
        let block: SnapshotBlock?

        func key(_ row: Int) -> ObjectKey { ObjectKey(table: table, entity: entities[row], key: keys[row]) }

        /// Objects without rows.
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
