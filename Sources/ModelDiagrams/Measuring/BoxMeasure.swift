/// The size of a node's box and the texts that fit into it.
struct BoxMeasure {
    /// A row as it is drawn.
    struct Row {
        let name: String
        let detail: String
        let isCut: Bool
    }

    let title: String
    let subtitle: String
    let rows: [Row]
    let width: Double
    let height: Double

    init(_ node: DiagramNode) {
        typealias Metrics = DiagramMetrics
        let limit = Metrics.maximumTextWidth
        title = TextMeasure.fitted(
            node.change.sign + node.name, width: limit * 1.5, size: Metrics.titleSize, isBold: true)
        subtitle = TextMeasure.fitted(node.subtitle, width: limit * 1.5, size: Metrics.subtitleSize)
        rows = node.rows.map { row in
            // Where the box as a whole has a colour, its rows need no signs.
            let sign = node.change == .added || node.change == .removed ? "" : row.change.sign
            let name = TextMeasure.fitted(sign + row.name, width: limit, size: Metrics.rowSize)
            let detail = TextMeasure.fitted(row.detail, width: limit, size: Metrics.detailSize)
            return Row(name: name, detail: detail, isCut: name != sign + row.name || detail != row.detail)
        }
        var inner = max(
            TextMeasure.width(title, size: Metrics.titleSize, isBold: true),
            TextMeasure.width(subtitle, size: Metrics.subtitleSize))
        for row in rows {
            inner = max(
                inner,
                TextMeasure.width(row.name, size: Metrics.rowSize) + Metrics.columnGap
                    + TextMeasure.width(row.detail, size: Metrics.detailSize))
        }
        // Whole pixels; 1 more is a pixel of doubt.
        width = max(Metrics.minimumWidth, Double(Int(inner + 2 * Metrics.padding) + 1))
        height =
            Metrics.titleHeight
            + (rows.isEmpty ? 0 : Double(rows.count) * Metrics.rowHeight + Metrics.footHeight)
    }

    /// Where an end of a line meets its box, below its top: the middle of a row, or a quarter of the title.
    ///
    /// Subentities' lines leave at the first quarter, arrive at the second, and relationships without a row at the
    /// third: what means different things does not meet.
    static func port(_ end: DiagramEdge.End, of edge: DiagramEdge) -> Double {
        guard let row = end.row else {
            let quarter = edge.kind == .relationship ? 3.0 : end == edge.from ? 1 : 2
            return DiagramMetrics.titleHeight / 4 * quarter
        }
        return DiagramMetrics.titleHeight + (Double(row) + 0.5) * DiagramMetrics.rowHeight
    }
}
