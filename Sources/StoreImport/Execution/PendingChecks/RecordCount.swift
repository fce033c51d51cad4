/// What a record adds to a count of the report. It is subtracted if the record is revoked.
struct RecordCount {
    enum Kind: Int64 {
        case updated, unchanged, skipped, related, unrelated
    }

    /// The slot of the entity.
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
