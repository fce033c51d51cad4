import DocumentReading

extension XMLPullReader {
    /// All events that are left in one line each: `+name a=value`, `'text'`, `-name`; `/` marks an empty element.
    func transcript(withPlaces: Bool = false) throws -> [String] {
        var lines: [String] = []
        while let event = try next() {
            let place = withPlaces ? "\(location.line):\(location.column.map(String.init) ?? "?") " : ""
            switch event {
            case .startElement:
                let attributes = attributes.map { " \($0.name.qualifiedName)=\($0.value)" }.joined()
                lines.append(place + "+" + name.qualifiedName + (isEmptyElement ? "/" : "") + attributes)
            case .text: lines.append(place + "'" + text + "'")
            case .endElement: lines.append(place + "-" + name.qualifiedName)
            }
        }
        return lines
    }
}

func reader(_ text: String, limits: XMLReadingLimits = XMLReadingLimits()) -> XMLPullReader {
    XMLPullReader(bytes: Array(text.utf8), name: "test.xml", limits: limits)
}
