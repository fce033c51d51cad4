import SQLiteAccess

/// A computed text as a function of SQLite, whose arguments are the values from which it is made.
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
                if text.isExternal, let blob = values[0].blob {
                    values[0] = .blob(try reader.externalData.bytes(of: blob))
                }
                return try text.body(values).map { .text($0) } ?? .null
            } catch  where text.isJSON {
                return .blob(Array("\(error)".utf8))
            } catch {
                reader.failure = error
                throw error
            }
        }
    }
}
