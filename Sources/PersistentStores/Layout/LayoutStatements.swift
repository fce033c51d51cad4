public import SQLiteAccess

extension SQLiteIdentifier {
    /// Returns the name as Core Data writes it in a statement: bare if that is safe, otherwise quoted.
    public static func bare(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
        let startsWithZ = name.utf8.first == UInt8(ascii: "Z") || name == "REFLEXIVE"
        // Every name of Core Data starts with Z, and no keyword of SQL does.
        return isPlain && startsWithZ ? name : quoted(name)
    }
}

extension EntityTable {
    /// The CREATE statement as Core Data writes it.
    public var createStatement: String { createStatement(named: name) }

    /// Returns the CREATE statement with another table name.
    public func createStatement(named name: String) -> String {
        let definitions = columns.map {
            "\(SQLiteIdentifier.bare($0.name)) \($0.declaredType)" + ($0.role == .primaryKey ? " PRIMARY KEY" : "")
        }
        return "CREATE TABLE \(SQLiteIdentifier.bare(name)) ( \(definitions.joined(separator: ", ")) )"
    }
}

extension JoinTable {
    /// The key columns in the order of the table: if the relationship is its own inverse, `REFLEXIVE` is the second.
    public var keyColumns: [String] {
        ownerColumn == JoinTableNaming.reflexiveColumn
            ? [destinationColumn, ownerColumn] : [ownerColumn, destinationColumn]
    }

    /// The columns in order: the two keys, then the order keys.
    public var columnNames: [String] { keyColumns + [inverseOrderColumn, orderColumn].compactMap { $0 } }

    /// The CREATE statement as Core Data writes it.
    public var createStatement: String { createStatement(named: name) }

    /// Returns the CREATE statement with another table name.
    public func createStatement(named name: String) -> String {
        let definitions = columnNames.map { "\(SQLiteIdentifier.bare($0)) INTEGER" }
        let key = keyColumns.map(SQLiteIdentifier.bare).joined(separator: ", ")
        return "CREATE TABLE \(SQLiteIdentifier.bare(name)) ( \(definitions.joined(separator: ", ")), PRIMARY KEY "
            + "(\(key)) )"
    }
}

extension StoreIndex {
    /// The CREATE statement as Core Data writes it.
    public var createStatement: String {
        let list = columns.map { column in
            SQLiteIdentifier.bare(column.name)
                + (column.isExplicit ? " COLLATE BINARY " + (column.isAscending ? "ASC" : "DESC") : "")
        }
        return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLiteIdentifier.bare(name)) ON "
            + "\(SQLiteIdentifier.bare(table)) (\(list.joined(separator: ", ")))"
            + (condition.map { " WHERE " + $0 } ?? "")
    }
}
