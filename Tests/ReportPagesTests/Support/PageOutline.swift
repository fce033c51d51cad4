import DocumentReading

/// What a page consists of, read as XML: pages are well-formed.
struct PageOutline {
    var ids: [String] = []
    var links: [String] = []
    /// What another file would be needed for.
    var references: [String] = []
    var elements: [String: Int] = [:]
    var headings: [String] = []
    var texts: [String] = []

    init(_ html: String) throws {
        var stream = XMLEventStream(bytes: Array(html.utf8), name: "page")
        var path: [String] = []
        while let event = try stream.next() {
            switch event {
            case .startElement:
                let name = stream.name
                path.append(name.localName)
                elements[name.localName, default: 0] += 1
                for attribute in stream.attributes {
                    switch attribute.name.qualifiedName {
                    case "id": ids.append(attribute.value)
                    case "href": links.append(attribute.value)
                    case "src", "srcset", "data", "action": references.append(attribute.value)
                    default: break
                    }
                }
            case .endElement: path.removeLast()
            case .text:
                if !stream.isBlankText { texts.append(stream.text) }
                if let last = path.last, ["h1", "h2", "h3"].contains(last) { headings.append(last) }
            }
        }
    }
}
