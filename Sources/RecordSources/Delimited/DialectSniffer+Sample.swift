extension DialectSniffer {
    /// The sample as a candidate dialect reads it.
    struct Scan {
        var fields: ArraySlice<RecordField>
        var entries: ArraySlice<RecordEntry>
        var unescaped: [UInt8]
        var unescapedFields: Set<Int>
        var strayQuotes: Int
        /// The part of the sample that consists of records, from 0 to 1.
        var coverage: Double
    }

    func scan(_ dialect: DelimitedDialect) -> Scan {
        let scan = scan(dialect, isLast: window.isAtEnd)
        // If the first record is longer than the sample, only its beginning is used.
        return scan.entries.isEmpty && !window.isAtEnd ? self.scan(dialect, isLast: true) : scan
    }

    private func scan(_ dialect: DelimitedDialect, isLast: Bool) -> Scan {
        var fields = [RecordField](repeating: .missing, count: 4096)
        var entries = [RecordEntry](repeating: .empty, count: DialectSniffer.sampleRows)
        while true {
            var scanner = DelimitedScanner(dialect, columnCount: options.columnCount ?? 0)
            var fieldCount = 0
            var entryCount = 0
            let outcome = scanner.scanWhole(
                window, isLast: isLast, fields: &fields, fieldCount: &fieldCount, entries: &entries,
                entryCount: &entryCount)
            if outcome.stop == .needsFields {
                fields.append(contentsOf: [RecordField](repeating: .missing, count: fields.count))
                continue
            }
            // If the sample is not the whole source, a quote that is open at its end is not an error.
            let strays = scanner.problems.count {
                $0.problem.code == .strayQuote || ($0.problem.code == .unclosedQuote && window.isAtEnd)
            }
            let isCut = outcome.stop == .full
            return Scan(
                fields: fields[..<fieldCount], entries: entries[..<entryCount], unescaped: scanner.unescaped,
                unescapedFields: Set(scanner.unescapedFields), strayQuotes: strays,
                coverage: isCut ? 1 : Double(outcome.position - window.start) / Double(max(1, window.count)))
        }
    }

    /// Returns the values of the records in the sample.
    func records(of dialect: DelimitedDialect) -> [[ArraySlice<UInt8>]] {
        let scan = scan(dialect)
        return scan.entries.map { entry in
            (Int(entry.firstField)..<Int(entry.firstField + entry.fieldCount)).map { index in
                let field = scan.fields[index]
                guard !scan.unescapedFields.contains(index) else { return scan.unescaped[field.range] }
                let start = window.start + field.start
                return window.bytes[start..<start + field.length]
            }
        }
    }
}
