import PersistentStores

/// Draws a chart as SVG within a page, in the page's colors.
struct ChartRenderer {
    private static let width = 640.0
    private static let height = 160.0
    /// The space for texts above and below the line.
    private static let top = 34.0
    private static let bottom = 22.0

    private let chart: PageChart
    private let html = HTMLText()

    init(_ chart: PageChart) {
        self.chart = chart
    }

    func lines() -> [String] {
        let base = Self.height - Self.bottom
        let viewBox = "0 0 \(Int(Self.width)) \(Int(Self.height))"
        var lines = [
            "<svg viewBox=\"\(viewBox)\" role=\"img\" aria-label=\"\(html.escaped(chart.label))\">",
            text("\(chart.caption), at most \(chart.highest)", x: 0, y: 12),
        ]
        var free = 0.0
        for stage in chart.stages {
            let x = place(stage.seconds)
            lines.append("<path class=\"stage\" d=\"M\(number(x)) \(number(Self.top - 8))V\(number(base))\"/>")
            // A name without enough space is still part of the label.
            guard x >= free else { continue }
            lines.append(text(stage.name, x: min(x + 2, Self.width - width(of: stage.name)), y: Self.top - 10))
            free = x + width(of: stage.name) + 8
        }
        lines.append("<path class=\"axis\" d=\"M0 \(number(Self.top))V\(number(base))H\(number(Self.width))\"/>")
        let points = chart.points.map { "\(number(place($0.seconds))),\(number(height(of: $0.value)))" }
        lines.append("<polyline class=\"series\" points=\"\(points.joined(separator: " "))\"/>")
        let end = Quantity.duration(duration)
        lines.append(text("0", x: 0, y: Self.height - 6))
        lines.append(text(end, x: Self.width - width(of: end), y: Self.height - 6))
        return lines + ["</svg>"]
    }

    private var duration: Double { chart.points.last?.seconds ?? 0 }

    private func place(_ seconds: Double) -> Double { duration > 0 ? seconds / duration * Self.width : 0 }

    private func height(of value: Double) -> Double {
        let highest = chart.points.map(\.value).max() ?? 0
        let base = Self.height - Self.bottom
        return highest > 0 ? base - value / highest * (base - Self.top) : base
    }

    /// Returns a width greater than that of the characters at the font size of the style sheet.
    private func width(of text: String) -> Double { Double(text.count) * 7.5 }

    private func text(_ text: String, x: Double, y: Double) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\">\(html.escaped(text))</text>"
    }

    private func number(_ value: Double) -> String { Quantity.decimal(value, 1) }
}
