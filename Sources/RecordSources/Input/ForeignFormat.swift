/// A format that is not supported, recognized by the first bytes of a file or by its name.
public enum ForeignFormat: String, CaseIterable, Sendable {
    /// Archives and compressed files that are not supported.
    case bzip2, xz, zip, tar
    /// Columnar files, and DuckDB databases.
    case parquet, avro, arrow, orc, duckDB
    /// Database dumps: SQL statements, the text format of pg_dump, and its archive format.
    case sqlDump, postgresDump, postgresArchive
    /// Files of Microsoft Access, Office files from before 2007, and PDF files.
    case accessDatabase, oldSpreadsheet, pdf

    private struct Mark {
        let format: ForeignFormat
        let bytes: [UInt8]
        var offset = 0
    }

    private static let marks = [
        Mark(format: .zip, bytes: [0x50, 0x4B, 0x03, 0x04]), Mark(format: .zip, bytes: [0x50, 0x4B, 0x05, 0x06]),
        Mark(format: .bzip2, bytes: [0x42, 0x5A, 0x68]),
        Mark(format: .xz, bytes: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
        Mark(format: .tar, bytes: Array("ustar".utf8), offset: 257),
        Mark(format: .parquet, bytes: Array("PAR1".utf8)), Mark(format: .avro, bytes: Array("Obj\u{1}".utf8)),
        Mark(format: .arrow, bytes: Array("ARROW1\0\0".utf8)), Mark(format: .orc, bytes: Array("ORC\u{8}".utf8)),
        Mark(format: .duckDB, bytes: Array("DUCK".utf8), offset: 8),
        Mark(format: .postgresArchive, bytes: Array("PGDMP".utf8)),
        Mark(format: .accessDatabase, bytes: Array("Standard Jet DB".utf8), offset: 4),
        Mark(format: .accessDatabase, bytes: Array("Standard ACE DB".utf8), offset: 4),
        Mark(format: .oldSpreadsheet, bytes: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
        Mark(format: .pdf, bytes: Array("%PDF-".utf8)),
    ]

    /// The beginnings of dumps by various tools, in lower case.
    private static let dumpBeginnings = [
        "-- mysql dump", "-- mariadb dump", "/*!999999\\-", "/*!40",
        "pragma foreign_keys=off;\nbegin transaction;", "begin transaction;\ncreate table", "create table ",
        "insert into ", "-- phpmyadmin sql dump",
    ]

    /// - Parameter fileExtension: the file name extension, in lower case, without the dot.
    init?(start: [UInt8], fileExtension: String) {
        if let mark = Self.marks.first(where: { start.dropFirst($0.offset).starts(with: $0.bytes) }) {
            // A text may begin with these three letters. In bzip2 files they are followed by the block size and a magic
            // number.
            if mark.format == .bzip2, !(start.count > 4 && start[4] == 0x31) { return nil }
            self = mark.format
            return
        }
        let beginning = String(decoding: start.prefix(100), as: UTF8.self).lowercased()
        if beginning.hasPrefix("--\n-- postgresql database dump") {
            self = .postgresDump
            return
        }
        let isDump = Self.dumpBeginnings.contains { beginning.hasPrefix($0) }
        guard fileExtension == "sql" || isDump else { return nil }
        self = .sqlDump
    }

    /// The usual name of such files.
    var title: String {
        switch self {
        case .bzip2, .xz: "a file compressed by \(rawValue)"
        case .zip: "a zip archive"
        case .tar: "a tar archive"
        case .parquet: "a Parquet file"
        case .avro: "an Avro file"
        case .arrow: "an Arrow file"
        case .orc: "an ORC file"
        case .duckDB: "a DuckDB database"
        case .sqlDump: "a dump of SQL statements"
        case .postgresDump: "a dump of a PostgreSQL database"
        case .postgresArchive: "an archive of pg_dump"
        case .accessDatabase: "an Access database"
        case .oldSpreadsheet: "an Office file in the format of before 2007"
        case .pdf: "a PDF document"
        }
    }

    /// The remedy for users who want to import the file.
    var remedy: String {
        switch self {
        case .bzip2: "decompress it: bunzip2 -c FILE | ferry import -"
        case .xz: "decompress it: xz -dc FILE | ferry import -"
        case .zip, .tar: "unpack it and name the files in it"
        case .parquet:
            "pipe it: duckdb -c \"COPY (FROM 'FILE') TO '/dev/stdout' (FORMAT csv, HEADER)\" | ferry import - "
                + "(docs/recipes.md)"
        case .avro: "convert it: avrocat FILE > FILE.ndjson"
        case .arrow, .orc: "convert it to Parquet or CSV with the program that wrote it"
        case .duckDB: "convert its tables: duckdb FILE -c \"COPY TABLE TO 'TABLE.csv'\""
        case .sqlDump:
            "load it into a database, and import from there: sqlite3 NEW.db < FILE, for a dump of SQLite "
                + "(docs/recipes.md)"
        case .postgresDump:
            "load it, psql -f FILE, and pipe its tables: psql -c \"COPY TABLE TO STDOUT (FORMAT csv, HEADER)\" | "
                + "ferry import - (docs/recipes.md)"
        case .postgresArchive:
            "load it, pg_restore -d DATABASE FILE, and pipe its tables: "
                + "psql -c \"COPY TABLE TO STDOUT (FORMAT csv, HEADER)\" | ferry import - (docs/recipes.md)"
        case .accessDatabase: "export its tables: mdb-export FILE TABLE > TABLE.csv"
        case .oldSpreadsheet: "save it as .xlsx or CSV: soffice --convert-to xlsx FILE"
        case .pdf: "export the data that it was made from"
        }
    }
}
