/// Detects in the first lines of a delimited file what its options leave open.
///
/// Every candidate dialect reads the sample as a source would. The best candidate is the one with the most records of
/// equal length. Nothing is guessed that could lose data: comments, for example, are only recognized if the options
/// specify them.
struct DialectSniffer {
    /// The result of the detection.
    struct Finding {
        var dialect: DelimitedDialect
        var columnCount: Int
        /// The line end of the first record, in ASCII.
        var terminator: [UInt8]
    }

    /// How well a candidate fits the sample.
    struct Score {
        var value = 0.0
        var columnCount = 1
        var rows = 0
        /// Whether all records have the same number of fields, and more than one.
        var isEven = false
        var quotedFields = 0
        var strayQuotes = 0
    }

    /// 256 KiB, which are read at once anyway; only the first records in them are examined.
    static let sampleBytes = 256 << 10
    /// More records would not change the result.
    static let sampleRows = 500

    /// The delimiters in the order of preference if the scores are equal. Colons also occur in times and addresses, so
    /// they need stronger evidence, also in the first record.
    static let delimiters: [(text: String, weight: Double)] = [
        (",", 1), ("\t", 1), (";", 1), ("|", 1), ("\u{1F}", 1), (":", 0.8),
    ]

    let window: TextWindow
    let options: DelimitedOptions

    init(_ window: TextWindow, options: DelimitedOptions) {
        self.window = window
        self.options = options
    }

    func sniff() -> Finding {
        var dialect = DelimitedDialect(encoding: window.encoding)
        dialect.newline = options.newline ?? .any
        dialect.strayQuotes = options.strayQuotes
        dialect.emptyLines = options.emptyLines
        dialect.comment = options.comment
        dialect.allowsShortRecords = options.allowsShortRecords
        dialect.allowsLongRecords = options.allowsLongRecords
        dialect.doublesQuotes = options.doublesQuotes ?? true
        dialect.skipsSpaceBeforeQuote = options.skipsSpaceBeforeQuote ?? false
        dialect.hasHeader = false

        var best: (dialect: DelimitedDialect, score: Score)?
        for candidate in candidates(from: dialect) {
            let score = score(of: candidate.dialect, weight: candidate.weight)
            if let known = best, score.value <= known.score.value { continue }
            best = (candidate.dialect, score)
        }
        guard var best else { return Finding(dialect: dialect, columnCount: 1, terminator: [0x0A]) }
        if options.quote == nil { preferApostrophes(&best) }
        best.dialect.hasHeader =
            options.hasHeader
            ?? HeaderDetection.hasHeader(records(of: best.dialect), probableNames: options.probableNames)
        let first = best.dialect.hasHeader ? nil : scan(best.dialect).entries.first.map { Int($0.fieldCount) }
        return Finding(
            dialect: best.dialect, columnCount: options.columnCount ?? first ?? max(1, best.score.columnCount),
            terminator: terminator)
    }

    private func candidates(from base: DelimitedDialect) -> [(dialect: DelimitedDialect, weight: Double)] {
        let delimiters = options.delimiter.map { [($0, 1.0)] } ?? DialectSniffer.delimiters.map { ($0.text, $0.weight) }
        let quote: UInt8? = options.quote ?? UInt8(ascii: "\"")
        var escapes: [UInt8?] = [options.escape ?? nil]
        if options.escape == nil, let quote, contains([UInt8(ascii: "\\"), quote]) {
            escapes.append(UInt8(ascii: "\\"))
        }
        let spaces = options.skipsSpaceBeforeQuote.map { [$0] } ?? (quote == nil ? [false] : [false, true])
        return delimiters.flatMap { text, weight in
            escapes.flatMap { escape in
                spaces.map { space in
                    var dialect = base
                    dialect.delimiter = Array(text.utf8)
                    dialect.quote = quote
                    dialect.escape = escape == quote ? nil : escape
                    dialect.skipsSpaceBeforeQuote = space
                    return (dialect, weight)
                }
            }
        }
    }

    /// Apostrophes are only accepted as quotes if nothing contradicts them, and if either as many fields are quoted as
    /// a record has, or the records only have equal lengths with them.
    private func preferApostrophes(_ best: inout (dialect: DelimitedDialect, score: Score)) {
        guard best.score.quotedFields == 0 else { return }
        var dialect = best.dialect
        dialect.quote = UInt8(ascii: "'")
        let score = score(of: dialect, weight: 1)
        guard score.strayQuotes == 0, score.rows > 0, score.quotedFields > 0 else { return }
        let areCommon = score.quotedFields >= score.rows && score.value >= best.score.value
        let areNeeded = score.isEven && !best.score.isEven && score.value > best.score.value
        if areCommon || areNeeded { best = (dialect, score) }
    }

    private func score(of dialect: DelimitedDialect, weight: Double) -> Score {
        let scan = scan(dialect)
        guard !scan.entries.isEmpty else { return Score() }
        var score = Score()
        score.rows = scan.entries.count
        score.strayQuotes = scan.strayQuotes
        score.quotedFields = scan.fields.count { $0.kind == .quoted }
        var frequency: [Int: Int] = [:]
        for entry in scan.entries { frequency[Int(entry.fieldCount), default: 0] += 1 }
        let most = frequency.max { ($0.value, $0.key) < ($1.value, $1.key) }
        score.columnCount = most?.key ?? 1
        score.isEven = score.columnCount > 1 && most?.value == score.rows
        let consistency = Double(most?.value ?? 0) / Double(score.rows)
        let damage = Double(score.strayQuotes) / Double(score.rows)
        // Any text has one column with a delimiter that does not occur in it.
        let isOneColumn = score.columnCount == 1 || weight < 1 && scan.entries[0].fieldCount == 1
        let evidence = isOneColumn ? 0.25 : consistency * weight
        // A quote that encloses most of the sample leaves few records; these must account for its bytes.
        score.value = evidence * max(0, 1 - damage) * scan.coverage
        if score.columnCount > 1 && score.quotedFields > 0 && score.strayQuotes == 0 { score.value *= 1.1 }
        return score
    }

    private func contains(_ pair: [UInt8]) -> Bool {
        zip(window.bytes[window.start..<window.end], window.bytes[window.start..<window.end].dropFirst())
            .contains { $0 == pair[0] && $1 == pair[1] }
    }

    /// The line end of the first line in the sample, for files that are written in the same format.
    private var terminator: [UInt8] {
        let sample = window.bytes[window.start..<window.end]
        guard let index = sample.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else { return [0x0A] }
        if sample[index] == 0x0A { return [0x0A] }
        return index + 1 < window.end && sample[index + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    }
}
