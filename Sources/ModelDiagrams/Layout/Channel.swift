/// The space between two columns, in which lines run vertically on separate tracks.
struct Channel {
    /// A line in the channel, with its ends at the left and right borders. Both ends may be at the same border.
    struct Wire {
        /// The piece to which it belongs.
        let piece: Int
        /// The heights at the left border, and at the right one.
        let left: [Double]
        let right: [Double]
        var track: Int?

        var top: Double { (left + right).min() ?? 0 }
        var bottom: Double { (left + right).max() ?? 0 }

        /// Whether the line is straight, and needs no track.
        var isStraight: Bool { left.count == 1 && left == right }
    }

    var wires: [Wire] = []
    private(set) var trackCount = 0

    /// The minimum distance between lines; closer ones would look like one.
    private static let clearance = 4.0

    /// Assigns a track to every line: determines an order with few crossings, then chooses the leftmost free track.
    mutating func assignTracks() {
        var order = wires.indices.filter { !wires[$0].isStraight }.sorted { first, second in
            (wires[first].top, first) < (wires[second].top, second)
        }
        for _ in 0..<30 {
            var isBetter = false
            for place in order.indices.dropLast() {
                let (first, second) = (order[place], order[place + 1])
                guard conflicts(left: second, right: first) < conflicts(left: first, right: second) else { continue }
                order.swapAt(place, place + 1)
                isBetter = true
            }
            if !isBetter { break }
        }
        for (place, wire) in order.enumerated() {
            var track = 0
            for other in order[..<place] where overlap(wire, other) {
                track = max(track, (wires[other].track ?? 0) + 1)
            }
            wires[wire].track = track
            trackCount = max(trackCount, track + 1)
        }
    }

    private func overlap(_ first: Int, _ second: Int) -> Bool {
        wires[first].top < wires[second].bottom + Self.clearance
            && wires[second].top < wires[first].bottom + Self.clearance
    }

    /// Returns the cost of having one line on a track to the left of the other's.
    private func conflicts(left first: Int, right second: Int) -> Int {
        guard overlap(first, second) else { return 0 }
        let (near, far) = (wires[first], wires[second])
        var count = 0
        // The part from the left line to the right border crosses the other's vertical part, and vice versa.
        for height in near.right where far.top < height && height < far.bottom { count += 1 }
        for height in far.left where near.top < height && height < near.bottom { count += 1 }
        // Two lines at the same height would look like one.
        for height in near.right {
            count += far.left.count { abs($0 - height) < Self.clearance } * 50
        }
        return count
    }
}
