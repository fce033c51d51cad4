import SQLiteAccess

/// A source whose rejected records are written again, because they have no original bytes, or because these are not
/// available.
package protocol RecordRendering: RecordSource, SendableMetatype {
    /// Whether the records are rows of a database, and not parts of a text.
    static var rendersRows: Bool { get }

    /// Returns a copy of a record of a batch.
    static func rendered(_ record: Int, of batch: RecordBatch) -> CapturedRecord
}

extension RecordRendering {
    package static var rendersRows: Bool { false }
}

/// A source whose rejected records go to a database, with the types of their values.
protocol RowRendering: RecordRendering {}

extension RowRendering {
    package static var rendersRows: Bool { true }

    package static func rendered(_ record: Int, of batch: RecordBatch) -> CapturedRecord {
        .row(
            (0..<Int(batch[record].fieldCount)).map { column in
                let field = batch.field(column, of: record)
                switch field.kind {
                case .integer: return .integer(batch.integer(of: field))
                case .real, .date: return .real(batch.real(of: field))
                case .blob: return .blob(Array(batch.bytes(of: field)))
                case .null, .missing, .node, .failure: return .null
                case .text, .quoted, .number, .boolean: return .text(Array(batch.bytes(of: field)))
                }
            })
    }
}

extension SQLiteSource: RowRendering {}

extension XMLSource: RecordRendering {
    package static func rendered(_ record: Int, of batch: RecordBatch) -> CapturedRecord {
        let root = Int(batch[record].rootNode)
        return .bytes(root < 0 ? [] : XMLSerialization.element(root, in: batch))
    }
}
