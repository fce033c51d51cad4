extension DelimitedFormat {
    func samples(of path: String, names: Set<String>, within limits: DraftLimits) throws -> [SourceSample] {
        [try sample(path, names, within: limits)]
    }

    private func sample(_ path: String, _ names: Set<String>, within limits: DraftLimits) throws -> SourceSample {
        var options = DelimitedOptions()
        options.probableNames = names
        var source = try DelimitedSource(try ByteInput(path: path), options: options)
        var format = SourceFormat()
        var columns = source.columns
        if let names = distinctNames(columns.map(\.name)) {
            format.columns = names
            format.hasHeader = true
            columns = names.map { SourceColumn(name: $0) }
        }
        var records = SampledPart(columns: columns, limits: limits)
        var batch = RecordBatch(limits: limits.records)
        if try source.next(into: &batch) {
            for record in 0..<batch.count where batch[record].isReadable { records.add(record: record, of: batch) }
        }
        var sample = SourceSample(path: path, format: format, titles: [SourceSampler.stem(of: path)], records: records)
        sample.remark = remark(on: source.dialect)
        if source.guessedEncoding != nil { sample.remark? += " (a guess: name the encoding if it is another)" }
        return sample
    }

    /// Returns names that are distinct; nil if the names of the header already are.
    private func distinctNames(_ names: [String]) -> [String]? {
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

    private func remark(on dialect: DelimitedDialect) -> String {
        let delimiter = String(decoding: dialect.delimiter, as: UTF8.self)
        let name = DelimitedOptions.delimiterNames.first { $0.text == delimiter }?.name ?? "\"\(delimiter)\""
        return "delimiter \(name), \(dialect.hasHeader ? "with" : "no") header, \(dialect.encoding.name)"
    }
}
