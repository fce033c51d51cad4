import PredicateExpressions
package import SQLiteAccess

extension Connection {
    /// The name of a function that rounds a number to single precision: what a Float attribute holds of it.
    private static var singlePrecision: String { "ferry_single" }

    /// The SQL of a number as the column of a Float attribute takes it; the connection must have
    /// `registerEditFunctions()`.
    package static func single(_ sql: String) -> String { "\(singlePrecision)(\(sql))" }

    /// Makes the functions known that the statements of edits, and of mapping models, call.
    /// - Throws: `SQLiteError` if the connection is closed.
    package func registerEditFunctions() throws(SQLiteError) {
        try registerExpressionFunctions()
        try registerFunction(Self.singlePrecision, argumentCount: 1, deterministic: true) { arguments in
            arguments.isNull(0) ? .null : .real(Double(Float(arguments.real(0))))
        }
    }
}
