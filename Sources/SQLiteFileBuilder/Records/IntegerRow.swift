/// A row of one to four integer columns, such as the rows of join tables.
public struct IntegerRow {
    /// The highest number of columns.
    public static let maximumCount = 4

    private var values = InlineArray<4, Int64>(repeating: 0)
    /// The number of columns.
    public private(set) var count = 0

    /// Creates a row without columns.
    public init() {}

    /// Adds the next column. There must be fewer than `maximumCount`.
    @inline(__always)
    public mutating func append(_ value: Int64) {
        values[count] = value
        count += 1
    }

    /// The value of a column.
    @inline(__always)
    subscript(_ column: Int) -> Int64 { values[column] }
}
