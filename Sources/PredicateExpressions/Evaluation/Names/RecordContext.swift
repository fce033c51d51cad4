/// The values of a flat record, by slot; set them again for each row.
public struct RecordContext: EvaluationContext {
    /// The values of the current record, by slot; missing slots are NULL.
    public var values: [ExpressionValue]
    /// The value of `now()`, in seconds since 2001.
    public var now: Double

    /// Makes a context from the values of the first record.
    public init(_ values: [ExpressionValue] = [], now: Double = 0) {
        self.values = values
        self.now = now
    }

    /// Returns the value of a column; NULL if there is none.
    /// - Throws: nothing; other conforming types may throw.
    public func value(at slot: Int) throws -> ExpressionValue {
        slot < values.count ? values[slot] : .null
    }
}
