/// What stands around the records of a source, so that a file of some of them is again a source of the same format.
public struct RecordWrapping: Equatable, Sendable {
    /// The bytes before the first record: byte order mark and header of a delimited file, root element of XML.
    public var prefix: [UInt8]
    /// What ends a record that has no end of its own, as the last line of a file may.
    public var terminator: [UInt8]
    /// What stands between two records: the comma of a JSON array.
    public var separator: [UInt8]
    /// The bytes after the last record: the end tag of the root element.
    public var suffix: [UInt8]
    /// The ending of a file of this format, without the dot.
    public var fileExtension: String

    /// Makes what stands around records; without arguments but the ending it is nothing.
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
