public import Threading

/// The reason why a file could not be built. Two errors are equal if their kinds are equal.
public struct BuildError: Error, Sendable, Equatable {
    /// The kind of error, with the table, index, row or page in question.
    public enum Kind: Sendable, Equatable {
        /// The system refused an operation; the message and the error number (`errno`).
        case file(String, Int32)
        /// The database has reached the largest size that its page size allows.
        case full
        /// Row IDs must ascend.
        case notAscending(table: String, row: Int64, previous: Int64)
        /// Two rows have the same values in a unique index.
        case notUnique(index: String, columns: String, row: Int64, other: Int64)
        /// A column that must not be NULL is NULL.
        case missing(table: String, column: String, row: Int64)
        /// A row is larger than the largest row that SQLite reads.
        case tooLarge(table: String, row: Int64)
        /// A row does not have one value for each column.
        case columnCount(table: String, expected: Int, found: Int)
        /// The builder cannot write a database with such tables, for these reasons.
        case unsupported([String])
        /// The builder writes no table of this name.
        case unknownTable(String)
        /// A number could not be converted in the way SQLite converts it.
        case conversion(String)
        /// A page contradicts the page or the schema entry that leads to it.
        case damaged(page: UInt32)
        /// The system could not start the thread that works ahead.
        case noThread(ThreadError)
    }

    /// The kind of error.
    public let kind: Kind
    /// The path of the file that was being written.
    public let path: String

    /// Creates an error about the file that is being written.
    public init(_ kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// Whether the disk or a quota is full.
    public var isFull: Bool {
        // ENOSPC and EDQUOT.
        if case .file(_, let number) = kind { return number == 28 || number == 122 }
        return kind == .full
    }

    /// Whether the rows break a rule of their table.
    public var isConstraint: Bool {
        switch kind {
        case .notUnique, .missing: true
        default: false
        }
    }
}

extension BuildError: CustomStringConvertible {
    public var description: String {
        switch kind {
        case .file(let what, let number): "\(path) \(what): error number \(number) of the system"
        case .full: "\(path) has as many pages as a database can have"
        case .notAscending(let table, let row, let previous):
            "row \(row) of \(table) comes after row \(previous): rows must ascend"
        case .notUnique(_, let columns, let row, let other):
            "UNIQUE constraint failed: \(columns) (rows \(row) and \(other))"
        case .missing(let table, let column, let row): "NOT NULL constraint failed: \(table).\(column) (row \(row))"
        case .tooLarge(let table, let row): "row \(row) of \(table) is larger than 1000000000 bytes"
        case .columnCount(let table, let expected, let found):
            "a row of \(table) has \(found) values, the table \(expected) columns"
        case .unsupported(let reasons): "\(path) cannot be built: \(reasons.joined(separator: "; "))"
        case .unknownTable(let name): "no table \(name) is written"
        case .conversion(let message): message
        case .damaged(let page): "\(path): page \(page) is damaged"
        case .noThread(let error): "\(error)"
        }
    }
}
