internal import DocumentReading
import TextEncodings

/// Writes parts of a document from their nodes, if their original bytes are not available.
enum XMLSerialization {
    /// Returns the current start tag, with the namespaces of its names.
    static func startTag(_ reader: XMLEventStream) -> [UInt8] {
        var tag = "<" + reader.name.qualifiedName
        var declared = Set<String>()
        for name in [reader.name] + reader.attributes.map(\.name) {
            guard let uri = name.namespaceURI, name.prefix != "xml", declared.insert(name.prefix ?? "").inserted else {
                continue
            }
            tag += " xmlns" + (name.prefix.map { ":" + $0 } ?? "") + "=\"" + XMLText.escaped(uri) + "\""
        }
        for attribute in reader.attributes {
            tag += " " + attribute.name.qualifiedName + "=\"" + XMLText.escaped(attribute.value) + "\""
        }
        return Array((tag + ">").utf8)
    }

    /// Returns a node of a batch and its descendants as XML.
    static func element(_ node: Int, in batch: RecordBatch) -> [UInt8] {
        var written: [UInt8] = []
        // The open elements, with the next child of each.
        var stack: [(node: Int, next: Int)] = []
        func open(_ node: Int) {
            written += Array("<".utf8) + batch.bytes(of: batch.nodes[node].name)
            if stack.isEmpty { written += namespaces(of: batch) }
            var child = Int(batch.nodes[node].firstChild)
            while child >= 0, batch.nodes[child].kind == .attribute {
                written += Array(" ".utf8) + batch.bytes(of: batch.nodes[child].name).dropFirst() + Array("=\"".utf8)
                written += Array((XMLText.escaped(batch.text(of: batch.nodes[child].value)) + "\"").utf8)
                child = Int(batch.nodes[child].nextSibling)
            }
            written += Array((">" + XMLText.escaped(batch.text(of: batch.nodes[node].value))).utf8)
            stack.append((node, child))
        }
        open(node)
        while let top = stack.last {
            if top.next >= 0 {
                stack[stack.count - 1].next = Int(batch.nodes[top.next].nextSibling)
                open(top.next)
            } else {
                written += Array("</".utf8) + batch.bytes(of: batch.nodes[top.node].name) + Array(">".utf8)
                stack.removeLast()
            }
        }
        return written
    }

    /// Declares all prefixes of the document so far, which may be more than a record needs.
    private static func namespaces(of batch: RecordBatch) -> [UInt8] {
        batch.namespaces.sorted { $0.key < $1.key }.flatMap { prefix, uri in
            Array((" xmlns" + (prefix.isEmpty ? "" : ":" + prefix) + "=\"" + XMLText.escaped(uri) + "\"").utf8)
        }
    }
}
