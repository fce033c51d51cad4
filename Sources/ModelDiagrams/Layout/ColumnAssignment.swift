/// Assigns boxes to columns of about equal height, so that lines span few of them.
struct ColumnAssignment {
    /// The column of each node.
    private(set) var columns: [Int]

    private let heights: [Double]
    private var neighbours: [[(node: Int, weight: Double)]]
    private var fill: [Double]
    private let limit: Double

    init(heights: [Double], links: [LayoutLink], columnWidth: Double) {
        let spaced = heights.map { $0 + DiagramMetrics.boxGap }
        self.heights = spaced
        var neighbours = [[(node: Int, weight: Double)]](repeating: [], count: heights.count)
        for link in links where link.from != link.to {
            neighbours[link.from].append((link.to, link.weight))
            neighbours[link.to].append((link.from, link.weight))
        }
        self.neighbours = neighbours
        let total = spaced.reduce(0, +)
        let pitch = columnWidth + 2 * DiagramMetrics.channelMargin + 4 * DiagramMetrics.trackPitch
        // width / height = aspect, where width = count * pitch and height = total / count
        let count = max(1, Int((DiagramMetrics.aspect * total / pitch).squareRoot() + 0.5))
        // Space for the tallest box, and some for lines that pass.
        limit = max(total / Double(count) * 1.12, spaced.max() ?? 0)
        columns = [Int](repeating: 0, count: heights.count)
        fill = [Double](repeating: 0, count: count)
        fillInOrder()
        exchange()
        spreadLoners()
    }

    /// Orders boxes so that linked ones are adjacent, as in the Cuthill-McKee ordering, and then cuts the order into
    /// columns.
    private mutating func fillInOrder() {
        var column = 0
        for node in Self.order(neighbours) {
            while column + 1 < fill.count, fill[column] + heights[node] > limit { column += 1 }
            columns[node] = column
            fill[column] += heights[node]
        }
    }

    /// Returns all nodes by component, the largest component first, each in breadth-first order from a node at its
    /// periphery.
    static func order(_ neighbours: [[(node: Int, weight: Double)]]) -> [Int] {
        var seen = [Bool](repeating: false, count: neighbours.count)
        func walk(from start: Int) -> [Int] {
            var found = [start]
            var isFound: Set<Int> = [start]
            var next = 0
            while next < found.count {
                let near = Set(neighbours[found[next]].map(\.node)).filter { !isFound.contains($0) }
                    .sorted { (neighbours[$0].count, $0) < (neighbours[$1].count, $1) }
                found += near
                isFound.formUnion(near)
                next += 1
            }
            return found
        }
        var components: [[Int]] = []
        for node in neighbours.indices where !seen[node] {
            let first = walk(from: node)
            for member in first { seen[member] = true }
            // The node that is found last is at the periphery; from there, the last one is at the opposite end.
            components.append(walk(from: walk(from: first[first.count - 1]).last ?? node))
        }
        return components.enumerated().sorted {
            ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
        }.flatMap(\.element)
    }

    /// The number of pairs whose exchange can be examined in about a second.
    private static let pairsInRound = 4_000_000

    /// Moves boxes to other columns, or exchanges two, as long as that shortens lines. Boxes without lines stay.
    private mutating func exchange() {
        let nodes = columns.indices.filter { !neighbours[$0].isEmpty }
        // Each round examines all pairs or, in large models, those of nearby boxes, and there are fewer rounds for many
        // boxes.
        let reach = max(1, Self.pairsInRound / max(1, nodes.count))
        for _ in 0..<max(2, min(40, Self.pairsInRound / max(1, nodes.count * nodes.count))) {
            var isBetter = false
            for (place, node) in nodes.enumerated() {
                for column in fill.indices where column != columns[node] && fill[column] + heights[node] <= limit {
                    guard cost(of: node, in: column) < cost(of: node, in: columns[node]) - 0.01 else { continue }
                    move(node, to: column)
                    isBetter = true
                }
                let others = nodes[(place + 1)...].prefix(reach)
                for other in others where columns[other] != columns[node] {
                    if exchangeIfBetter(node, other) { isBetter = true }
                }
            }
            if !isBetter { return }
        }
    }

    private mutating func exchangeIfBetter(_ node: Int, _ other: Int) -> Bool {
        let (first, second) = (columns[node], columns[other])
        let growth = heights[other] - heights[node]
        guard fill[first] + growth <= limit || growth <= 0, fill[second] - growth <= limit || growth >= 0 else {
            return false
        }
        let before = cost(of: node, in: first) + cost(of: other, in: second)
        move(node, to: second)
        move(other, to: first)
        if cost(of: node, in: second) + cost(of: other, in: first) < before - 0.01 { return true }
        move(node, to: first)
        move(other, to: second)
        return false
    }

    private mutating func move(_ node: Int, to column: Int) {
        fill[columns[node]] -= heights[node]
        columns[node] = column
        fill[column] += heights[node]
    }

    /// Returns the cost of a column. The adjacent one is best; in the same one a line has to turn around, and each
    /// further one requires a passage.
    private func cost(of node: Int, in column: Int) -> Double {
        neighbours[node].reduce(0) { sum, neighbour in
            let span = abs(columns[neighbour.node] - column)
            return sum + neighbour.weight * (span == 0 ? 1.3 : span == 1 ? 1 : Double(span) * 1.7 - 0.7)
        }
    }

    /// Moves boxes without lines to the columns with the most space.
    private mutating func spreadLoners() {
        let loners = columns.indices.filter { neighbours[$0].isEmpty }
        for node in loners { fill[columns[node]] -= heights[node] }
        for node in loners.sorted(by: { (heights[$1], $0) < (heights[$0], $1) }) {
            let column = fill.indices.min { fill[$0] < fill[$1] } ?? 0
            columns[node] = column
            fill[column] += heights[node]
        }
    }
}
