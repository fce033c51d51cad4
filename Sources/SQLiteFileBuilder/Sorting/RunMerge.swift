/// Merges sorted runs, with a heap of the next entries of the runs.
struct RunMerge: ~Copyable {
    private var readers: [RunReader] = []
    /// The indexes of the readers as a binary heap: the element at n comes before those at 2n + 1 and 2n + 2.
    private var heap: [Int] = []

    init(_ runs: [Range<Int64>], _ file: OutputFile, _ normalizer: KeyNormalizer, pieceSize: Int) throws(BuildError) {
        for run in runs {
            let reader = RunReader(run, file, normalizer, pieceSize: pieceSize)
            guard try reader.advance() else { continue }
            readers.append(reader)
        }
        heap = Array(readers.indices)
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: place) }
    }

    /// Passes the next entry to a closure; returns false if there is none.
    mutating func next(
        _ body: (_ record: borrowing ByteBuffer, _ range: Range<Int>) throws(BuildError) -> Void
    ) throws(BuildError) -> Bool {
        guard let first = heap.first else { return false }
        let reader = readers[first]
        try body(reader.buffer, reader.record)
        if try !reader.advance() {
            let last = heap.removeLast()
            if heap.isEmpty { return false }
            heap[0] = last
        }
        siftDown(from: 0)
        return true
    }

    private mutating func siftDown(from start: Int) {
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

    private func comes(_ one: Int, before other: Int) -> Bool {
        readers[one].comes(before: readers[other], isEarlier: one < other)
    }
}
