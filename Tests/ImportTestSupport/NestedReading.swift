package import RecordSources

/// All records of a nested source: the fields of their paths, and their trees as text.
package struct NestedReading: Equatable {
    package var fields: [[String]] = []
    package var kinds: [[RecordField.Kind]] = []
    /// Each record's tree, written in one way whatever the source's own.
    package var trees: [String] = []
    package var problems: [RecordProblem?] = []
    package var lines: [Int] = []
    package var offsets: [Int] = []
    package var sourceBytes: [[UInt8]] = []

    package init(_ source: consuming some RecordSource, limits: RecordBatch.Limits = RecordBatch.Limits()) throws {
        var batch = RecordBatch(limits: limits)
        while try source.next(into: &batch) {
            for record in 0..<batch.count {
                let columns = 0..<Int(batch[record].fieldCount)
                fields.append(columns.map { batch.text(of: batch.field($0, of: record)) })
                kinds.append(columns.map { batch.field($0, of: record).kind })
                let root = Int(batch[record].rootNode)
                trees.append(root < 0 ? "" : NestedReading.tree(batch, root))
                problems.append(batch.problem(of: record))
                lines.append(batch[record].line)
                offsets.append(batch[record].sourceOffset)
                sourceBytes.append(Array(batch.sourceBytes(of: record)))
            }
        }
    }

    package var codes: [RecordProblem.Code?] { problems.map { $0?.code } }

    /// `{name=value …}` for objects and elements, `[value …]` for arrays; strings in quotes.
    package static func tree(_ batch: RecordBatch, _ node: Int) -> String {
        let found = batch.nodes[node]
        var parts: [String] = []
        if found.kind == .object, found.value.length > 0 { parts.append(batch.text(of: found.value)) }
        var child = Int(found.firstChild)
        while child >= 0 {
            let name = batch.text(of: batch.nodes[child].name)
            parts.append((found.kind == .array ? "" : name + "=") + tree(batch, child))
            child = Int(batch.nodes[child].nextSibling)
        }
        switch found.kind {
        case .object: return "{" + parts.joined(separator: " ") + "}"
        case .array: return "[" + parts.joined(separator: " ") + "]"
        case .scalar, .attribute:
            let text = batch.text(of: found.value)
            return found.value.kind == .quoted ? "'\(text)'" : found.value.kind == .null ? "null" : text
        }
    }
}

/// Opens a JSON text with paths.
package func jsonSource(
    _ bytes: [UInt8], paths: [String] = [], chunkBytes: Int = 64 << 10, options: JSONOptions = JSONOptions(),
    from position: RecordPosition? = nil
) throws -> JSONSource {
    var names = FieldNames()
    let compiled = try paths.map { try RecordPath($0, names: &names) }
    let input = ByteInput(bytes: bytes, name: "t.json", chunkBytes: chunkBytes)
    return try JSONSource(input, options: options, paths: compiled, names: names, from: position)
}
