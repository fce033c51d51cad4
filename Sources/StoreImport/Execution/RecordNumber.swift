/// The numbers of records, which increase through all files of an import.
enum RecordNumber {
    /// The number of bits for the position of a record in its file.
    private static let ordinalBits: Int64 = 40

    /// Returns the number of a record.
    ///
    /// - Parameters:
    ///   - ordinal: the position of the record in its file, counted from 1.
    ///   - file: the index of the file.
    static func number(ofRecord ordinal: Int, inFile file: Int) -> Int64 {
        Int64(file) << ordinalBits | Int64(ordinal)
    }

    /// Returns the index of the file that contains a record.
    static func file(of number: Int64) -> Int { Int(number >> ordinalBits) }

    /// Returns the position of a record in its file, counted from 1.
    static func ordinal(of number: Int64) -> Int { Int(number & (1 << ordinalBits - 1)) }
}
