import FoundationEssentials
import PersistentStores
import RecordSources
import SQLiteAccess

/// The progress of an import that commits each batch. It is stored with each batch, until the import is complete.
///
/// The parts for each file are in separate rows, so that a batch only writes those that it changes.
struct ImportProgress: Codable {
    /// The identity of the import: only the same import can continue it.
    var fingerprint: String
    /// The identities of the sources, to detect changes, in the order in which the sources were given.
    private(set) var identities: [SourceIdentity]
    /// For each part of the import, the source that it reads, as an index in `identities`.
    var files: [Int] = []
    /// The time of `now()` in expressions, which is the time of the import's first run.
    var now: Double
    /// The current part; the number of parts when all have been read.
    var source = 0
    /// The position of its next batch; nil for its beginning.
    var position: RecordPosition?
    var current: ImportReport.SourceReport?
    /// The report; it contains the reports of completed parts only when it is read from the store.
    var report: ImportReport
    var entities: [String: ImportReport.EntityReport] = [:]
    var missingPaths: [Int: MissingPaths] = [:]
    /// For each table, the first primary key that the import gave to an object.
    var firstKeys: [Int64]?
    /// For each lookup, the number of objects that were created because records refer to them.
    var created: [Int64] = []
    private(set) var rejects = RejectCheckpoint()
    /// The paths of the sources as they were given; only known while the import runs.
    var sourcePaths: [String] = []
    /// SQLite's data version, which changes when other connections commit; only known while the import runs.
    var dataVersion: Int64?

    /// The number of parts whose sources are completely identified.
    private var identified = 0
    private var reportedCount = 0
    private var changedIdentities = Set<Int>()

    private enum CodingKeys: CodingKey {
        case fingerprint, now, source, position, current, report, entities, missingPaths, firstKeys, created
    }

    init(fingerprint: String, identities: [SourceIdentity], now: Double, report: ImportReport) {
        self.fingerprint = fingerprint
        self.identities = identities
        self.now = now
        self.report = report
        changedIdentities = Set(identities.indices)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        fingerprint = try values.decode(String.self, forKey: .fingerprint)
        now = try values.decode(Double.self, forKey: .now)
        source = try values.decode(Int.self, forKey: .source)
        position = try values.decodeIfPresent(RecordPosition.self, forKey: .position)
        current = try values.decodeIfPresent(ImportReport.SourceReport.self, forKey: .current)
        report = try values.decode(ImportReport.self, forKey: .report)
        entities = try values.decode([String: ImportReport.EntityReport].self, forKey: .entities)
        missingPaths = try values.decode([Int: MissingPaths].self, forKey: .missingPaths)
        firstKeys = try values.decodeIfPresent([Int64].self, forKey: .firstKeys)
        created = try values.decode([Int64].self, forKey: .created)
        identities = []
    }

    // MARK: - Identification of sources

    /// Adds to the identities the parts that were read before a part, and this part up to a position.
    mutating func identify(to part: Int, _ position: RecordPosition?) throws(SourceError) {
        while identified < min(part, files.count) {
            try extend(identified, to: nil)
            identified += 1
        }
        if let position, part < files.count { try extend(part, to: position.byteOffset) }
    }

    private mutating func extend(_ part: Int, to offset: Int?) throws(SourceError) {
        let file = files[part]
        let before = identities[file].count
        try identities[file].extend(to: offset, of: sourcePaths[file])
        if identities[file].count != before { changedIdentities.insert(file) }
    }

    // MARK: - Storage

    private static let table = InterruptedImport.table
    private static let items = table + "_items"

    /// The kinds of rows that exist for each file.
    private enum Item: Int64 {
        /// By source, in the order in which the sources were given.
        case identity
        /// By part of the import.
        case report
        /// By the path of a file of rejected records.
        case rejects
    }

