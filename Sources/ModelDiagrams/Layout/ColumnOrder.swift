/// The order of the boxes in their columns, and their heights, chosen for few crossings and short lines.
struct ColumnOrder {
    /// A box, or a passage of a line through a column.
    struct Item {
        /// nil for a passage.
        let node: Int?
        let column: Int
        let height: Double
        var top = 0.0
    }

    /// A piece of a link between adjacent columns, or within one.
    struct Piece {
        let link: Int
        let from: Int
        let fromPort: Double
        let to: Int
        let toPort: Double
        let weight: Double
    }

    private(set) var items: [Item] = []
    private(set) var pieces: [Piece] = []

    /// The pieces of each link, from its `from` to its `to`.
    private(set) var piecesOfLink: [[Int]] = []

    /// The items of each column from top to bottom.
    private(set) var columns: [[Int]]

    private var piecesOfItem: [[Int]] = []

    init(heights: [Double], columns nodeColumns: [Int], links: [LayoutLink]) {
        let count = (nodeColumns.max() ?? 0) + 1
        columns = [[Int]](repeating: [], count: count)
        for node in heights.indices {
            items.append(Item(node: node, column: nodeColumns[node], height: heights[node]))
        }
        var neighbours = [[(node: Int, weight: Double)]](repeating: [], count: heights.count)
        for link in links where link.from != link.to {
            neighbours[link.from].append((link.to, link.weight))
            neighbours[link.to].append((link.from, link.weight))
        }
        for node in ColumnAssignment.order(neighbours) { columns[nodeColumns[node]].append(node) }
        for (index, link) in links.enumerated() { add(link, index) }
        piecesOfItem = [[Int]](repeating: [], count: items.count)
        for (index, piece) in pieces.enumerated() {
            piecesOfItem[piece.from].append(index)
            if piece.to != piece.from { piecesOfItem[piece.to].append(index) }
        }
        for column in columns.indices { stack(column) }
    }

    /// Cuts a link into pieces, with a passage in each column that it crosses.
    private mutating func add(_ link: LayoutLink, _ index: Int) {
        var found: [Int] = []
        var item = link.from
        var port = link.fromPort
        let (start, end) = (items[link.from].column, items[link.to].column)
        let step = start < end ? 1 : -1
        if start != end {
            for column in stride(from: start + step, to: end, by: step) {
                let passage = items.count
                items.append(Item(node: nil, column: column, height: DiagramMetrics.passageHeight))
                columns[column].append(passage)
                found.append(pieces.count)
                let middle = DiagramMetrics.passageHeight / 2
                pieces.append(
                    Piece(link: index, from: item, fromPort: port, to: passage, toPort: middle, weight: link.weight))
                (item, port) = (passage, middle)
            }
        }
        found.append(pieces.count)
        pieces.append(
            Piece(link: index, from: item, fromPort: port, to: link.to, toPort: link.toPort, weight: link.weight))
        piecesOfLink.append(found)
    }

    private func gap(_ upper: Int, _ lower: Int) -> Double {
        switch (items[upper].node, items[lower].node) {
        case (nil, nil): 0
        case (nil, _), (_, nil): DiagramMetrics.boxGap / 2 - DiagramMetrics.passageHeight / 2
        default: DiagramMetrics.boxGap
        }
    }

    private mutating func stack(_ column: Int) {
        var top = 0.0
        for (place, item) in columns[column].enumerated() {
            if place > 0 { top += gap(columns[column][place - 1], item) }
            items[item].top = top
            top += items[item].height
        }
    }

    // MARK: Improving

    /// Sweeps over the columns, moving each item to the middle of its linked items, and keeps the best state.
    mutating func improve() {
        let tallest = columns.map { height(of: $0) }.max() ?? 0
        var best = (cost: cost(), items: items, columns: columns)
        for round in 0..<24 {
            let sequence = round.isMultiple(of: 2) ? Array(columns.indices) : columns.indices.reversed()
            for column in sequence {
                let wanted = columns[column].map { wantedTop(of: $0) }
                // The middles are compared, because boxes have different heights.
                let middles = zip(columns[column], wanted).map { item, top in top + items[item].height / 2 }
                let sorted = middles.indices.sorted { (middles[$0], $0) < (middles[$1], $1) }
                columns[column] = sorted.map { columns[column][$0] }
                place(column, wanted: sorted.map { wanted[$0] }, within: tallest)
            }
            let now = cost()
            if now < best.cost { best = (now, items, columns) }
        }
        (items, columns) = (best.items, best.columns)
        // This examines all lines for every pair of adjacent items: with more than some hundred items, the sweeps must
        // suffice.
        if items.count <= 600 { exchangeNeighbours(within: tallest) }
        snap()
    }

