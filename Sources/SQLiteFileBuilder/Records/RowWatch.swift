/// The values that are expected in a column.
public struct ColumnExpectation: Sendable, Hashable {
    let column: String
    /// Bit n stands for the values whose type in a record is n, and the highest of these bits for all texts and BLOBs.
    let types: UInt16

    private static let last: UInt64 = 12
    /// The bit for the expectation that reals are finite.
    static let finite: UInt16 = 1 << 15

    /// Creates an expectation.
    /// - Parameters:
    ///   - column: the name of the column.
    ///   - isRequired: whether NULL is unexpected.
    ///   - integerBits: the number of bits of the integers that are expected, at most 32; nil for any value.
    ///   - isFinite: whether infinite reals are unexpected.
    public init(_ column: String, isRequired: Bool, integerBits: Int? = nil, isFinite: Bool = false) {
        self.column = column
        var types: UInt16 = (1 << (Self.last + 1)) - 1
        // The types of 0 and 1, and the lower types of integers with 1, 2, 3 and 4 bytes.
        if let bits = integerBits { types = 0b11_0000_0001 | (1 << (bits / 8 + 1) - 2) }
        self.types = (isRequired ? types & ~1 : types) | (isFinite ? Self.finite : 0)
    }

    @inline(__always)
    static func allows(_ type: UInt64, _ types: UInt16) -> Bool { types >> min(type, last) & 1 == 1 }
}

/// Examines the rows of a table while they are encoded, and notices rows that are not as expected.
public struct RowWatch {
    let columns: [ColumnExpectation]
    /// A column of the computed values that is not 0 in rows that are not as expected; nil for none.
    let condition: Int32?
    /// Called for each row that is not as expected, on the thread that encodes it.
    let note: () -> Void

    /// Creates a watch that notices the rows that break any of its expectations.
    public init(_ columns: [ColumnExpectation], condition: Int32?, note: @escaping () -> Void) {
        (self.columns, self.condition, self.note) = (columns, condition, note)
    }
}