    /// Reads the progress of the import that is not complete; nil if there is none.
    static func read(from connection: Connection) throws -> ImportProgress? {
        guard try InterruptedImport.isPresent(in: connection) else { return nil }
        guard let bytes = try connection.value("SELECT content FROM main.\(table)").blob else { return nil }
        do {
            var progress = try JSONDecoder().decode(ImportProgress.self, from: Data(bytes))
            progress.identities = try contents(.identity, of: connection)
            progress.report.sources = try contents(.report, of: connection)
            progress.reportedCount = progress.report.sources.count
            for checkpoint: RejectCheckpoint in try contents(.rejects, of: connection) {
                progress.rejects.merge(checkpoint)
            }
            return progress
        } catch is DecodingError {
            throw ImportError.unknownProgress
        }
    }

    private static func contents<Content: Decodable>(_ item: Item, of connection: Connection) throws -> [Content] {
        let statement = try connection.prepare("SELECT content FROM main.\(items) WHERE kind = ? ORDER BY name")
        try statement.bindInteger(item.rawValue, at: 1)
        var contents: [Content] = []
        while try statement.step() {
            contents.append(try JSONDecoder().decode(Content.self, from: Data(statement.value(0).blob ?? [])))
        }
        return contents
    }

    private static func write(
        _ item: Item, _ name: SQLiteValue, _ content: some Encodable, to connection: Connection
    ) throws {
        try connection.execute(
            "INSERT OR REPLACE INTO main.\(items) VALUES (?, ?, ?)",
            [.integer(item.rawValue), name, .blob(Array(try JSONEncoder().encode(content)))])
    }

    private static func makeTables(_ connection: Connection) throws(SQLiteError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS main.\(table) (id INTEGER PRIMARY KEY, content BLOB);
            CREATE TABLE IF NOT EXISTS main.\(items) (kind INTEGER, name, content BLOB, PRIMARY KEY (kind, name)) \
            WITHOUT ROWID;
            """)
    }

    /// Stores changes in the files of rejected records.
    mutating func note(_ changes: RejectCheckpoint, in connection: Connection) throws {
        try Self.makeTables(connection)
        rejects.recordCount = changes.recordCount
        if rejects.directory != changes.directory {
            rejects.directory = changes.directory
            var change = RejectCheckpoint()
            change.directory = changes.directory
            try Self.write(.rejects, .string(""), change, to: connection)
        }
        let names = Dictionary(changes.paths.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        for (path, count) in changes.counts {
            var change = RejectCheckpoint()
            change.recordCount = changes.recordCount
            change.counts[path] = count
            if let name = names[path] { change.paths[name] = path }
            try Self.write(.rejects, .string(path), change, to: connection)
        }
    }

    /// Stores what has changed.
    ///
    /// - Parameter report: a report that includes all parts that have been read.
    mutating func write(_ report: ImportReport, to connection: Connection) throws {
        try Self.makeTables(connection)
        for source in changedIdentities {
            try Self.write(.identity, .integer(Int64(source)), identities[source], to: connection)
        }
        changedIdentities = []
        for part in reportedCount..<max(reportedCount, report.sources.count) {
            var ended = report.sources[part]
            ended.missingPaths = nil
            try Self.write(.report, .integer(Int64(part)), ended, to: connection)
        }
        reportedCount = report.sources.count
        self.report = report
        self.report.sources = []
        try connection.execute(
            "INSERT OR REPLACE INTO main.\(Self.table) VALUES (1, ?)",
            [.blob(Array(try JSONEncoder().encode(self)))])
    }

    /// Removes the progress of an import that is not complete, with everything that it has stored for later.
    ///
    /// - Returns: false if there is none.
    static func discard(from connection: Connection) throws -> Bool {
        guard try InterruptedImport.isPresent(in: connection) else { return false }
        // Names of Core Data's tables never begin like this, and no other tables of Ferry remain.
        let tables = try connection.rows(
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name GLOB 'ferry_*'")
        for name in tables.compactMap({ $0.first?.string }) {
            try connection.execute("DROP TABLE main.\(SQLiteIdentifier.quoted(name))")
        }
        try IndexKeeper.dropTemporaryIndexes(of: connection)
        return true
    }

    static func remove(from connection: Connection) throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS main.\(table); DROP TABLE IF EXISTS main.\(items)")
    }
}