    private func height(of column: [Int]) -> Double {
        var height = 0.0
        for (place, item) in column.enumerated() {
            height += items[item].height + (place > 0 ? gap(column[place - 1], item) : 0)
        }
        return height
    }

    /// Returns the top of an item at which its lines would be straight on average; its current top if it has no lines.
    private func wantedTop(of item: Int) -> Double {
        var sum = 0.0
        var weight = 0.0
        for index in piecesOfItem[item] where pieces[index].from != pieces[index].to {
            let piece = pieces[index]
            let isFrom = piece.from == item
            let other = isFrom ? piece.to : piece.from
            let difference = isFrom ? piece.toPort - piece.fromPort : piece.fromPort - piece.toPort
            // Lines through passages are straightened first; lines within a column may be long.
            let isPassage = items[item].node == nil || items[other].node == nil
            let factor = items[item].column == items[other].column ? 0.3 : isPassage ? 2 : 1
            sum += (items[other].top + difference) * piece.weight * factor
            weight += piece.weight * factor
        }
        return weight > 0 ? sum / weight : items[item].top
    }

    /// Places the items of a column in their order, as near to their wanted positions as the gaps allow.
    private mutating func place(_ column: Int, wanted: [Double], within limit: Double) {
        let members = columns[column]
        guard !members.isEmpty else { return }
        // After subtracting the heights above, the tops only have to ascend: an isotonic regression.
        var offsets = [0.0]
        for place in members.indices.dropFirst() {
            let above = members[place - 1]
            offsets.append(offsets[place - 1] + items[above].height + gap(above, members[place]))
        }
        let tops = Isotonic.ascending(zip(wanted, offsets).map { $0 - $1 })
        let room = max(0, limit - height(of: members))
        for (place, item) in members.enumerated() {
            items[item].top = min(max(tops[place], 0), room) + offsets[place]
        }
    }

    /// Returns the total vertical length of all lines, plus a cost for each crossing.
    private func cost() -> Double {
        var sum = 0.0
        for piece in pieces { sum += rise(piece) * piece.weight }
        return sum + Double(crossings()) * 40
    }

    private func rise(_ piece: Piece) -> Double {
        abs(items[piece.from].top + piece.fromPort - items[piece.to].top - piece.toPort)
    }

    /// Returns the number of pairs of lines between the same two columns whose ends are in opposite orders.
    private func crossings() -> Int {
        var channels = [[(left: Double, right: Double)]](repeating: [], count: max(0, columns.count - 1))
        for piece in pieces {
            let (from, to) = (items[piece.from], items[piece.to])
            guard from.column != to.column else { continue }
            let (start, end) = (from.top + piece.fromPort, to.top + piece.toPort)
            channels[min(from.column, to.column)].append(from.column < to.column ? (start, end) : (end, start))
        }
        return channels.reduce(0) { count, ends in
            count
                + Inversions.count(
                    ends.sorted { ($0.left, $0.right) < ($1.left, $1.right) }.map(\.right))
        }
    }

    /// Exchanges adjacent items in a column as long as that reduces the cost.
    private mutating func exchangeNeighbours(within limit: Double) {
        var now = cost()
        for _ in 0..<4 {
            var isBetter = false
            for column in columns.indices {
                for place in columns[column].indices.dropLast() {
                    let before = (items: items, columns: columns)
                    columns[column].swapAt(place, place + 1)
                    self.place(column, wanted: columns[column].map { wantedTop(of: $0) }, within: limit)
                    let cost = cost()
                    if cost < now - 0.01 {
                        now = cost
                        isBetter = true
                    } else {
                        (items, columns) = before
                    }
                }
            }
            if !isBetter { return }
        }
    }

    /// Moves items to the grid, from top to bottom, so that rows of adjacent boxes are aligned.
    private mutating func snap() {
        let grid = DiagramMetrics.grid
        for column in columns {
            var above: Int?
            for item in column {
                // The middle of a passage is on the grid, like the middles of rows.
                let shift = items[item].node == nil ? DiagramMetrics.passageHeight / 2 : 0
                let least = above.map { items[$0].top + items[$0].height + gap($0, item) } ?? 0
                var units = Int((items[item].top + shift) / grid + 0.5)
                while Double(units) * grid - shift < least - 0.001 { units += 1 }
                items[item].top = Double(units) * grid - shift
                above = item
            }
        }
    }
}
