internal import SQLiteAccess

extension SourceFormat.Kind {
    /// SQLite databases of other programs.
    public static let sqlite = Self(of: "sqlite")
}

extension SourceFormat {
    /// Returns whether a database of rejected rows has rows of this source, which have a separate table for each table
    /// or query. Returns true for files of other formats.
    package func hasRejects(in path: String, _ opening: SourceOpening) throws -> Bool {
        guard kind == .sqlite else { return true }
        let connection = try opening.kept(path, as: Connection.self) ?? SQLiteSource.connection(to: path)
        opening.keep(connection, for: path)
        if let query { return try SQLiteSchema.relation(ofQuery: query, connection) != nil }
        return try table.map { try SQLiteSchema.relation(named: $0, connection) != nil } ?? true
    }
}

/// SQLite databases of other programs.
struct SQLiteFormat: RecordFormat {
    let kind = SourceFormat.Kind.sqlite
    let title = "SQLite"
    let fileExtensions: [String] = []
    let keys = ["table", "query"]
    let shape = RecordShape.tables
    let division = RecordDivision.records
    var rendering: (any RecordRendering.Type)? { SQLiteSource.self }
    let isStream = false

    func isCertain(_ start: [UInt8]) -> Bool { start.starts(with: Array("SQLite format 3\u{0}".utf8)) }

    func columns(of path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> [String]? {
        try open(path, format, from: nil, opening).columns.map(\.name)
    }

    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource {
        try open(path, format, from: position, opening)
    }

    func recordCount(_ path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> Int {
        // The source is opened to apply the same checks as for reading.
        _ = try open(path, format, from: nil, opening)
        guard let connection = opening.kept(path, as: Connection.self) else { return 0 }
        let rejected = try format.query.flatMap { try SQLiteSchema.relation(ofQuery: $0, connection)?.name }
        let rows =
            rejected == nil
            ? format.query.map { "(\($0))" } ?? SQLiteIdentifier.quoted(format.table ?? "")
            : SQLiteIdentifier.quoted(rejected ?? "")
        return Int(clamping: try connection.value("SELECT count(*) FROM \(rows)").integer ?? 0)
    }

    private func open(
        _ path: String, _ format: SourceFormat, from position: RecordPosition?, _ opening: SourceOpening
    ) throws -> SQLiteSource {
        let selection: SQLiteSource.Selection
        if let query = format.query {
            selection = .query(query)
        } else if let table = format.table {
            selection = .relation(table)
        } else {
            throw SourceError(.unnamedTable, in: path)
        }
        // The tables of a database are read one after the other. They share a connection, because each connection reads
        // the whole schema.
        let connection = try opening.kept(path, as: Connection.self) ?? SQLiteSource.connection(to: path)
        opening.keep(connection, for: path)
        return try SQLiteSource(
            connection, path: path, selection: selection, limits: opening.limits, from: position)
    }

    func samples(of path: String, names: Set<String>, within limits: DraftLimits) throws -> [SourceSample] {
        let connection = try SQLiteSource.connection(to: path)
        let relations = try SQLiteSchema(connection).relations
        guard !relations.isEmpty else {
            throw SourceError(
                .database("the database has no tables; if it has a log (\"-wal\"), that must lie beside it"), in: path)
        }
        return relations.map { relation in
            var format = SourceFormat()
            format.table = relation.name
            let columns = relation.columns.map { SourceColumn(name: $0.name, declaredType: $0.declaredType) }
            var sample = SourceSample(
                path: path, format: format, titles: [relation.name],
                records: SampledPart(columns: columns, limits: limits), relation: relation)
            do {
                var source = try SQLiteSource(connection, path: path, relation: relation)
                var batch = RecordBatch(limits: limits.records)
                if try source.next(into: &batch) {
                    for record in 0..<batch.count where batch[record].isReadable {
                        sample.records.add(record: record, of: batch)
                    }
                }
            } catch {
                // A virtual table whose module is missing, or a view on a table that no longer exists. The other tables
                // can be imported.
                sample.remark = "cannot be read: \(error)"
            }
            return sample
        }
    }
}
