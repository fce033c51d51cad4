import TextEncodings

/// Writes records of property lists as XML.
enum PropertyListRendering {
    static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    /// Returns a record, after its key if it is a member.
    static func record(_ root: Int, of batch: RecordBatch) -> [UInt8] {
        var text = ""
        append(root, of: batch, to: &text)
        return Array(text.utf8)
    }

    static func escaped(_ text: String) -> String { XMLText.escaped(text) }

    /// Adds a node and its descendants; the depth is limited like that of records.
    private static func append(_ index: Int, of batch: RecordBatch, to text: inout String) {
        let node = batch.nodes[index]
        // XML has no null, so the value is left out, which means the same.
        if node.isNull { return }
        if node.name.kind != .missing { text += "<key>\(escaped(batch.text(of: node.name)))</key>\n" }
        guard node.kind == .scalar else {
            let tag = node.kind == .array ? "array" : "dict"
            text += "<\(tag)>\n"
            var child = Int(node.firstChild)
            while child >= 0 {
                append(child, of: batch, to: &text)
                child = Int(batch.nodes[child].nextSibling)
            }
            text += "</\(tag)>\n"
            return
        }
        text += scalar(node.value, batch) + "\n"
    }

    private static func scalar(_ field: RecordField, _ batch: RecordBatch) -> String {
        switch field.kind {
        case .integer: return "<integer>\(batch.integer(of: field))</integer>"
        case .number:
            let text = batch.text(of: field)
            return text.contains { $0 == "." || $0 == "e" } ? "<real>\(text)</real>" : "<integer>\(text)</integer>"
        case .real: return "<real>\(real(batch.real(of: field)))</real>"
        case .date: return "<date>\(FractionalDate.text(of: batch.real(of: field)) ?? "")</date>"
        case .boolean: return "<\(batch.text(of: field))/>"
        case .blob: return "<data>\(Base64.encode(Array(batch.bytes(of: field))))</data>"
        case .text, .quoted, .null, .missing, .node, .failure:
            return "<string>\(escaped(batch.text(of: field)))</string>"
        }
    }

    private static func real(_ number: Double) -> String {
        number.isNaN ? "nan" : number.isInfinite ? (number > 0 ? "+infinity" : "-infinity") : "\(number)"
    }
}
