import SQLiteAccess

/// A computed text as SQLite calls it, with the values that it is made of.
struct SQLTextFunction: Sendable {
    /// The name in SQL.
    let name: String
    let text: ComputedText

    func register(on connection: Connection, reading reader: PropertyReader) throws(SQLiteError) {
        try connection.registerFunction(name, argumentCount: Int32(text.inputs.count), deterministic: true) {
            arguments in
            var values: [SQLiteValue] = []
            for index in 0..<arguments.count { values.append(arguments.value(index)) }
            do {
                return try text.body(values).map { .text($0) } ?? .null
            } catch {
                reader.failure = error
                throw error
            }
        }
    }
}
