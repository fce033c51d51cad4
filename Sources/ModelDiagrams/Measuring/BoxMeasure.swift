/// The size of a node's box and the texts that fit into it.
struct BoxMeasure {
    /// A row in its drawn form.
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
            // If the whole box has a color, its rows need no signs.
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
        // Whole pixels, plus one as a safety margin.
        width = max(Metrics.minimumWidth, Double(Int(inner + 2 * Metrics.padding) + 1))
        height =
            Metrics.titleHeight
            + (rows.isEmpty ? 0 : Double(rows.count) * Metrics.rowHeight + Metrics.footHeight)
    }

    /// Returns the distance below a box's top at which a line meets it: the middle of a row, or a quarter of the title.
    ///
    /// Lines to a superentity leave at the first quarter, lines from subentities arrive at the second, and
    /// relationships without a row are at the third, so that lines with different meanings do not meet.
    static func port(_ end: DiagramEdge.End, of edge: DiagramEdge) -> Double {
        guard let row = end.row else {
            let quarter = edge.kind == .relationship ? 3.0 : end == edge.from ? 1 : 2
            return DiagramMetrics.titleHeight / 4 * quarter
        }
        return DiagramMetrics.titleHeight + (Double(row) + 0.5) * DiagramMetrics.rowHeight
    }
}
