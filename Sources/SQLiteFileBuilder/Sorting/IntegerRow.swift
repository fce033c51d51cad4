/// A row that keys of indexes on integers are made from.
protocol IntegerRow: ~Copyable {
    /// What a column sorts by; nil if its value is not an integer or NULL, or does not fit.
    ///
    /// - Parameter number: makes a key of a number, nil for NULL, and of whether the column is descending.
    func key(_ position: Int, _ isDescending: Bool, _ number: (Int64?, Bool) -> UInt64?) -> UInt64?
}

extension RecordEncoder: IntegerRow {
    @inline(__always)
    func key(_ position: Int, _ isDescending: Bool, _ number: (Int64?, Bool) -> UInt64?) -> UInt64? {
        let slot = slot(position)
        return IntegerOrder.key(slot.type, body, at: slot.start, isDescending, number)
    }
}

extension IntegerPair: IntegerRow {
    @inline(__always)
    func key(_ position: Int, _ isDescending: Bool, _ number: (Int64?, Bool) -> UInt64?) -> UInt64? {
        number(position == 0 ? first : second, isDescending)
    }
}
