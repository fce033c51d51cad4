import DocumentReading

/// Steps from element to element, for a store's header and for its objects.
extension XMLEventStream {
    /// Goes to the next start tag inside the current element; false at its end tag, or at the document's end.
    mutating func nextElement() throws(DocumentError) -> Bool {
        while let event = try next() {
            switch event {
            case .startElement: return true
            case .endElement: return false
            case .text: guard isBlankText else { throw error("no text is expected between these elements") }
            }
        }
        return false
    }

    /// On a start tag: the text up to its end tag.
    mutating func elementText() throws(DocumentError) -> String {
        var result = ""
        while let event = try next() {
            switch event {
            case .text: result += text
            case .endElement: return result
            case .startElement: throw error("no element is expected inside this one")
            }
        }
        return result
    }
}
