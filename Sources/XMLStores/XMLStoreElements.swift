import DocumentReading

/// Elements of the header, which is read once.
extension XMLStoreReader {
    /// Goes to the next start tag inside the current element; false at its end tag, or at the document's end.
    static func nextElement(of reader: XMLPullReader) throws(DocumentError) -> Bool {
        while let event = try reader.next() {
            switch event {
            case .startElement: return true
            case .endElement: return false
            case .text:
                guard reader.isBlankText else { throw reader.error("no text is expected between these elements") }
            }
        }
        return false
    }

    /// On a start tag: the text up to its end tag.
    static func text(of reader: XMLPullReader) throws(DocumentError) -> String {
        var result = ""
        while let event = try reader.next() {
            switch event {
            case .text: result += reader.text
            case .endElement: return result
            case .startElement: throw reader.error("no element is expected inside this one")
            }
        }
        return result
    }
}
