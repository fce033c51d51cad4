/// Reads the first records of sources, to see what they are made of.
struct SourceSampler {
    /// As many as a batch of an import has.
    static let limits = RecordBatch.Limits(rows: 1000, bytes: 1 << 20)

    /// The samples of a file: one for a CSV file, one for each table of a database or kind of element.
    ///
    /// Throws if the file cannot be read.
    static func samples(of path: String) throws -> [SourceSample] {
        switch try SourceFormat.Kind(path: path) {
        case .csv: [try delimited(path)]
        case .json: [try json(path, records: JSONRecordFinding.records(in: path))]
        case .xml: try xml(path)
        case .sqlite: try database(path)
        }
    }

    /// The kinds of records that a JSON or XML file may hold: for JSON the document itself too, which comes first.
    static func candidates(of path: String) throws -> [SourceSample] {
        guard try SourceFormat.Kind(path: path) == .json else { return try samples(of: path) }
        let document = try json(path, records: nil)
        return try [document] + (JSONRecordFinding.records(in: path).map { [try json(path, records: $0)] } ?? [])
    }

    // MARK: CSV

    private static func delimited(_ path: String) throws -> SourceSample {
        var source = try DelimitedSource(try ByteInput(path: path))
        var format = SourceFormat()
        var columns = source.columns
        if let names = distinctNames(columns.map(\.name)) {
            format.columns = names
            format.hasHeader = true
            columns = names.map { SourceColumn(name: $0) }
        }
        var records = SampledPart(columns: columns)
        var batch = RecordBatch(limits: limits)
        if try source.next(into: &batch) {
            for record in 0..<batch.count where batch[record].isReadable { records.add(record: record, of: batch) }
        }
        var sample = SourceSample(path: path, format: format, titles: [stem(of: path)], records: records)
        sample.remark = remark(on: source.dialect)
        if source.guessedEncoding != nil { sample.remark? += " (a guess: name the encoding if it is another)" }
        return sample
    }

    /// Names that tell the columns of a header apart; nil if its own do.
    private static func distinctNames(_ names: [String]) -> [String]? {
        guard Set(names).count < names.count else { return nil }
        var known = Set(names)
        var given = Set<String>()
        return names.enumerated().map { place, name in
            var distinct = name.isEmpty ? "column\(place + 1)" : name
            var number = 2
            while (distinct != name && known.contains(distinct)) || !given.insert(distinct).inserted {
                distinct = "\(name)_\(number)"
                number += 1
            }
            known.insert(distinct)
            return distinct
        }
    }

    private static func remark(on dialect: DelimitedDialect) -> String {
        let delimiter = String(decoding: dialect.delimiter, as: UTF8.self)
        let name = MappingKeys.delimiterNames.first { $0.text == delimiter }?.name ?? "\"\(delimiter)\""
        return "delimiter \(name), \(dialect.hasHeader ? "with" : "no") header, \(dialect.encoding.name)"
    }

    // MARK: JSON and XML

    private static func json(_ path: String, records: String?) throws -> SourceSample {
        var options = JSONOptions()
        var titles = [stem(of: path)]
        if let records {
            options.recordPath = records
            titles.insert(lastName(of: records), at: 0)
        }
        var source = try JSONSource(try ByteInput(path: path), options: options)
        let records = try nested(&source, isJSON: true)
        var format = SourceFormat(kind: .json)
        format.records = options.recordPath
        return SourceSample(path: path, format: format, titles: titles, records: records)
    }

    private static func xml(_ path: String) throws -> [SourceSample] {
        try XMLRecordFinding(path: path).recordPaths.map { recordPath in
            var source = try XMLSource(path: path, options: XMLOptions(recordPath: recordPath))
            let records = try nested(&source)
            var format = SourceFormat(kind: .xml)
            format.records = recordPath
            return SourceSample(
                path: path, format: format, titles: [lastName(of: recordPath), stem(of: path)], records: records)
        }
    }

    private static func nested(_ source: inout some RecordSource, isJSON: Bool = false) throws -> SampledPart {
        var part = SampledPart(isJSON: isJSON)
        var batch = RecordBatch(limits: limits)
        if try source.next(into: &batch) {
            for record in 0..<batch.count where batch[record].isReadable {
                part.add(node: Int(batch[record].rootNode), of: batch)
            }
        }
        return part
    }

    // MARK: SQLite

    private static func database(_ path: String) throws -> [SourceSample] {
        let connection = try SQLiteSource.connection(to: path)
        return try SQLiteSchema(connection).relations.map { relation in
            var format = SourceFormat()
            format.table = relation.name
            let columns = relation.columns.map { SourceColumn(name: $0.name, declaredType: $0.declaredType) }
            var sample = SourceSample(
                path: path, format: format, titles: [relation.name], records: SampledPart(columns: columns),
                relation: relation)
            do {
                var source = try SQLiteSource(connection, path: path, relation: relation)
                var batch = RecordBatch(limits: limits)
                if try source.next(into: &batch) {
                    for record in 0..<batch.count where batch[record].isReadable {
                        sample.records.add(record: record, of: batch)
                    }
                }
            } catch {
                // A virtual table whose module is not here, a view over what is gone: the rest can be imported.
                sample.remark = "cannot be read: \(error)"
            }
            return sample
        }
    }

    // MARK: Names

    /// The name of a file without folders and endings.
    private static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.split(separator: ".").first.map(String.init) ?? name
    }

    private static func lastName(of path: String) -> String {
        path.split { $0 == "/" || $0 == "." }.last.map(String.init) ?? path
    }
}
