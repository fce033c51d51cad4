/// A flat record's values, by slot; set them again for each row.
public struct RecordContext: EvaluationContext {
    public var values: [ExpressionValue]
    public var now: Double

    public init(_ values: [ExpressionValue] = [], now: Double = 0) {
        self.values = values
        self.now = now
    }

    public func value(at slot: Int) throws -> ExpressionValue {
        slot < values.count ? values[slot] : .null
    }
}
