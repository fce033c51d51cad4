import PersistentStores
import SQLiteAccess

/// What a migrated store of studios holds, asked by queries of the test's own: the names of tables and columns are
/// Core Data's.
public struct StudioRows {
    private let connection: Connection
    private let externalFolder: String

    public init(_ path: String) throws {
        connection = try Connection(path: path, access: .readOnly)
        externalFolder = StoreFiles(path).externalDataDirectory
    }

    /// The rows as lines; NULL is empty.
    public func lines(_ sql: String) throws -> [String] {
        try connection.rows(sql).map { row in
            row.map { value in
                switch value {
                case .null: ""
                case .integer(let number): String(number)
                case .real(let number): String(number)
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .blob(let bytes): Self.hexadecimal(bytes)
                }
            }.joined(separator: "|")
        }
    }

    /// Artists by number with the titles of their songs in order.
    public func songs(of artists: String = "ZARTIST", number: String = "ZNUMBER") throws -> [String] {
        let names = try connection.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'Z\\__%' ESCAPE '\\' "
                + "AND (name LIKE '%SONGS' OR name LIKE '%ARTISTS')"
        ).compactMap { $0[0].string }
        let join = names[0]
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(join)')").compactMap { $0[0].string }
        // A column leads to what its relationship leads to.
        let song = columns.first { !$0.hasPrefix("Z_FOK") && $0.hasSuffix("SONGS") } ?? ""
        let artist = columns.first { !$0.hasPrefix("Z_FOK") && $0 != song } ?? ""
        let order = columns.first { $0.hasPrefix("Z_FOK") && $0.hasSuffix("SONGS") } ?? song
        return try lines(
            "SELECT \(number), (SELECT group_concat(ZTITLE, '+') FROM (SELECT g.ZTITLE FROM \(join) j JOIN ZSONG g "
                + "ON g.Z_PK = j.\(song) WHERE j.\(artist) = a.Z_PK ORDER BY j.\(order))) FROM \(artists) a ORDER BY 1")
    }

    /// Artists by number with the bytes of their photos; those that may be in files begin with the tag of a row's.
    public func photos(mayBeFiles: Bool) throws -> [String] {
        try connection.rows("SELECT ZNUMBER, ZPHOTO FROM ZARTIST ORDER BY 1").map { row in
            let number = row[0].integer ?? 0
            guard let value = row[1].blob else { return "\(number)|" }
            guard mayBeFiles, value.first == 2 else { return "\(number)|\(Self.hexadecimal(value))" }
            let name = String(decoding: value.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
            let bytes = try FileSystem.contents(of: externalFolder + "/" + name, upTo: 1 << 20)
            return "\(number)|01\(Self.hexadecimal(bytes))"
        }
    }

    public static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    /// What `PlainStudio.lines` says of objects that are not migrated.
    public func lines() throws -> [String] {
        let photos = try photos(mayBeFiles: true).map { $0.split(separator: "|", omittingEmptySubsequences: false)[1] }
        let songs = try songs().map { $0.split(separator: "|", omittingEmptySubsequences: false)[1] }
        let artists = try lines(
            "SELECT 'artist ' || a.ZNUMBER, Z_NAME, a.ZNAME, a.ZLEVEL, a.ZFEE, l.ZCODE, b.ZNUMBER FROM ZARTIST a "
                + "JOIN Z_PRIMARYKEY p ON p.Z_ENT = a.Z_ENT LEFT JOIN ZLABEL l ON l.Z_PK = a.ZLABEL "
                + "LEFT JOIN ZARTIST b ON b.Z_PK = a.ZBOSS ORDER BY a.ZNUMBER")
        let labels = try lines(
            "SELECT 'label ' || ZCODE, (SELECT group_concat(n, '+') FROM (SELECT ZNUMBER AS n FROM ZARTIST a "
                + "WHERE a.ZLABEL = l.Z_PK ORDER BY Z_FOK_LABEL)) FROM ZLABEL l ORDER BY 1")
        return zip(artists, zip(photos, songs)).map { "\($0)|\($1.0.dropFirst(2))|\($1.1)" } + labels
            + (try lines("SELECT 'song ' || ZTITLE FROM ZSONG ORDER BY 1"))
            + (try lines("SELECT 'drafts ' || count(*) FROM ZDRAFT"))
    }
}
