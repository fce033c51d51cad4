import PersistentStores
import SQLiteAccess

/// How a destination column is filled, by source entity.
struct ColumnTransfer: Sendable {
    /// One expression for several source entities.
    struct Part: Sendable {
        let expression: ColumnExpression
        /// The entity numbers in the source.
        var sourceNumbers: [Int]
    }

    let column: EntityColumn
    let parts: [Part]

    /// The expression for all rows of the table; nil if entities differ.
    let uniform: ColumnExpression?

    /// - Parameter othersAreEmpty: whether the column that the only part reads is NULL in rows of entities without a
    ///   part.
    init(column: EntityColumn, parts: [Part], coversAll: Bool, othersAreEmpty: Bool) {
        self.column = column
        self.parts = parts
        if parts.isEmpty {
            uniform = .null
        } else if parts.count == 1, coversAll || (othersAreEmpty && Self.isPlain(parts[0].expression)) {
            uniform = parts[0].expression
        } else {
            uniform = nil
        }
    }

    /// Creates a transfer with one expression for all rows.
    init(column: EntityColumn, expression: ColumnExpression) {
        self.column = column
        parts = [Part(expression: expression, sourceNumbers: [])]
        uniform = expression
    }

    private static func isPlain(_ expression: ColumnExpression) -> Bool {
        switch expression {
        case .column, .inlined, .constant: true
        case .filled, .key, .replaced, .row, .lookup: false
        }
    }

    /// The expression for any row of the table.
    var expression: ColumnExpression {
        if let uniform { return uniform }
        var looksElsewhere = false
        var bases: Set<String?> = []
        let cases = parts.map { part in
            switch part.expression {
            case .lookup: looksElsewhere = true
            case .column(let name), .inlined(let name): bases.insert(name)
            case .filled(let name, _): bases.insert(name)
            case .replaced(let name, _): bases.insert(name)
            case .row(_, let base): bases.insert(base)
            case .key: bases.insert("Z_PK")
            case .constant: break
            }
            let numbers = part.sourceNumbers.map(String.init).joined(separator: ", ")
            return "WHEN s.Z_ENT IN (\(numbers)) THEN \(part.expression.sql)"
        }
        let sql = "CASE \(cases.joined(separator: " ")) END"
        return looksElsewhere ? .lookup(sql) : .row(sql, base: bases.count == 1 ? bases.first ?? nil : nil)
    }

    /// Whether a value must be read from a file.
    var needsFiles: Bool {
        parts.contains { if case .inlined = $0.expression { true } else { false } }
    }
}
