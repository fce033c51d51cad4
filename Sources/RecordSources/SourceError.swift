public import CompressedStreams
internal import Glibc
internal import PersistentStores

/// The reason why a source cannot be read, with the source and the place.
///
/// An error in a single record is not an error of the source; see `RecordProblem`.
public struct SourceError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Code: Equatable, Sendable {
        /// The file cannot be opened; `systemError` is the system's error number (`errno`).
        case cannotOpen(systemError: Int32)
        /// The source is a stream that can be read only once, and is already being read.
        case alreadyRead
        /// The work was cancelled while there was nothing to read.
        case cancelled
        /// The file cannot be read; `systemError` is the system's error number (`errno`).
        case cannotRead(systemError: Int32)
        /// A file of rejected records cannot be written; `systemError` is the system's error number (`errno`).
        case cannotWrite(systemError: Int32)
        /// iconv does not know the encoding.
        case unknownEncoding(String)
        /// The header is not text in the encoding.
        case undecodableHeader(encoding: String)
        /// The file has no header although the mapping requires one.
        case missingHeader
        /// The header cannot be read as a record.
        case malformedHeader(RecordProblem)
        /// A quote is never closed.
        case unclosedQuote
        /// A JSON value is never closed.
        case unclosedValue
        /// A record has more bytes than are allowed.
        case recordTooLarge(limit: Int)
        /// The file ends before the position at which reading was to continue.
        case positionBeyondEnd
        /// An option has an impossible value; with the values that are allowed.
        case invalidOption(name: String, value: String, expected: String)
        /// The document is not well-formed; with the parser's message.
        case malformedDocument(String)
        /// A path is malformed; with the reason.
        case malformedPath(String, reason: String)
        /// The database cannot be read; with SQLite's message.
        case database(String)
        /// The database does not have the table or view; with those that exist.
        case noRelation(String, known: [String])
        /// The format of the file is not supported.
        case foreign(ForeignFormat)
        /// The file cannot be decompressed. The byte offset is an offset in the compressed file.
        case notDecoded(StreamDecodingError)
        /// The file is a compressed database, which cannot be read.
        case compressedDatabase(StreamCompression)
        /// A zip archive, such as a workbook, is damaged.
        case archive(ZipError)
        /// The file is not a workbook; with a sentence that says why.
        case notAWorkbook(String)
        /// The workbook does not have the sheet; with those that exist.
        case noSheet(String, known: [String])
        /// The mapping names more columns than the header has.
        case fewerColumns(named: Int, found: Int)
        /// Neither a table nor a query of the database is specified.
        case unnamedTable
        /// The record element of an XML document is not specified.
        case unnamedRecords
        /// The file looks like XML, but the place of the records is not specified.
        case unnamedDocument
        /// The folder contains no files.
        case emptyFolder
        /// A record of a program has a name that is not one of the columns.
        case unknownField(String, known: [String])
        /// The source has no bytes.
        case empty
    }

    /// The kind of error.
    public var code: Code
    /// The path of the source; `-` for standard input.
    public var source: String
    /// The line, counted from 1; nil if it is not known.
    public var line: Int?
    /// The offset in the original bytes, counted from 0; nil if it is not known.
    public var byteOffset: Int?

    /// Creates an error of a source, with the place if it is known.
    public init(_ code: Code, in source: String, line: Int? = nil, at byteOffset: Int? = nil) {
        self.code = code
        self.source = source
        self.line = line
        self.byteOffset = byteOffset
    }
}

extension SourceError: CustomStringConvertible {
    /// The error, its place and its remedy, in one line.
    public var description: String {
        var place = StreamInput.title(of: source)
        if let line { place += ":\(line)" }
        if let byteOffset { place += line == nil ? ": byte \(byteOffset)" : " (byte \(byteOffset))" }
        return place + ": " + code.sentence
    }
}

extension SourceError.Code {
    var sentence: String {
        switch self {
        case .cannotOpen(let error):
            "cannot be opened: \(String(cString: strerror(error))); check the path and its permissions"
        case .alreadyRead:
            "it can be read once only, and is named twice; save it as a file"
        case .cancelled:
            "cancelled while there was nothing to read"
        case .cannotRead(let error):
            "cannot be read: \(String(cString: strerror(error)))"
        case .cannotWrite(let error):
            "cannot be written: \(String(cString: strerror(error))); check the folder and the space on its disk"
        case .unknownEncoding(let name):
            "the encoding '\(name)' is not known; `iconv -l` lists the known ones"
        case .undecodableHeader(let encoding):
            "the header is not \(encoding); name the \"encoding\" of the file in a mapping"
        case .missingHeader:
            "there is no header line; say \"header: false\" in a mapping, or give a file that has one"
        case .malformedHeader(let problem):
            "the header cannot be read: \(problem.sentence)"
        case .unclosedQuote:
            "the quote that opens here is never closed; close it, or say \"quote: none\" in a mapping"
        case .unclosedValue:
            "the value that begins here is never closed; close its brackets and quotes"
        case .recordTooLarge(let limit):
            "what begins here has more than \(limit) bytes, the most that a record, a header or a key may have; allow more "
                + "(--max-record-size), or name the newline in a mapping"
        case .positionBeyondEnd:
            "the source ends before the position to resume at; it is not the source that the run began with"
        case .invalidOption(let name, let value, let expected):
            "\(name) cannot be '\(value)'; expected \(expected)"
        case .malformedDocument(let reason):
            reason
        case .malformedPath(let path, let reason):
            "the path '\(path)' cannot be used: \(reason)"
        case .database(let reason):
            reason
        case .noRelation(let name, let known):
            "there is no table or view '\(name)'" + NameList(known).hint(for: name)
        case .foreign(let format):
            "this is \(format.title), which is not read; \(format.remedy)"
        case .notDecoded(let error):
            error.description
        case .compressedDatabase(let compression):
            "this is a compressed database or workbook, and rows are read from all over it; decompress it first: "
                + (compression == .gzip ? "gunzip -k FILE" : "zstd -d FILE")
        case .archive(let error):
            error.description
        case .notAWorkbook(let reason):
            reason
        case .noSheet(let name, let known):
            "there is no sheet '\(name)'" + NameList(known).hint(for: name)
        case .fewerColumns(let named, let found):
            "the mapping names \(Quantity.count(Int64(named), "column")), and the source has \(found)"
        case .unnamedTable:
            "an SQLite source needs a table or a query: write a mapping"
        case .unnamedRecords:
            "an XML source needs the path of its records, such as //item: write a mapping"
        case .unnamedDocument:
            "it looks like XML; say so with \"format: xml\" in a mapping, with the path of its records"
        case .unknownField(let name, let known):
            "the record has the field '\(name)', which is not among the columns" + NameList(known).hint(for: name)
        case .emptyFolder:
            "the folder has no files; name the files to import"
        case .empty:
            "the file is empty, and its columns need names; give one with a header, or name them in a mapping"
        }
    }
}
