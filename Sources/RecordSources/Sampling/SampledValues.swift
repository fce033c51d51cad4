/// Distinct values of a column or path, as a sample of a source has them.
///
/// They lie in a batch of their own, so that conversions can be tried on them as the import will do it.
package struct SampledValues {
    package private(set) var batch = RecordBatch()
    /// The kept values, none twice.
    package private(set) var fields: [RecordField] = []
    /// How many values there were that are neither NULL nor empty.
    package private(set) var count = 0
    /// How many were NULL, missing or empty.
    package private(set) var absentCount = 0
    /// Whether a value came twice.
    package private(set) var hasDuplicates = false

    /// Whether there was an empty text in quotes.
    package private(set) var hasQuotedEmpty = false

    /// All values, also those that are not kept: the sample is not large.
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
        // A value that is too large to keep is not a date; only its column's name counts.
        guard fields.count < limits.values, batch.arena.count + bytes.count <= limits.valueBytes else { return }
        fields.append(RecordField(field.kind, start: batch.appendValue(bytes), length: bytes.count))
    }

    /// The first values as texts, for comments.
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

    /// The kept values as texts; numbers of databases too.
    package var texts: [String] { fields.map(text) }

    /// Whether every value could tell objects apart: there is one in each record, and none came twice.
    package var isUnique: Bool { count > 0 && absentCount == 0 && !hasDuplicates }

    /// Whether all values are numbers by themselves, of JSON or of a database.
    var areNumbers: Bool {
        !fields.isEmpty && fields.allSatisfy { $0.kind == .integer || $0.kind == .real || $0.kind == .number }
    }
}
