import SQLiteAccess

/// Records which destination objects were created from which source objects, several pairs per statement.
final class AssociationWriter {
    private struct Pair {
        let source: Int64
        let destination: Int64
        let entity: Int64
    }

    private let one: Statement
    private let many: Statement
    @exclusivity(unchecked) private var pairs: [Pair] = []

    private let pairsPerStatement: Int

    /// - Parameters:
    ///   - table: a table with the columns `source`, `destination` and `entity`. A pair that it already has stays
    ///     unchanged.
    ///   - connection: the connection that writes.
    ///   - pairsPerStatement: the number of pairs that one statement inserts.
    init(_ table: String, on connection: Connection, pairsPerStatement: Int) throws(SQLiteError) {
        self.pairsPerStatement = max(1, pairsPerStatement)
        let insert = "INSERT OR IGNORE INTO \(table) (source, destination, entity) VALUES "
        let row = "(?, ?, ?)"
        one = try connection.prepare(insert + row, persistent: true)
        many = try connection.prepare(
            insert + Array(repeating: row, count: self.pairsPerStatement).joined(separator: ", "), persistent: true)
    }

    func add(_ source: Int64, _ destination: Int64, entity: Int64) throws(SQLiteError) {
        pairs.append(Pair(source: source, destination: destination, entity: entity))
        guard pairs.count == pairsPerStatement else { return }
        try bind(pairs[...], to: many)
        try many.run()
        pairs.removeAll(keepingCapacity: true)
    }

    /// Writes the remaining pairs.
    func flush() throws(SQLiteError) {
        guard !pairs.isEmpty else { return }
        for index in pairs.indices {
            try bind(pairs[index...index], to: one)
            try one.run()
        }
        pairs.removeAll(keepingCapacity: true)
    }

    private func bind(_ pairs: ArraySlice<Pair>, to statement: Statement) throws(SQLiteError) {
        var parameter: Int32 = 1
        for pair in pairs {
            try statement.bindInteger(pair.source, at: parameter)
            try statement.bindInteger(pair.destination, at: parameter + 1)
            try statement.bindInteger(pair.entity, at: parameter + 2)
            parameter += 3
        }
    }
}
