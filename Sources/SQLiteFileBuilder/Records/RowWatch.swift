/// What the values of a column are expected to be.
public struct ColumnExpectation: Sendable, Hashable {
    let column: String
    /// Bit n stands for the values whose type in a record is n, and the last one for all texts and BLOBs.
    let types: UInt16

    private static let last: UInt64 = 12
    /// Infinite reals are not expected.
    static let finite: UInt16 = 1 << 15

    /// Makes an expectation.
    /// - Parameters:
    ///   - column: the name of the column.
    ///   - isRequired: whether there is a value.
    ///   - integerBits: whether a value is an integer of so many bits, at most 32; nil for any value.
    ///   - isFinite: whether a real is finite.
    public init(_ column: String, isRequired: Bool, integerBits: Int? = nil, isFinite: Bool = false) {
        self.column = column
        var types: UInt16 = (1 << (Self.last + 1)) - 1
        // The types of 0 and 1, and below them those of integers of 1, 2, 3 and 4 bytes.
        if let bits = integerBits { types = 0b11_0000_0001 | (1 << (bits / 8 + 1) - 2) }
        self.types = (isRequired ? types & ~1 : types) | (isFinite ? Self.finite : 0)
    }

    @inline(__always)
    static func allows(_ type: UInt64, _ types: UInt16) -> Bool { types >> min(type, last) & 1 == 1 }
}

/// Looks at the rows of a table as they are encoded, for one that is not as expected.
public struct RowWatch {
    let columns: [ColumnExpectation]
    /// The column of the computed values that is not 0 in such a row; nil for none.
    let condition: Int32?
    /// Called with every such row, on the thread that encodes it.
    let note: () -> Void

    /// Makes a watch that notes the rows that break any of its expectations.
    public init(_ columns: [ColumnExpectation], condition: Int32?, note: @escaping () -> Void) {
        (self.columns, self.condition, self.note) = (columns, condition, note)
    }
}
