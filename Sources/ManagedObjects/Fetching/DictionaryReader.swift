import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreFetching

/// Reads the rows of a cursor as dictionaries by column name; columns without a value are left out.
struct DictionaryReader {
    private let cursor: FetchCursor

    /// - Throws: `ManagedObjectError` if two columns have the same name.
    init(_ cursor: FetchCursor) throws(ManagedObjectError) {
        self.cursor = cursor
        var names: Set<String> = []
        for column in cursor.columns where !names.insert(column.name).inserted {
            throw ManagedObjectError(
                .unsupported("two properties of the results are called \(column.name); give one another name"))
        }
    }

    func rows() throws -> [[String: DictionaryValue]] {
        defer { cursor.statement.reset() }
        var result: [[String: DictionaryValue]] = []
        while try cursor.next() {
            var row: [String: DictionaryValue] = [:]
            for (index, column) in cursor.columns.enumerated() {
                if let place = cursor.statementColumns[index] {
                    row[column.name] = try value(cursor.statement, place, column.form)
                } else {
                    var elements: [DictionaryValue] = []
                    try cursor.forEachElement(of: index) { element in
                        if let value = try value(element, 0, column.form) { elements.append(value) }
                    }
                    row[column.name] = .list(elements)
                }
            }
            result.append(row)
        }
        return result
    }

    private func value(_ statement: Statement, _ column: Int32, _ form: ValueForm) throws -> DictionaryValue? {
        let storage = statement.storageClass(column)
        guard storage != .null else { return nil }
        if form == .object {
            return ManagedObjectID(uri: statement.string(column)).map { .objectID($0) }
        }
        var row = BlockRows(ReadColumns(width: 1), count: 1)
        row.set(0, 0, to: row.value(of: statement, column))
        let type = form.type(of: storage)
        let stored = StoredForm(type: type, isExternal: form == .externalData)
        return try stored.value(row.value(0, 0), in: row.arena, cursor.externalData).map { .attribute($0) }
    }
}

extension ValueForm {
    /// Returns the attribute type for a storage class.
    fileprivate func type(of storage: StorageClass) -> AttributeType {
        switch self {
        case .integer: return .integer64
        case .boolean: return .boolean
        case .real: return .double
        case .single: return .float
        case .decimal: return .decimal
        case .text, .object, .json: return .string
        case .date: return .date
        case .data, .externalData: return .binaryData
        case .uuid: return .uuid
        case .any:
            switch storage {
            case .integer: return .integer64
            case .real: return .double
            case .blob: return .binaryData
            case .text, .null: return .string
            }
        }
    }
}
