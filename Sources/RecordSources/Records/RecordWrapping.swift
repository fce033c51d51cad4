/// The bytes around the records of a source, with which a file of some of the records is a source of the same format.
public struct RecordWrapping: Equatable, Sendable {
    /// The bytes before the first record: the byte order mark and header of a delimited file, or the root element of an
    /// XML document.
    public var prefix: [UInt8]
    /// The line end for records that have none, such as the last line of a file.
    public var terminator: [UInt8]
    /// The bytes between two records, such as the comma in a JSON array.
    public var separator: [UInt8]
    /// The bytes after the last record, such as the end tag of the root element.
    public var suffix: [UInt8]
    /// The file name extension of this format, without the dot.
    public var fileExtension: String

    /// Creates a wrapping, which is empty by default except for the extension.
    public init(
        prefix: [UInt8] = [], terminator: [UInt8] = [], separator: [UInt8] = [], suffix: [UInt8] = [],
        fileExtension: String
    ) {
        self.prefix = prefix
        self.terminator = terminator
        self.separator = separator
        self.suffix = suffix
        self.fileExtension = fileExtension
    }
}
