/// The current cost of each shard, as a binary heap with the lowest on top.
struct ShardLoads {
    private var heap: [(cost: Int64, shard: Int)]

    init(count: Int) {
        heap = (1...max(1, count)).map { (0, $0) }
    }

    /// Adds a cost to the shard with the lowest; returns its number, the first one if several are equal.
    mutating func add(_ cost: Int64) -> Int {
        let shard = heap[0].shard
        let sum = heap[0].cost.addingReportingOverflow(cost)
        heap[0].cost = sum.overflow ? .max : sum.partialValue
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != index else { return shard }
            heap.swapAt(index, least)
            index = least
        }
    }
}
