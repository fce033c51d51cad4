import ManagedObjectModels
import SQLiteAccess

extension Statement {
    /// Returns the value of a column that is not NULL, according to the type of its attribute.
    func attributeValue(_ column: Int32, as type: AttributeType) -> AttributeValue {
        switch type {
        case .integer16, .integer32, .integer64: return .integer(integer(column))
        case .boolean: return .boolean(integer(column) != 0)
        case .double, .float: return .real(real(column))
        case .date: return .date(real(column))
        case .string: return .string(string(column))
        case .uri: return .uri(string(column))
        // The shortest text of the double is the decimal that was stored.
        case .decimal: return .decimal(storageClass(column) == .real ? "\(real(column))" : string(column))
        case .uuid: return .uuid(bytes(column))
        case .binaryData, .transformable, .undefined, .objectID, .composite: return .binary(bytes(column))
        }
    }

    private func bytes(_ column: Int32) -> [UInt8] { withSpan(column) { span in span.indices.map { span[$0] } } }
}
