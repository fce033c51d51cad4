import PredicateExpressions
import SQLiteAccess

extension Connection {
    /// The name of a function that rounds a number to single precision: what a Float attribute holds of it.
    static var singlePrecision: String { "ferry_single" }

    /// Makes the functions known that the statements of edits call.
    func registerEditFunctions() throws(SQLiteError) {
        try registerExpressionFunctions()
        try registerFunction(Self.singlePrecision, argumentCount: 1, deterministic: true) { arguments in
            arguments.isNull(0) ? .null : .real(Double(Float(arguments.real(0))))
        }
    }
}
