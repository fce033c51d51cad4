public import Threading

/// Why a file could not be built, and where. Equal by kind.
public struct BuildError: Error, Sendable, Equatable {
    /// What went wrong, with the table, index, row or page in question.
    public enum Kind: Sendable, Equatable {
        /// What the system refused, with its error number (errno).
        case file(String, Int32)
        /// The largest database that the page size allows is full.
        case full
        /// Row ids must ascend.
        case notAscending(table: String, row: Int64, previous: Int64)
        /// Two rows have the same values in a unique index.
        case notUnique(index: String, columns: String, row: Int64, other: Int64)
        /// NULL in a column that must not be NULL.
        case missing(table: String, column: String, row: Int64)
        /// A row is larger than SQLite reads.
        case tooLarge(table: String, row: Int64)
        /// A row does not have one value for each column.
        case columnCount(table: String, expected: Int, found: Int)
        /// No such table among those that the builder writes.
        case unknownTable(String)
        /// A number could not be converted as SQLite would.
        case conversion(String)
        /// A page is not what leads to it says.
        case damaged(page: UInt32)
        /// The system starts no thread to work ahead.
        case noThread(ThreadError)
    }

    /// What went wrong.
    public let kind: Kind
    /// The file that was written.
    public let path: String

    /// Makes an error about the file that is written.
    public init(_ kind: Kind, path: String) {
        self.kind = kind
        self.path = path
    }

    /// Whether the disk, or a quota, is full.
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
        case .unknownTable(let name): "no table \(name) is written"
        case .conversion(let message): message
        case .damaged(let page): "\(path): page \(page) is damaged"
        case .noThread(let error): "\(error)"
        }
    }
}
