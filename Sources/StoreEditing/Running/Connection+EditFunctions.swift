import PredicateExpressions
package import SQLiteAccess

extension Connection {
    /// The name of a function that rounds a number to single precision, as a Float attribute does.
    private static var singlePrecision: String { "ferry_single" }

    /// Returns the SQL of a number for the column of a Float attribute; the connection must have
    /// `registerEditFunctions()`.
    package static func single(_ sql: String) -> String { "\(singlePrecision)(\(sql))" }

    /// Registers the functions that the statements of edits and mapping models call.
    /// - Throws: `SQLiteError` if the connection is closed.
    package func registerEditFunctions() throws(SQLiteError) {
        try registerExpressionFunctions()
        try registerFunction(Self.singlePrecision, argumentCount: 1, deterministic: true) { arguments in
            arguments.isNull(0) ? .null : .real(Double(Float(arguments.real(0))))
        }
    }
}
