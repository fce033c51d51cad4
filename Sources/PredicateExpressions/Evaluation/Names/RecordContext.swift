/// A flat record's values, by slot; set them again for each row.
public struct RecordContext: EvaluationContext {
    /// The values of the record that is evaluated, by slot; slots behind the last one are NULL.
    public var values: [ExpressionValue]
    /// The moment of `now()`, in seconds since 2001.
    public var now: Double

    /// Makes a context of the values of the first record.
    public init(_ values: [ExpressionValue] = [], now: Double = 0) {
        self.values = values
        self.now = now
    }

    /// The value of a column; NULL behind the last one.
    /// - Throws: nothing, though other conforming types may.
    public func value(at slot: Int) throws -> ExpressionValue {
        slot < values.count ? values[slot] : .null
    }
}
