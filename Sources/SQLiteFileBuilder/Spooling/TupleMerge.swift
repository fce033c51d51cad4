/// Merges sorted tuples, with a heap of the cursors over them. Equal tuples are in the order of the cursors.
struct TupleMerge: ~Copyable {
    /// A cursor, and the first number of its tuple.
    private struct Player {
        var first: Int64
        let rank: Int
        let cursor: TupleCursor
    }

    /// The cursors as a binary heap: the element at n comes before those at 2n + 1 and 2n + 2.
    private var heap: [Player] = []
    private let width: Int
    /// Whether the first cursor must be moved before the next tuple is known.
    private var isUsed = false

    init(_ cursors: [TupleCursor]) throws(BuildError) {
        width = cursors.first?.width ?? 0
        for (rank, cursor) in cursors.enumerated() where try cursor.advance() {
            heap.append(Player(first: cursor[0], rank: rank, cursor: cursor))
        }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: place) }
    }

    /// Returns the cursor whose tuple comes next; nil after the last tuple. The cursor must not be moved.
    mutating func next() throws(BuildError) -> TupleCursor? {
        if isUsed {
            if try heap[0].cursor.advance() {
                heap[0].first = heap[0].cursor[0]
            } else {
                let last = heap.removeLast()
                if !heap.isEmpty { heap[0] = last }
            }
            siftDown(from: 0)
        }
        isUsed = true
        return heap.first?.cursor
    }

    private mutating func siftDown(from start: Int) {
        guard start < heap.count else { return }
        var place = start
        let moved = heap[place]
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, comes(heap[child + 1], before: heap[child]) { child += 1 }
            guard comes(heap[child], before: moved) else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = moved
    }

    @inline(__always)
    private func comes(_ one: Player, before other: Player) -> Bool {
        if one.first != other.first { return one.first < other.first }
        for index in 1..<max(1, width) where one.cursor[index] != other.cursor[index] {
            return one.cursor[index] < other.cursor[index]
        }
        return one.rank < other.rank
    }
}
