/// The numbers of records, which grow through all files of an import.
enum RecordNumber {
    /// The bits that count the records of a file.
    private static let ordinalBits: Int64 = 40

    /// - Parameter ordinal: counted from 1.
    static func number(ofRecord ordinal: Int, inFile file: Int) -> Int64 {
        Int64(file) << ordinalBits | Int64(ordinal)
    }

    /// The index of the file that a record comes from.
    static func file(of number: Int64) -> Int { Int(number >> ordinalBits) }

    /// Which record of its file it is, counted from 1.
    static func ordinal(of number: Int64) -> Int { Int(number & (1 << ordinalBits - 1)) }
}
