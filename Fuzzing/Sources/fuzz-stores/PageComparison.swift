import FuzzDriving
import SQLiteAccess
import SQLiteFileBuilder

/// A database whose pages are read in two ways: by the reader of pages, and by SQLite.
///
/// If the check finds no fault, SQLite must find none either, and all rows must be the same. Otherwise neither may end
/// the process.
struct PageComparison {
    private let path: String

    /// - Parameter bytes: the file, behind which its log may follow, where a page of 512 bytes could begin.
    init(_ bytes: [UInt8]) {
        let log = stride(from: 512, to: bytes.count, by: 512).first { bytes[$0...].starts(with: Self.logMagic) }
        path = FuzzDriver.write(Array(bytes[..<(log ?? bytes.count)]), as: "pages.sqlite")
        _ = FuzzDriver.write([], as: "pages.sqlite-shm")
        _ = FuzzDriver.write(Array(bytes[(log ?? bytes.count)...]), as: "pages.sqlite-wal")
    }

    /// The first bytes of a write-ahead log, but for the bit that says in which order its sums read bytes.
    private static let logMagic: [UInt8] = [0x37, 0x7f, 0x06]

    func run() throws {
        let connection = try Connection(path: path, access: .readOnly)
        defer { try? connection.close() }
        try connection.execute("BEGIN")
        let names = try connection.rows(
            """
            SELECT t.name, group_concat(c.name, char(10)) FROM pragma_table_list t, pragma_table_info(t.name) c
            WHERE t.schema = 'main' AND t.type = 'table' AND t.wr = 0 GROUP BY t.name
            """)
        let isSound = (try? DatabaseCheck(connection).faults().isEmpty) == true
        if isSound, let answer = try? connection.value("PRAGMA quick_check(1)").string {
            precondition(answer == "ok", "SQLite finds: \(answer)")
        }
        for row in names {
            guard let table = row[0].string, let columns = row[1].string?.split(separator: "\n").map(String.init) else {
                continue
            }
            try compare(table, columns, connection, isSound: isSound)
        }
    }

    private func compare(_ name: String, _ columns: [String], _ connection: Connection, isSound: Bool) throws {
        guard let table = try? RecordTable(name, in: "main", of: connection), let pages = try? PageReader(connection),
            let rows = TableRows(of: table, columns: columns, having: nil, in: pages)
        else { return }
        let quoted = columns.map {
            "\""
                + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(
                    separator: "\"\"") + "\""
        }
        let quotedName =
            "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false).joined(
                separator: "\"\"") + "\""
        // Damaged pages may lead in circles.
        var remaining = 100_000
        guard isSound else {
            guard (try? rows.begin(.min ... .max)) != nil else { return }
            while remaining > 0, (try? rows.next()) == true {
                for column in columns.indices { _ = rows.value(Int32(column)) }
                remaining -= 1
            }
            return
        }
        guard
            let expected = try? connection.rows(
                "SELECT \(quoted.joined(separator: ", ")) FROM \(quotedName) ORDER BY \(table.keyName)")
        else { return }
        try rows.begin(.min ... .max)
        for values in expected {
            guard try rows.next() else { preconditionFailure("\(name): a row is missing") }
            for (index, value) in values.enumerated() {
                precondition(Self.value(rows, Int32(index)) == value, "\(name).\(columns[index]) of \(rows.rowID)")
            }
        }
        let isLonger = try rows.next()
        precondition(!isLonger, "\(name): there is another row")
    }

    private static func value(_ rows: TableRows, _ column: Int32) -> SQLiteValue {
        func bytes(_ place: ArenaRange) -> [UInt8] {
            var bytes: [UInt8] = []
            rows.withRecord(place) { span in for index in span.indices { bytes.append(span[index]) } }
            return bytes
        }
        return switch rows.value(column) {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let place): .text(bytes(place))
        case .blob(let place): .blob(bytes(place))
        }
    }
}
