import SQLiteAccess
import SQLiteFileBuilder

/// Writes a new database page by page, without SQLite: rows in the order of their keys, the index at the end.
func buildSquares(at path: String, upTo count: Int64) throws {
    let schema = try DatabaseSchema(making: [
        "CREATE TABLE squares (number INTEGER PRIMARY KEY, square INTEGER)",
        "CREATE INDEX bySquare ON squares (square)",
    ])
    let builder = try DatabaseBuilder(path: path, schema: schema)
    let table = try builder.table("squares")
    for number in 1...count {
        table.beginRow()
        table.appendNull()  // the key itself
        table.append(number * number)
        try table.endRow(number)
    }
    try builder.finish()
}
