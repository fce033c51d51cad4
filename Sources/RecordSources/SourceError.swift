public import CompressedStreams
internal import Glibc
internal import PersistentStores

/// Why a source cannot be read at all or not be read on: the fact, the source and the place.
///
/// What is wrong with a single record is not an error of the source: it is the record's `RecordProblem`.
public struct SourceError: Error, Equatable, Sendable {
    /// The kinds of errors.
    public enum Code: Equatable, Sendable {
        /// The file cannot be opened; `systemError` is the system's error number (errno).
        case cannotOpen(systemError: Int32)
        /// A stream can be read once only, and is being read.
        case alreadyRead
        /// The work was cancelled while there was nothing to read.
        case cancelled
        /// The file cannot be read; `systemError` is the system's error number (errno).
        case cannotRead(systemError: Int32)
        /// A file of rejected records cannot be written; `systemError` is the system's error number (errno).
        case cannotWrite(systemError: Int32)
        /// iconv does not know the encoding.
        case unknownEncoding(String)
        /// The header is not text in the encoding.
        case undecodableHeader(encoding: String)
        /// A header was announced, and the file has none.
        case missingHeader
        /// The header cannot be read as a record.
        case malformedHeader(RecordProblem)
        /// A quote is never closed.
        case unclosedQuote
        /// A JSON value is never closed.
        case unclosedValue
        /// A record has more bytes than are allowed.
        case recordTooLarge(limit: Int)
        /// The file ends before the place where reading was to go on.
        case positionBeyondEnd
        /// An option cannot be meant; with what would be right.
        case invalidOption(name: String, value: String, expected: String)
        /// The document is not well-formed; with what the parser says.
        case malformedDocument(String)
        /// A path is malformed; with the reason.
        case malformedPath(String, reason: String)
        /// The database cannot be read; in SQLite's words.
        case database(String)
        /// A table or view that the database does not have, and those that it has.
        case noRelation(String, known: [String])
        /// A file in a format that is not read.
        case foreign(ForeignFormat)
        /// The byte offset is one of the compressed file.
        case notDecoded(StreamDecodingError)
        /// A database that is compressed, and cannot be read so.
        case compressedDatabase(StreamCompression)
        /// A zip archive, as workbooks are.
        case archive(ZipError)
        /// What is wrong, as a sentence.
        case notAWorkbook(String)
        /// A sheet that the workbook does not have, and those that it has.
        case noSheet(String, known: [String])
        /// A mapping names more columns than the header.
        case fewerColumns(named: Int, found: Int)
        /// Nothing says which table of a database, or which query, has the records.
        case unnamedTable
        /// Nothing says which elements of an XML document are the records.
        case unnamedRecords
        /// A file that looks like XML, of which nothing says where the records are.
        case unnamedDocument
        /// A folder without files.
        case emptyFolder
        /// A record of a program has a name that is not among the columns.
        case unknownField(String, known: [String])
        /// The source has no bytes.
        case empty
    }

    /// What is wrong.
    public var code: Code
    /// The path of the source, `-` for standard input.
    public var source: String
    /// The line, counted from 1; nil if no line is known.
    public var line: Int?
    /// The offset in the source's own bytes, counted from 0; nil if none is known.
    public var byteOffset: Int?

    /// Makes an error of a source, with the place as far as it is known.
    public init(_ code: Code, in source: String, line: Int? = nil, at byteOffset: Int? = nil) {
        self.code = code
        self.source = source
        self.line = line
        self.byteOffset = byteOffset
    }
}

extension SourceError: CustomStringConvertible {
    /// What is wrong, where, and what to do about it, in one line.
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
