/// What a record adds to a count of the report, to be subtracted where the record is taken back.
struct RecordCount {
    enum Kind: Int64 {
        case updated, unchanged, skipped, related, unrelated
    }

    /// The entity.
    let slot: Int
    let kind: Kind
    var number: Int64 = 1
}

extension ImportReport.EntityReport {
    mutating func subtract(_ count: RecordCount) {
        switch count.kind {
        case .updated: updated -= count.number
        case .unchanged: unchanged -= count.number
        case .skipped: skipped -= count.number
        case .related: related -= count.number
        case .unrelated: unrelated -= count.number
        }
    }
}
