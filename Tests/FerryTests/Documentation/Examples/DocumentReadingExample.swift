import DocumentReading

/// The places of all elements of a name in an XML document, as `file:line`.
func places(of element: String, in path: String) throws -> [String] {
    let reader = try XMLPullReader(path: path)
    var places: [String] = []
    while let event = try reader.next() {
        if event == .startElement, reader.name.localName == element {
            places.append("\(reader.fileName):\(reader.line)")
        }
    }
    return places
}
