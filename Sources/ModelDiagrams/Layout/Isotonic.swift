enum Isotonic {
    /// Returns the ascending values nearest to the given ones, by least squares: adjacent descending values are
    /// replaced by their mean.
    static func ascending(_ values: [Double]) -> [Double] {
        var blocks: [(sum: Double, count: Int)] = []
        for value in values {
            blocks.append((value, 1))
            while blocks.count > 1 {
                let (upper, lower) = (blocks[blocks.count - 2], blocks[blocks.count - 1])
                guard upper.sum / Double(upper.count) > lower.sum / Double(lower.count) else { break }
                blocks.removeLast(2)
                blocks.append((upper.sum + lower.sum, upper.count + lower.count))
            }
        }
        return blocks.flatMap { [Double](repeating: $0.sum / Double($0.count), count: $0.count) }
    }
}
