/// The signs at the ends of lines: crow's feet, bars and circles, as usual in entity diagrams.
enum SVGSign {
    /// Returns the sign at a border; `towards` is 1 if the line leaves to the right, and -1 if to the left.
    static func end(
        _ multiplicity: DiagramEdge.Multiplicity?, at point: DiagramLayout.Point, towards: Double
    ) -> [String] {
        guard let multiplicity else {
            // There is no inverse at this end.
            return []
        }
        let (x, y) = (point.x, point.y)
        func n(_ number: Double) -> String { SVGNumber.text(number) }
        var lines: [String] = []
        if multiplicity.isMany {
            lines.append(
                "<path d=\"M\(n(x)) \(n(y - 4.5))L\(n(x + towards * 9)) \(n(y))L\(n(x)) \(n(y + 4.5))\"/>")
        } else {
            lines.append("<path d=\"M\(n(x + towards * 6)) \(n(y - 4.5))V\(n(y + 4.5))\"/>")
        }
        let place = x + towards * (multiplicity.isMany ? 12.5 : 10)
        lines.append(
            multiplicity.isOptional
                ? "<circle cx=\"\(n(place + towards * 0.5))\" cy=\"\(n(y))\" r=\"3\" fill=\"\(DiagramPalette.body)\"/>"
                : "<path d=\"M\(n(place)) \(n(y - 4.5))V\(n(y + 4.5))\"/>")
        return lines
    }

    /// Returns the triangle at the superentity.
    static func triangle(at point: DiagramLayout.Point, towards: Double) -> String {
        func n(_ number: Double) -> String { SVGNumber.text(number) }
        let x = point.x + towards * 11
        return "<path d=\"M\(n(point.x)) \(n(point.y))L\(n(x)) \(n(point.y - 5))V\(n(point.y + 5))Z\" "
            + "fill=\"\(DiagramPalette.body)\"/>"
    }
}
