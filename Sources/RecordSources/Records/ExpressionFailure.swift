/// Why an expression computes no value of a record.
package struct ExpressionFailure: Sendable {
    /// What is wrong, as a clause.
    package let reason: String
    /// The columns or paths that the value would be computed of.
    package let columns: String
    /// What the record has there, as text, with commas between the values.
    package let values: [UInt8]

    package init(reason: String, columns: String, values: [UInt8]) {
        (self.reason, self.columns, self.values) = (reason, columns, values)
    }
}
