/// The distinct values of a column or path in the sample of a source.
///
/// They are in a batch of their own, so that conversions can be tried on them in the same way as in an import.
package struct SampledValues {
    package private(set) var batch = RecordBatch()
    /// The values that are kept, without duplicates.
    package private(set) var fields: [RecordField] = []
    /// The number of values that are neither NULL nor empty.
    package private(set) var count = 0
    /// The number of values that are NULL, missing or empty.
    package private(set) var absentCount = 0
    /// Whether a value occurs more than once.
    package private(set) var hasDuplicates = false

    /// Whether there is an empty text in quotes.
    package private(set) var hasQuotedEmpty = false

    /// All values, including those that are not kept; the sample is small.
    private var known: Set<[UInt8]> = []
    package let limits: DraftLimits

    package init(_ limits: DraftLimits) {
        self.limits = limits
    }

    package mutating func add(_ field: RecordField, of source: RecordBatch) {
        let bytes = source.bytes(of: field)
        guard !field.isAbsent, field.kind != .node, !bytes.isEmpty else {
            absentCount += 1
            if field.kind == .quoted { hasQuotedEmpty = true }
            return
        }
        count += 1
        guard known.insert([field.kind.rawValue] + bytes).inserted else {
            hasDuplicates = true
            return
        }
        // A value that is too large to keep is not a date, so it is not needed to determine the type.
        guard fields.count < limits.values, batch.arena.count + bytes.count <= limits.valueBytes else { return }
        fields.append(RecordField(field.kind, start: batch.appendValue(bytes), length: bytes.count))
    }

    /// Returns the first values as texts, for comments.
    package func examples(_ count: Int) -> [String] {
        fields.prefix(count).map(text)
    }

    package func text(_ field: RecordField) -> String {
        switch field.kind {
        case .integer: String(batch.integer(of: field))
        case .real, .date: String(batch.real(of: field))
        case .blob: "\(field.length) bytes"
        default: batch.text(of: field)
        }
    }

    /// The values that are kept, as texts, including the numbers of databases.
    package var texts: [String] { fields.map(text) }

    /// Whether the values could identify objects: each record has a value, and no value occurs more than once.
    package var isUnique: Bool { count > 0 && absentCount == 0 && !hasDuplicates }

    /// Whether all values are numbers of JSON or of a database.
    var areNumbers: Bool {
        !fields.isEmpty && fields.allSatisfy { $0.kind == .integer || $0.kind == .real || $0.kind == .number }
    }
}
