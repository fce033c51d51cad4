import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

extension MappedDataQuestions {
    /// Finds objects for which expressions fail, such as those with a text that should be a number and is not one.
    ///
    /// If nothing fails, each table is read once. If an expression fails, the first object is found by repeatedly
    /// halving the range of keys.
    func failures(in store: SQLiteStore) throws -> [MigrationFinding] {
        var result: [MigrationFinding] = []
        for mapping in builder.mappings {
            let table = builder.expressions.schema.table(of: mapping.source).name
            guard let keys = try connection.bounds(of: "Z_PK", in: table) else { continue }
            let rows = try rows(mapping).query
            let expressions = try computed(mapping)
            func failure(_ columns: [String], _ keys: ClosedRange<Int64>) throws(SQLiteError) -> SQLiteError? {
                do throws(SQLiteError) {
                    _ = try connection.rows(
                        "SELECT \((["1"] + columns).map { "count(\($0))" }.joined(separator: ", ")) \(rows) "
                            + "AND s.Z_PK BETWEEN \(SQLiteValue.integer(keys.lowerBound).literal) AND \(keys.upperBound)"
                    )
                    return nil
                } catch {
                    guard error.isExpressionFault else { throw error }
                    return error
                }
            }
            var isSound = true
            for start in stride(from: 0, to: max(1, expressions.count), by: Self.maximumColumns) {
                let some = expressions[start..<min(start + Self.maximumColumns, expressions.count)]
                isSound = try isSound && failure(some.map(\.sql), keys) == nil
            }
            if isSound { continue }
            // The filter is evaluated first; if it fails, all expressions do.
            for (name, sql) in [("", "1")] + expressions {
                var (low, high) = (keys.lowerBound, keys.upperBound)
                guard var fault = try failure([sql], low...high) else { continue }
                while low < high {
                    let middle = low + Int64(UInt64(bitPattern: high &- low) / 2)
                    if let found = try failure([sql], low...middle) {
                        (high, fault) = (middle, found)
                    } else {
                        low = middle + 1
                    }
                }
                fault = try failure([sql], low...low) ?? fault
                result.append(
                    MigrationFinding(
                        .error, "expression-fails", cocoaCode: 134110,
                        subject: mapping.name + (name.isEmpty ? "" : ".\(name)"),
                        message: "\(fault.message); correct the object, or the expression",
                        examples: [store.uri(of: low, entity: builder.source.model.entities[mapping.source].name)]))
                if sql == "1" { break }
            }
        }
        return result
    }

    /// A result of SQLite has at most 2000 columns.
    private static let maximumColumns = 400

    /// Returns the expressions of a mapping over a source row `s`, with the names of their properties.
    private func computed(_ mapping: ResolvedEntityMapping) throws -> [(name: String, sql: String)] {
        let entity = builder.destination.model.entities[mapping.destination]
        var result: [(String, String)] = []
        for attribute in entity.attributes where attribute.isStored && !attribute.isDerived {
            let value = try builder.attributeValue(attribute, in: mapping)
            if value.isComputed { result.append((attribute.name, value.sql)) }
        }
        return result
    }
}

extension SQLiteError {
    /// Whether the error may come from a function that an expression calls. SQLite has no specific code for this.
    var isExpressionFault: Bool { primaryCode == 1 }
}
