import TextEncodings

extension RecordBatch {
    /// Returns whether a field is an object or a list of values. XML elements are neither.
    package func isContainer(_ field: RecordField) -> Bool {
        guard field.kind == .node, field.length == 0 else { return false }
        let node = nodes[field.start]
        return (node.kind == .object || node.kind == .array) && node.name.kind != .text
    }

    /// Writes a value of a nested record as JSON, with dates and data as `{"$date": 0}` and `{"$data": "AA=="}`.
    ///
    /// The depth is bounded by the limits of records.
    package func append(nodeAt index: Int, asJSONTo bytes: inout [UInt8]) {
        let node = nodes[index]
        guard node.kind == .object || node.kind == .array else { return append(node.value, asJSONTo: &bytes) }
        let isObject = node.kind == .object
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
        var child = Int(node.firstChild)
        while child >= 0 {
            if child != Int(node.firstChild) { bytes.append(UInt8(ascii: ",")) }
            if isObject {
                bytes.append(json: self.bytes(of: nodes[child].name).span)
                bytes.append(UInt8(ascii: ":"))
            }
            append(nodeAt: child, asJSONTo: &bytes)
            child = Int(nodes[child].nextSibling)
        }
        bytes.append(UInt8(ascii: isObject ? "}" : "]"))
    }

    private func append(_ field: RecordField, asJSONTo bytes: inout [UInt8]) {
        switch field.kind {
        case .null, .missing, .node, .failure: bytes += Array("null".utf8)
        case .number, .boolean, .integer: bytes += textBytes(of: field)
        case .text, .quoted: bytes.append(json: textBytes(of: field).span)
        case .real: bytes += Array("{\"$real\":\"\(real(of: field))\"}".utf8)
        case .date: bytes += Array("{\"$date\":\(real(of: field))}".utf8)
        case .blob: bytes += Array("{\"$data\":\"\(Base64.encode(Array(self.bytes(of: field))))\"}".utf8)
        }
    }
}
