/// Turns an order of boxes into positions and corners: determines the widths of columns and the tracks of channels.
struct ChannelRouting {
    private(set) var boxes: [DiagramLayout.Box] = []
    private(set) var routes: [[DiagramLayout.Point]] = []
    private(set) var width = 0.0
    private(set) var height = 0.0

    private let order: ColumnOrder

    /// Channel i is to the left of column i; the last one is to the right of all columns.
    private var channels: [Channel]
    private var channelStarts: [Double] = []
    private var columnStarts: [Double] = []
    private var columnWidths: [Double]

    /// The channel and the index among its wires, by piece.
    private var places: [(channel: Int, wire: Int)]

    init(_ order: ColumnOrder, widths: [Double]) {
        self.order = order
        channels = [Channel](repeating: Channel(), count: order.columns.count + 1)
        places = [(channel: Int, wire: Int)](repeating: (0, 0), count: order.pieces.count)
        columnWidths = order.columns.map { column in
            // All boxes of a column have the same width, so that channels have straight borders.
            column.compactMap { order.items[$0].node.map { widths[$0] } }.max() ?? 0
        }
        for piece in order.pieces.indices { addWire(piece) }
        for channel in channels.indices { channels[channel].assignTracks() }
        placeColumns()
        boxes = order.items.filter { $0.node != nil }.sorted { $0.node ?? 0 < $1.node ?? 0 }.map { item in
            DiagramLayout.Box(
                x: columnStarts[item.column], y: item.top, width: columnWidths[item.column], height: item.height)
        }
        routes = order.piecesOfLink.map { route($0) }
        height = boxes.map(\.maximumY).max() ?? 0
        // A passage may be below the last box.
        height = routes.joined().map(\.y).reduce(height, max)
    }

    private func ends(_ piece: ColumnOrder.Piece) -> (from: Double, to: Double) {
        var (from, to) = (order.items[piece.from].top + piece.fromPort, order.items[piece.to].top + piece.toPort)
        if piece.from == piece.to, from == to {
            // A relationship that is its own inverse: a small loop at one row.
            from -= 5
            to += 5
        }
        return (from, to)
    }

    private mutating func addWire(_ index: Int) {
        let piece = order.pieces[index]
        let (from, to) = (order.items[piece.from].column, order.items[piece.to].column)
        let (start, end) = ends(piece)
        let channel: Int
        let wire: Channel.Wire
        if from == to {
            // A line within one column is on the side with fewer lines; loops of one box are always on the right.
            let goesLeft = piece.from != piece.to && channels[from].wires.count < channels[from + 1].wires.count
            channel = goesLeft ? from : from + 1
            wire =
                goesLeft
                ? Channel.Wire(piece: index, left: [], right: [start, end])
                : Channel.Wire(piece: index, left: [start, end], right: [])
        } else {
            channel = max(from, to)
            wire = Channel.Wire(
                piece: index, left: [from < to ? start : end], right: [from < to ? end : start])
        }
        places[index] = (channel, channels[channel].wires.count)
        channels[channel].wires.append(wire)
    }

    private mutating func placeColumns() {
        var x = 0.0
        for column in columnWidths.indices {
            channelStarts.append(x)
            x += channelWidth(column)
            columnStarts.append(x)
            x += columnWidths[column]
        }
        channelStarts.append(x)
        x += channelWidth(columnWidths.count)
        width = x
    }

    private func channelWidth(_ index: Int) -> Double {
        let channel = channels[index]
        let isOuter = index == 0 || index == columnWidths.count
        if channel.wires.isEmpty, isOuter { return 0 }
        let tracks = Double(max(0, channel.trackCount - 1)) * DiagramMetrics.trackPitch
        return tracks + DiagramMetrics.channelMargin * (isOuter ? 1.4 : 2)
    }

    /// Returns the corners of a link, piece by piece; passages join two pieces with a straight line.
    private func route(_ pieces: [Int]) -> [DiagramLayout.Point] {
        var points: [DiagramLayout.Point] = []
        for index in pieces {
            let piece = order.pieces[index]
            let (channel, place) = places[index]
            let wire = channels[channel].wires[place]
            let (start, end) = ends(piece)
            let (from, to) = (order.items[piece.from].column, order.items[piece.to].column)
            func border(_ column: Int) -> Double {
                // The right border of a column to the left of the channel, or the left border of one to its right.
                column < channel ? columnStarts[column] + columnWidths[column] : columnStarts[column]
            }
            points.append(.init(x: border(from), y: start))
            if let track = wire.track {
                let margin = channel == 0 ? DiagramMetrics.channelMargin * 0.4 : DiagramMetrics.channelMargin
                let x = channelStarts[channel] + margin + Double(track) * DiagramMetrics.trackPitch
                points.append(.init(x: x, y: start))
                points.append(.init(x: x, y: end))
            }
            points.append(.init(x: border(to), y: end))
        }
        return Self.withoutStraightCorners(points)
    }

    private static func withoutStraightCorners(_ points: [DiagramLayout.Point]) -> [DiagramLayout.Point] {
        var result: [DiagramLayout.Point] = []
        for point in points {
            if result.last == point { continue }
            if result.count > 1, result[result.count - 1].y == point.y, result[result.count - 2].y == point.y {
                result.removeLast()
            }
            result.append(point)
        }
        return result
    }
}
