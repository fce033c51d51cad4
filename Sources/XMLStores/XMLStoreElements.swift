import DocumentReading

/// Advances between elements of a store's header and objects.
extension XMLEventStream {
    /// Advances to the next start tag inside the current element; returns false at its end tag, or at the end of the
    /// document.
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

    /// Returns the text of an element, from its start tag to its end tag.
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
