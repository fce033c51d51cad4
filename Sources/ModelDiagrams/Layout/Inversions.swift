/// Counts inversions: pairs of numbers of which the larger one comes first.
enum Inversions {
    /// Returns the number of inversions, counted by a merge sort in n log n steps, since large diagrams have many
    /// lines.
    static func count(_ numbers: [Double]) -> Int {
        var sorted = numbers
        var merged = numbers
        var count = 0
        var width = 1
        while width < sorted.count {
            for start in stride(from: 0, to: sorted.count, by: 2 * width) {
                let middle = min(start + width, sorted.count)
                let end = min(start + 2 * width, sorted.count)
                var (left, right) = (start, middle)
                for place in start..<end {
                    if left < middle, right == end || sorted[left] <= sorted[right] {
                        merged[place] = sorted[left]
                        left += 1
                    } else {
                        // It is less than all remaining numbers before it.
                        count += middle - left
                        merged[place] = sorted[right]
                        right += 1
                    }
                }
            }
            swap(&sorted, &merged)
            width *= 2
        }
        return count
    }
}
