/// The reason why an expression has no value for a record.
package struct ExpressionFailure: Sendable {
    /// The error, as a clause.
    package let reason: String
    /// The columns or paths on which the value depends.
    package let columns: String
    /// The values of these columns in the record, as text, separated by commas.
    package let values: [UInt8]

    package init(reason: String, columns: String, values: [UInt8]) {
        (self.reason, self.columns, self.values) = (reason, columns, values)
    }
}
