/// A value of a record that could not be converted.
public struct RecordFailure: Equatable, Sendable {
    /// The record's number in its batch.
    public var record: Int
    /// The column or slot of the value.
    public var column: Int
    /// What is wrong with the value.
    public var failure: ConversionFailure

    /// Makes a failure of a value, by the places of record and column.
    public init(record: Int, column: Int, failure: ConversionFailure) {
        self.record = record
        self.column = column
        self.failure = failure
    }
}
